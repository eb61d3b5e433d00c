/** Loads data from the server when a component is mounted, ignores it once unmounted, and reloads it on demand. */
import { useEffect, useState } from 'preact/hooks';
import { describeError } from '../language/describe-error.ts';
import { renewals } from './session.ts';

export interface Loadable<Data> {
  /** The last data loaded; kept during a reload. */
  readonly data: Data | undefined;
  /** A message to show. */
  readonly error: string | undefined;
  readonly reload: () => void;
}

/** Loads again when one of `deps` changes, and when the user signs in again. */
export function useLoad<Data>(load: () => Promise<Data>, deps: readonly unknown[]): Loadable<Data> {
  const [state, setState] = useState<Pick<Loadable<Data>, 'data' | 'error'>>({ data: undefined, error: undefined });
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isGone = false;
    load().then(
      (data) => {
        if (!isGone) setState({ data, error: undefined });
      },
      (error: Error) => {
        if (!isGone) setState(({ data }) => ({ data, error: describeError(error) }));
      },
    );
    return () => {
      isGone = true;
    };
  }, [...deps, round, renewals.value]);
  return { ...state, reload: () => setRound((before) => before + 1) };
}
