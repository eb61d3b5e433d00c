/** One run of an API at a time, read as it goes. */
import { useRef, useState } from 'preact/hooks';
import {
  type CitewireError,
  emptySearch,
  reduceSearch,
  type SearchInput,
  type SearchState,
} from '../../client/client.ts';
import { client } from '../dashboard/session.ts';

/** A request as it stands, or an API that is kept. */
export type ApiRun = { readonly request: SearchInput } | KeptRun;

interface KeptRun {
  readonly api_stub: string;
  /** `draft`: the account's own, as it was saved last. */
  readonly version: number | 'draft';
  readonly inputs: Readonly<Record<string, string | number | boolean>>;
}

export interface Running {
  /** Undefined before the first run. */
  readonly search: SearchState | undefined;
  readonly isRunning: boolean;
  readonly fault: CitewireError | undefined;
  start(run: ApiRun): Promise<void>;
  stop(): void;
}

export function useRun(): Running {
  const [search, setSearch] = useState<SearchState>();
  const [isRunning, setRunning] = useState(false);
  const [fault, setFault] = useState<CitewireError>();
  const stopping = useRef<AbortController>(undefined);

  async function start(run: ApiRun): Promise<void> {
    stopping.current?.abort();
    const stop = new AbortController();
    stopping.current = stop;
    let state = emptySearch;
    setSearch(state);
    setFault(undefined);
    setRunning(true);
    try {
      for await (const frame of openRun(run, stop.signal)) {
        if (stop !== stopping.current) return;
        state = reduceSearch(state, frame);
        setSearch(state);
      }
    } catch (error) {
      if (stop === stopping.current && !stop.signal.aborted) setFault(error as CitewireError);
    }
    if (stop === stopping.current) setRunning(false);
  }

  return { search, isRunning, fault, start, stop: () => stopping.current?.abort() };
}

function openRun(run: ApiRun, signal: AbortSignal) {
  const how = { signal, onDisconnect: 'cancel' } as const;
  if ('request' in run) return client().search(run.request, how);
  const { api_stub, version, inputs } = run;
  if (version === 'draft') return client().runDesign(api_stub, inputs, how);
  return client().callPublished(api_stub, inputs, { ...how, version });
}
