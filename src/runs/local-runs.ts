/**
 * The runs of this process, with their readers. A run without readers gets a grace period and is then cancelled. Of an ended
 * run, its log is kept for a while, so that a late reader finds it; nothing else that it needed is.
 */
import { packLog } from './ended-log.ts';
import { endedRun } from './ended-run.ts';
import type { OwnRun, Run } from './run.ts';

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
  /** Of this account only. */
  find(account_id: string, search_id: string): Run | undefined;
  hasAny(account_id: string): boolean;
  /** Undefined for a run that is not here. */
  recorded(search_id: string): Promise<void> | undefined;
  /**
   * Counts a reader; the returned function uncounts it, and does nothing when called again. Undefined for a run that is not here.
   */
  attach(search_id: string): (() => void) | undefined;
  /** Stops a run in progress that another process continues or that was removed, and forgets it once it has stopped. */
  abandon(search_id: string): void;
  forget(search_id: string): void;
  /** Resolves when no run is in progress, apart from those in the background. */
  idle(): Promise<void>;
  /** Cancels all runs, and silently abandons those in the background; resolves when all are recorded and forgotten. */
  stop(): Promise<void>;
}

interface LocalRun extends LocalRunOptions {
  run: Run;
  /** The same run while it is in progress. */
  own: OwnRun | undefined;
  /** Bytes that it takes once it has ended. */
  bytes: number;
  readers: number;
  isAbandoned: boolean;
  timer?: NodeJS.Timeout;
}

/** What an ended run takes besides its log, bytes; rounded up from a heap snapshot. */
const endedRunBytes = 2_000;

/** Where the ended runs take more than `maxEndedBytes`, the oldest are forgotten before `retentionMs` is over. */
export function createLocalRuns(settings: { retentionMs: number; maxEndedBytes: number }): LocalRuns {
  const { retentionMs, maxEndedBytes } = settings;
  const runs = new Map<string, LocalRun>();
  /** The ids of ended runs in the order in which they ended. */
  const ended = new Set<string>();
  let endedBytes = 0;
  const byAccount = new Map<string, Set<LocalRun>>();
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
    if (local.own === undefined || local.run.state() !== 'running') return;
    local.isAbandoned = true;
    local.own.abandon(isSilent);
  }

  function forgetLater(local: LocalRun): void {
    const { search_id } = local.run;
    const wasRemoved = runs.get(search_id) !== local;
    if (wasRemoved) return;
    // What other processes know of an abandoned run counts.
    if (local.isAbandoned) return forget(search_id);
    clearTimeout(local.timer);
    local.timer = setTimeout(() => forget(search_id), retentionMs).unref();
    const log = packLog(local.run.log);
    local.run = endedRun(local.run, log, local.run.state());
    local.own = undefined;
    local.bytes = log.bytes + endedRunBytes;
    endedBytes += local.bytes;
    ended.add(search_id);
    for (const oldest of ended) {
      if (endedBytes <= maxEndedBytes) break;
      forget(oldest);
    }
  }

  function forget(search_id: string): void {
    const local = runs.get(search_id);
    if (local === undefined) return;
    clearTimeout(local.timer);
    runs.delete(search_id);
    ended.delete(search_id);
    endedBytes -= local.bytes;
    const { account_id } = local.run;
    const siblings = byAccount.get(account_id);
    siblings?.delete(local);
    if (siblings?.size === 0) byAccount.delete(account_id);
  }

  return {
    add(run, options) {
      const { search_id, account_id } = run;
      const local: LocalRun = { ...options, run, own: run, bytes: 0, readers: 0, isAbandoned: false };
      runs.set(search_id, local);
      byAccount.set(account_id, (byAccount.get(account_id) ?? new Set()).add(local));
      // Readers come first: they are sent its last events in the tick after these were appended.
      options.recorded.then(() => setImmediate(forgetLater, local));
    },

    has: (search_id) => runs.has(search_id),

    find(account_id, search_id) {
      const run = runs.get(search_id)?.run;
      return run?.account_id === account_id ? run : undefined;
    },

    hasAny: (account_id) => byAccount.has(account_id),

    recorded: (search_id) => runs.get(search_id)?.recorded,

    attach(search_id) {
      const local = runs.get(search_id);
      if (local === undefined) return undefined;
      local.readers += 1;
      if (local.run.state() === 'running') clearTimeout(local.timer);
      let attached = true;
      return () => {
        if (attached) detachFrom(local);
        attached = false;
      };
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
      for (const search_id of [...runs.keys()]) forget(search_id);
    },
  };
}
