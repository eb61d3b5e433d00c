/**
 * The background searches of this process: each is stored before it begins, and held under a lease that is renewed. Searches
 * that other processes left behind, because they stopped or died, are restarted here: after a death only once, since a search
 * that kills its process must not kill them all. A process that stops leaves its own to the others, or to its next start.
 */
import { randomUUID } from 'node:crypto';
import { AppError } from '../../base/errors.ts';
import type { BackgroundRecords, BackgroundRun, ClaimedRun } from '../../runs/records/background-records.ts';
import type { Registry } from '../../runs/registry.ts';
import type { Run } from '../../runs/run.ts';
import type { BackgroundHold } from '../../runs/start-options.ts';

export interface BackgroundRuns extends Pick<BackgroundRecords, 'cancel' | 'list'> {
  /** Stores the run; it may then begin under the hold. Rejects with `overloaded` while it cannot be stored. */
  add(run: Omit<BackgroundRun, 'attempt'>): Promise<BackgroundHold>;
  /** Removes a run that was added and then refused; later if the store cannot be reached now. Never rejects. */
  withdraw(run: Pick<BackgroundRun, 'search_id' | 'account_id'>): Promise<void>;
  /** From time to time, stores what the run is doing. */
  watch(run: Run): void;
  /** Begins to look for runs that were left behind. */
  start(begin: RestartSearch): void;
  /** How many this process holds. */
  held(): number;
  /** Takes over no more runs. */
  drain(): void;
  /** Leaves the runs of this process to others. To be called when they are abandoned. */
  close(): Promise<void>;
}

/**
 * Restarts a run or, given a reason, only ends it with that: a failure, or cancelled. Rejects if it cannot begin now, and with
 * the reason of the signal if that fires before it has begun.
 */
export type RestartSearch = (
  run: ClaimedRun,
  hold: BackgroundHold,
  how: { readonly signal: AbortSignal; readonly reason?: AppError | 'cancelled' | undefined },
) => Promise<Run>;

/** A run of this process. */
interface Held {
  readonly hold: BackgroundHold;
  readonly account_id: string;
  /** Its newest step, and whether that is stored. */
  progress?: string;
  isStored?: boolean;
  /** Present while it waits to be restarted: ends the wait. */
  waiting?: AbortController | undefined;
}

/** How long a process may be silent before its runs are restarted, unless it is known to be dead. Set by hand. */
const defaultLeaseMs = 15_000;
/** Runs that wait to be restarted, so that they do not all begin at the same time after a crash. Set by hand. */
const maxWaiting = 8;
/** A run may lose this many processes. */
const maxDeaths = 1;

/**
 * `folder_id` names something that only one process has at a time, so runs of earlier owners with the same one were left behind.
 * Without it, every run is left alone until its lease has expired.
 */
export function createBackgroundRuns(options: {
  readonly records: BackgroundRecords;
  readonly runs: Registry;
  readonly folder_id?: string | undefined;
  readonly onFault: (error: unknown) => void;
  readonly leaseMs?: number;
}): BackgroundRuns {
  const { records, runs, folder_id, onFault, leaseMs = defaultLeaseMs } = options;
  const leftBy = folder_id === undefined ? undefined : `${folder_id}/`;
  const owner = `${leftBy ?? ''}${randomUUID()}`;
  const held = new Map<string, Held>();
  const restarts = new Set<Promise<void>>();
  /** Changes of the store that it has not accepted yet: each round tries them again. */
  const owed = new Set<() => Promise<void>>();
  let begin: RestartSearch | undefined;
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> = Promise.resolve();
  let isClosed = false;

  function keep({ search_id, account_id, attempt }: Pick<BackgroundRun, 'search_id' | 'account_id' | 'attempt'>): Held {
    const confirm = () => records.confirm(search_id, { owner, attempt }, leaseMs);
    const kept = { hold: { owner, attempt, confirm }, account_id };
    held.set(search_id, kept);
    return kept;
  }

  async function renew(): Promise<void> {
    const before = [...held.keys()];
    const renewed = new Map((await records.renew(owner, leaseMs)).map((row) => [row.search_id, row]));
    for (const search_id of before) {
      const known = held.get(search_id);
      if (known === undefined) continue;
      const { hold, account_id, progress, isStored, waiting } = known;
      const row = renewed.get(search_id);
      if (row?.attempt !== hold.attempt) {
        held.delete(search_id);
        waiting?.abort(new AppError('overloaded', 'Another process restarts this search.'));
        runs.abandon(search_id);
        continue;
      }
      // One that waits is released, and whichever process claims it next ends it.
      if (row.isCancelled && waiting !== undefined)
        waiting.abort(new AppError('overloaded', 'The search was cancelled.'));
      else if (row.isCancelled) (await runs.find(account_id, search_id)).run?.cancel('client');
      if (progress === undefined || isStored === true) continue;
      await records.report(search_id, hold, progress);
      if (known.progress === progress) known.isStored = true;
    }
  }

  async function payOwed(): Promise<void> {
    for (const change of owed) {
      await change();
      owed.delete(change);
    }
  }

  async function takeOver(): Promise<void> {
    const limit = maxWaiting - restarts.size;
    if (begin === undefined || isClosed || limit <= 0) return;
    for (const run of await records.claim(owner, leaseMs, { limit, leftBy })) {
      const restarted = restart(run).finally(() => restarts.delete(restarted));
      restarts.add(restarted);
    }
  }

  /** No round waits for this: a search may wait for its place longer than a lease lasts. */
  async function restart(run: ClaimedRun): Promise<void> {
    const { search_id, attempt } = run;
    const waiting = new AbortController();
    const kept = keep(run);
    kept.waiting = waiting;
    const died = new AppError('lost', 'The processes that ran this search are gone.');
    const reason = run.isCancelled ? 'cancelled' : run.deaths > maxDeaths ? died : undefined;
    try {
      if (begin === undefined) throw leaving();
      await begin(run, kept.hold, { signal: waiting.signal, reason });
      kept.waiting = undefined;
    } catch (error) {
      if (!(error instanceof AppError)) onFault(error);
      if (held.get(search_id) !== kept) return;
      held.delete(search_id);
      owed.add(() => records.release(owner, { search_id, attempt }));
      await payOwed().catch(() => {});
    }
  }

  function stopWaiting(): void {
    for (const { waiting } of held.values()) waiting?.abort(leaving());
  }

  function next(ms: number): void {
    if (isClosed) return;
    timer = setTimeout(() => {
      // A store that is unreachable is reported elsewhere; nobody can take these runs over meanwhile.
      round = renew()
        .then(payOwed)
        .then(takeOver)
        .catch((error) => {
          if (!(error instanceof AppError)) onFault(error);
        })
        .finally(() => next(leaseMs / 4));
    }, ms);
    timer.unref();
  }

  return {
    cancel: records.cancel,
    list: records.list,

    async add(run) {
      const stored = { ...run, attempt: 1 };
      try {
        await records.add(stored, owner, leaseMs);
      } catch (error) {
        // A store that became unreachable may have added it nevertheless.
        owed.add(() => records.remove(run.account_id, run.search_id));
        throw error;
      }
      return keep(stored).hold;
    },

    async withdraw({ search_id, account_id }) {
      held.delete(search_id);
      owed.add(() => records.remove(account_id, search_id));
      await payOwed().catch(() => {});
    },

    watch({ search_id, log, done, attempt }) {
      const stop = log.watch((event) => {
        const known = held.get(search_id);
        if (event.type !== 'step.started' || known === undefined) return;
        known.progress = event.title;
        known.isStored = false;
      });
      done.then(() => {
        stop();
        if (held.get(search_id)?.hold.attempt === attempt) held.delete(search_id);
      });
    },

    start(given) {
      begin = given;
      next(0);
    },

    held: () => held.size,

    drain() {
      begin = undefined;
      stopWaiting();
    },

    async close() {
      isClosed = true;
      clearTimeout(timer);
      await round;
      stopWaiting();
      await Promise.all(restarts);
      await payOwed()
        .then(() => records.release(owner))
        .catch(() => {});
    },
  };
}

function leaving(): AppError {
  return new AppError('server_shutdown', 'The server is shutting down.');
}
