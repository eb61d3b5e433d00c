/**
 * The runs of this process, with their readers. A run without readers gets a grace period and is then cancelled. Of an ended
 * run, its log is kept for a while, so that a late reader finds it; nothing else that it needed is.
 */
import { createEndedRuns } from './ended/ended-runs.ts';
import type { Ring } from './ended/ring.ts';
import type { Run } from './run.ts';
import type { OwnRun } from './start-run.ts';

/** What happens to a run when its last reader leaves. */
export type OnDisconnect = 'grace' | 'cancel' | 'continue';

/** What this process does with a run, besides running it (`OwnRun`). */
export interface LocalRunOptions {
  /** Whether another process continues it when this one ends. */
  readonly isBackground: boolean;
  readonly onDisconnect: OnDisconnect;
  /** With `onDisconnect: 'grace'`, how long the run continues without readers. */
  readonly grace_ms: number;
  /** Resolves when the ended run is recorded, or recording it has been given up. */
  readonly recorded: Promise<void>;
}

export interface LocalRuns {
  add(run: OwnRun, options: LocalRunOptions): void;
  has(search_id: string): boolean;
  /** Finds runs of this account only. */
  find(account_id: string, search_id: string): Promise<Run | undefined>;
  hasAny(account_id: string): boolean;
  /** Undefined for a run that is not here, or has been recorded. */
  recorded(search_id: string): Promise<void> | undefined;
  /**
   * Counts a reader; the returned function uncounts it, and does nothing when called again. Undefined for a run that is not here.
   */
  attach(search_id: string): (() => void) | undefined;
  /** The runs in progress of this account go on to their end, even if their readers leave. */
  letFinish(account_id: string): void;
  /** Stops a run in progress that another process continues or that was removed, and forgets it once it has stopped. */
  abandon(search_id: string): void;
  forget(search_id: string): void;
  /** Resolves when no run is in progress, apart from those in the background. */
  idle(): Promise<void>;
  /** Cancels all runs, and silently abandons those in the background; resolves when all are recorded and forgotten. */
  stop(): Promise<void>;
}

interface LocalRun extends Omit<LocalRunOptions, 'onDisconnect'> {
  readonly run: OwnRun;
  onDisconnect: OnDisconnect;
  readers: number;
  isAbandoned: boolean;
  timer?: NodeJS.Timeout;
}

/** Ended runs are kept in `ring`, for at most `retentionMs`. */
export function createLocalRuns({ ring, retentionMs }: { ring: Ring; retentionMs: number }): LocalRuns {
  /** In progress, being recorded or being moved to the ended ones. */
  const runs = new Map<string, LocalRun>();
  const ended = createEndedRuns(ring, retentionMs);
  const inProgress = () =>
    [...runs.values()].filter(({ run, isBackground }) => run.state() === 'running' && !isBackground);

  function detachFrom(local: LocalRun): void {
    local.readers -= 1;
    const { onDisconnect, grace_ms, run } = local;
    if (local.readers > 0 || onDisconnect === 'continue' || run.state() !== 'running') return;
    const wait = onDisconnect === 'cancel' ? 0 : grace_ms;
    local.timer = setTimeout(() => local.readers === 0 && run.cancel('disconnect'), wait);
  }

  function abandon(local: LocalRun, isSilent: boolean): void {
    if (local.run.state() !== 'running') return;
    local.isAbandoned = true;
    local.run.abandon(isSilent);
  }

  async function moveToEnded(local: LocalRun): Promise<void> {
    const { search_id } = local.run;
    clearTimeout(local.timer);
    const isHere = () => runs.get(search_id) === local;
    if (!isHere()) return;
    // For an abandoned run, what other processes know of it counts.
    if (!local.isAbandoned) await ended.add(local.run);
    if (isHere()) runs.delete(search_id);
    // It was removed in the meantime.
    else ended.forget(search_id);
  }

  function forget(search_id: string): void {
    clearTimeout(runs.get(search_id)?.timer);
    runs.delete(search_id);
    ended.forget(search_id);
  }

  return {
    add(run, options) {
      const local: LocalRun = { ...options, run, readers: 0, isAbandoned: false };
      runs.set(run.search_id, local);
      // Readers come first: they are sent its last events in the tick after these were appended.
      options.recorded.then(() => setImmediate(moveToEnded, local));
    },

    has: (search_id) => runs.has(search_id) || ended.has(search_id),

    async find(account_id, search_id) {
      const run = runs.get(search_id)?.run;
      if (run === undefined) return ended.find(account_id, search_id);
      return run.account_id === account_id ? run : undefined;
    },

    hasAny: (account_id) =>
      ended.hasAny(account_id) || [...runs.values()].some(({ run }) => run.account_id === account_id),

    recorded: (search_id) => runs.get(search_id)?.recorded,

    attach(search_id) {
      const local = runs.get(search_id);
      if (local === undefined) return ended.has(search_id) ? () => {} : undefined;
      local.readers += 1;
      if (local.run.state() === 'running') clearTimeout(local.timer);
      let attached = true;
      return () => {
        if (attached) detachFrom(local);
        attached = false;
      };
    },

    letFinish(account_id) {
      for (const local of runs.values()) {
        if (local.run.account_id !== account_id || local.run.state() !== 'running') continue;
        local.onDisconnect = 'continue';
        clearTimeout(local.timer);
      }
    },

    abandon(search_id) {
      const local = runs.get(search_id);
      if (local !== undefined) abandon(local, false);
    },

    forget,

    async idle() {
      while (inProgress().length > 0) await Promise.all(inProgress().map(({ run }) => run.done));
    },

    async stop() {
      for (const local of runs.values()) {
        if (local.isBackground) abandon(local, true);
        else local.run.cancel('admin');
      }
      await Promise.all([...runs.values()].map(({ recorded }) => recorded));
      runs.clear();
      await ended.close();
    },
  };
}
