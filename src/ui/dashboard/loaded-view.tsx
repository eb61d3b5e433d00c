/** The states of data from the server: loading, failed with a button to try again, or loaded. */
import type { ComponentChildren } from 'preact';
import { Button } from '../components/button.tsx';
import { t } from '../language/dashboard/text.ts';
import type { Loadable } from './use-load.ts';

interface LoadedViewProps<Data> {
  readonly loaded: Loadable<Data>;
  readonly children: (data: Data) => ComponentChildren;
}

export function LoadedView<Data>({ loaded: { data, error, reload }, children }: LoadedViewProps<Data>) {
  return (
    <>
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
