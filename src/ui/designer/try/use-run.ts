/** Runs an API or a search, one at a time, and keeps its state. It is stopped when the page is left. */
import { useEffect, useRef, useState } from 'preact/hooks';
import {
  type CitewireError,
  emptySearch,
  reduceSearch,
  type SearchInput,
  type SearchState,
} from '../../../client/client.ts';
import { client, noteFailure } from '../../dashboard/session.ts';

/** A plain search request, or an API that is saved on the server. */
export type RunTarget = { readonly request: SearchInput } | SavedApiRun;

interface SavedApiRun {
  readonly api_stub: string;
  /** `draft`: the account's own, as last saved. */
  readonly version: number | 'draft';
  readonly inputs: Readonly<Record<string, string | number | boolean>>;
}

export interface Run {
  /** Undefined before the first run. */
  readonly search: SearchState | undefined;
  readonly isRunning: boolean;
  readonly error: CitewireError | undefined;
  start(run: RunTarget): Promise<void>;
  stop(): void;
}

export function useRun(): Run {
  const [search, setSearch] = useState<SearchState>();
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<CitewireError>();
  const stopping = useRef<AbortController>(undefined);
  useEffect(() => () => stopping.current?.abort(), []);

  async function start(run: RunTarget): Promise<void> {
    stopping.current?.abort();
    const stop = new AbortController();
    stopping.current = stop;
    let state = emptySearch;
    setSearch(state);
    setError(undefined);
    setRunning(true);
    try {
      for await (const frame of openRun(run, stop.signal)) {
        if (stop !== stopping.current) return;
        state = reduceSearch(state, frame);
        setSearch(state);
      }
    } catch (error) {
      if (stop === stopping.current && !stop.signal.aborted) {
        setError(error as CitewireError);
        noteFailure(error as CitewireError);
      }
    }
    if (stop === stopping.current) setRunning(false);
  }

  return { search, isRunning, error, start, stop: () => stopping.current?.abort() };
}

function openRun(run: RunTarget, signal: AbortSignal) {
  const how = { signal, onDisconnect: 'cancel' } as const;
  if ('request' in run) return client().search(run.request, how);
  const { api_stub, version, inputs } = run;
  if (version === 'draft') return client().runDesign(api_stub, inputs, how);
  return client().callPublished(api_stub, inputs, { ...how, version });
}
