/** What a page shows of the server: loaded when it is drawn, given up when it goes, loaded again on demand. */
import { useEffect, useState } from 'preact/hooks';

export interface Loaded<Data> {
  /** What was loaded last, also while it is loaded again. */
  readonly data: Data | undefined;
  /** In words to show. */
  readonly fault: string | undefined;
  readonly reload: () => void;
}

/** `deps` say what the data depend on: when they change it is loaded anew. */
export function useLoad<Data>(load: (signal: AbortSignal) => Promise<Data>, deps: readonly unknown[]): Loaded<Data> {
  const [state, setState] = useState<Pick<Loaded<Data>, 'data' | 'fault'>>({ data: undefined, fault: undefined });
  const [round, setRound] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    load(stop.signal).then(
      (data) => {
        if (!stop.signal.aborted) setState({ data, fault: undefined });
      },
      (error: Error) => {
        if (!stop.signal.aborted) setState(({ data }) => ({ data, fault: error.message }));
      },
    );
    return () => stop.abort();
  }, [...deps, round]);
  return { ...state, reload: () => setRound((before) => before + 1) };
}
