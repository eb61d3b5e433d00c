/** The states of data from the server: loading, failed with a button to try again, or loaded. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { t } from '../language/dashboard/text.ts';
import { PageHead } from './page-head.tsx';
import type { Loadable } from './use-load.ts';

interface LoadedViewProps<Data> {
  readonly loaded: Loadable<Data>;
  /** Of a page whose own heading is in what is loaded: the heading where that cannot be loaded. */
  readonly heading?: string;
  readonly children: (data: Data) => ComponentChildren;
}

export function LoadedView<Data>({
  loaded: { data, error, reload, answers },
  heading,
  children,
}: LoadedViewProps<Data>) {
  /** How many answers there were when it was last tried again. */
  const [triedAt, setTriedAt] = useState<number>();
  useEffect(() => {
    // The button that was pressed is gone.
    const isGone = triedAt !== undefined && error === undefined && document.activeElement === document.body;
    if (isGone) document.getElementById('main')?.focus({ preventScroll: true });
  }, [error]);
  return (
    <>
      {error !== undefined && data === undefined && heading !== undefined && <PageHead title={heading} />}
      {error !== undefined && (
        <div class="notice notice-bad" role="alert">
          <p class="notice-title">{error.title}</p>
          <p>{error.text}</p>
          <Button
            isBusy={triedAt === answers}
            onClick={() => {
              setTriedAt(answers);
              reload();
            }}
          >
            {t.common.retry}
          </Button>
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
