/** What a page shows of the server: loaded when it is drawn, of no interest when it has gone, loaded again on demand. */
import { useEffect, useState } from 'preact/hooks';

export interface Loaded<Data> {
  /** What was loaded last, also while it is loaded again. */
  readonly data: Data | undefined;
  /** In words to show. */
  readonly fault: string | undefined;
  readonly reload: () => void;
}

/** `deps` say what the data depend on: when they change it is loaded anew. */
export function useLoad<Data>(load: () => Promise<Data>, deps: readonly unknown[]): Loaded<Data> {
  const [state, setState] = useState<Pick<Loaded<Data>, 'data' | 'fault'>>({ data: undefined, fault: undefined });
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isGone = false;
    load().then(
      (data) => {
        if (!isGone) setState({ data, fault: undefined });
      },
      (error: Error) => {
        if (!isGone) setState(({ data }) => ({ data, fault: error.message }));
      },
    );
    return () => {
      isGone = true;
    };
  }, [...deps, round]);
  return { ...state, reload: () => setRound((before) => before + 1) };
}
