/**
 * The runs of this process, by account and id. A run without readers is given a grace time and then cancelled; an ended
 * one is kept for a while, so that a late reader finds it. Ids hold 128 random bits and are looked up together with the
 * account: another account's id is as unknown as one that never was.
 */
import { randomBytes } from 'node:crypto';
import { type Run, type RunOptions, startRun } from './run.ts';

/** What happens to a run when its last reader has gone. */
export type OnDisconnect = 'grace' | 'cancel' | 'continue';

export interface StartOptions extends Omit<RunOptions, 'search_id' | 'onFault'> {
  readonly onDisconnect: OnDisconnect;
  readonly grace_ms: number;
}

export interface Registry {
  start(options: StartOptions, research: (search_id: string, signal: AbortSignal) => ReturnType<Research>): Run;
  get(account_id: string, search_id: string): Run | undefined;
  /** Counts a reader of the run in; the returned function counts it out, once. */
  attach(run: Run): () => void;
  /** Resolves when no run is under way. */
  idle(): Promise<void>;
  /** Cancels what still runs and forgets everything. */
  close(): Promise<void>;
}

type Research = Parameters<typeof startRun>[1];

interface Kept {
  readonly run: Run;
  readonly options: StartOptions;
  readers: number;
  timer?: NodeJS.Timeout;
}

export function createRegistry(settings: { keptMs: number; onFault: (error: unknown) => void }): Registry {
  const runs = new Map<string, Kept>();

  function leave(kept: Kept): void {
    kept.readers -= 1;
    const { onDisconnect, grace_ms } = kept.options;
    if (kept.readers > 0 || onDisconnect === 'continue' || kept.run.state() !== 'running') return;
    const wait = onDisconnect === 'cancel' ? 0 : grace_ms;
    kept.timer = setTimeout(() => kept.readers === 0 && kept.run.cancel('disconnect'), wait);
  }

  return {
    start(options, research) {
      const search_id = `s_${randomBytes(16).toString('base64url')}`;
      const run = startRun({ ...options, search_id, onFault: settings.onFault }, (signal) =>
        research(search_id, signal),
      );
      const kept: Kept = { run, options, readers: 0 };
      runs.set(search_id, kept);
      run.done.then(() => {
        clearTimeout(kept.timer);
        kept.timer = setTimeout(() => runs.delete(search_id), settings.keptMs).unref();
      });
      return run;
    },
    get(account_id, search_id) {
      const run = runs.get(search_id)?.run;
      return run?.account_id === account_id ? run : undefined;
    },
    attach(run) {
      const kept = runs.get(run.search_id);
      if (kept === undefined) return () => {};
      kept.readers += 1;
      if (run.state() === 'running') clearTimeout(kept.timer);
      let attached = true;
      return () => {
        if (attached) leave(kept);
        attached = false;
      };
    },
    async idle() {
      await Promise.all([...runs.values()].map(({ run }) => run.done));
    },
    async close() {
      for (const { run } of runs.values()) run.cancel('admin');
      await Promise.all([...runs.values()].map(({ run }) => run.done));
      for (const { timer } of runs.values()) clearTimeout(timer);
      runs.clear();
    },
  };
}
