/** Runs the request of the playground, one at a time, and keeps its events as they arrive. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { SearchFrame } from '../../../../protocol/index.ts';
import type { CitewireError, SearchInput } from '../../../client/client.ts';
import { client, noteFailure } from '../session.ts';

export interface ArrivedEvent {
  /** Milliseconds since the request was sent. */
  readonly ms: number;
  readonly frame: SearchFrame;
}

export interface PlaygroundRun {
  readonly events: readonly ArrivedEvent[];
  readonly isRunning: boolean;
  readonly error: CitewireError | undefined;
  start(request: SearchInput, transport: 'websocket' | 'sse'): Promise<void>;
  stop(): void;
}

/** A run ends when the page is left. */
export function usePlaygroundRun(): PlaygroundRun {
  const [events, setEvents] = useState<readonly ArrivedEvent[]>([]);
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<CitewireError>();
  const stopping = useRef<AbortController>(undefined);
  useEffect(() => () => stopping.current?.abort(), []);

  async function start(request: SearchInput, transport: 'websocket' | 'sse'): Promise<void> {
    stopping.current?.abort();
    const stop = new AbortController();
    stopping.current = stop;
    const begun = performance.now();
    setEvents([]);
    setError(undefined);
    setRunning(true);
    try {
      const search = client().search(request, { signal: stop.signal, onDisconnect: 'cancel', transport });
      search.result.catch(() => {});
      for await (const frame of search) {
        if (stop !== stopping.current) return;
        const arrived = { ms: performance.now() - begun, frame };
        setEvents((before) => [...before, arrived]);
      }
    } catch (error) {
      if (stop === stopping.current && !stop.signal.aborted) {
        setError(error as CitewireError);
        noteFailure(error as CitewireError);
      }
    }
    if (stop === stopping.current) setRunning(false);
  }

  return { events, isRunning, error, start, stop: () => stopping.current?.abort() };
}
