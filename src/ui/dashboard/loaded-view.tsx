/** The states of data from the server: loading, failed with a button to try again, or loaded. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { t } from '../language/dashboard/text.ts';
import { PageHead } from './page-head.tsx';
import { type Loadable, retryFailed } from './use-load.ts';

interface LoadedViewProps<Data> {
  readonly loaded: Loadable<Data>;
  /** For a page whose own heading is in what is loaded: the heading where that cannot be loaded. */
  readonly heading?: string;
  readonly children: (data: Data) => ComponentChildren;
}

export function LoadedView<Data>({ loaded: { data, error, answers }, heading, children }: LoadedViewProps<Data>) {
  /** How many answers there were when it was last tried again. */
  const [triedAt, setTriedAt] = useState<number>();
  const notice = useRef<HTMLDivElement>(null);
  // Read before the button goes.
  const isFocused = notice.current?.contains(document.activeElement) === true;
  useLayoutEffect(() => {
    const isGone = isFocused && document.activeElement === document.body;
    if (isGone) document.getElementById('main')?.focus({ preventScroll: true });
  });
  return (
    <>
      {error !== undefined && data === undefined && heading !== undefined && <PageHead title={heading} />}
      {error !== undefined && (
        <div class="notice notice-bad" role="alert" ref={notice}>
          <p class="notice-title">{error.title}</p>
          <p>{error.text}</p>
          {error.canRetry && (
            <Button
              isBusy={triedAt === answers}
              onClick={() => {
                setTriedAt(answers);
                retryFailed();
              }}
            >
              {t.common.retry}
            </Button>
          )}
        </div>
      )}
      {data !== undefined && children(data)}
      {data === undefined && error === undefined && (
        <p class="loading" role="status">
          {t.common.loading}
        </p>
      )}
    </>
  );
}
