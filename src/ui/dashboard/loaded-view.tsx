/** The states of data from the server: loading, failed with a button to try again, or loaded. */
import type { ComponentChildren } from 'preact';
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

export function LoadedView<Data>({ loaded: { data, error, reload }, heading, children }: LoadedViewProps<Data>) {
  return (
    <>
      {error !== undefined && data === undefined && heading !== undefined && <PageHead title={heading} />}
      {error !== undefined && (
        <div class="notice notice-bad" role="alert">
          <p>{error}</p>
          <Button onClick={reload}>{t.common.retry}</Button>
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
