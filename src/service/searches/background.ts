/**
 * The background searches of this process: each is stored before it begins, and held under a lease that is renewed. Searches
 * that other processes left behind, because they stopped or died, are restarted here: after a death only once, since a search
 * that kills its process must not kill them all. A process that stops leaves its own to the others, or to its next start.
 */
import { randomUUID } from 'node:crypto';
import { AppError } from '../../base/errors.ts';
import type { BackgroundRecords, BackgroundRun, ClaimedRun } from '../../runs/records/background-records.ts';
import type { BackgroundHold, Registry } from '../../runs/registry.ts';
import type { Run } from '../../runs/run.ts';

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

/** Restarts a run or, given a reason, only ends it with that: a failure, or cancelled. Rejects if it cannot begin now. */
export type RestartSearch = (run: ClaimedRun, hold: BackgroundHold, reason?: AppError | 'cancelled') => Promise<Run>;

/** How long a process may be silent before its runs are restarted, unless it is known to be dead. Set by hand. */
const defaultLeaseMs = 15_000;
/** Runs restarted in one round, so that they do not all begin at the same time after a crash. Set by hand. */
const claimsPerRound = 8;
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
  /** The newest step of each run of this process, and whether it is stored. */
  const held = new Map<string, { hold: BackgroundHold; account_id: string; progress?: string; isStored?: boolean }>();
  /** The accounts of runs that must not begin, by id, until they are removed from the store. */
  const refused = new Map<string, string>();
  let begin: RestartSearch | undefined;
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> = Promise.resolve();
  let isClosed = false;

  function holdOf({ search_id, account_id, attempt }: Pick<BackgroundRun, 'search_id' | 'account_id' | 'attempt'>) {
    const hold: BackgroundHold = {
      owner,
      attempt,
      confirm: () => records.confirm(search_id, { owner, attempt }, leaseMs),
    };
    held.set(search_id, { hold, account_id });
    return hold;
  }

  async function renew(): Promise<void> {
    const before = [...held.keys()];
    const renewed = new Map((await records.renew(owner, leaseMs)).map((row) => [row.search_id, row]));
    for (const search_id of before) {
      const { hold, account_id, progress, isStored } = held.get(search_id) ?? {};
      if (hold === undefined) continue;
      const row = renewed.get(search_id);
      if (row?.attempt !== hold.attempt) {
        held.delete(search_id);
        runs.abandon(search_id);
        continue;
      }
      if (row.isCancelled) (await runs.find(account_id!, search_id)).run?.cancel('client');
      if (progress === undefined || isStored === true) continue;
      await records.report(search_id, hold, progress);
      const now = held.get(search_id);
      if (now?.progress === progress) now.isStored = true;
    }
  }

  async function removeRefused(): Promise<void> {
    for (const [search_id, account_id] of refused) {
      await records.remove(account_id, search_id);
      refused.delete(search_id);
    }
  }

  async function takeOver(): Promise<void> {
    if (begin === undefined || isClosed) return;
    for (const run of await records.claim(owner, leaseMs, { limit: claimsPerRound, leftBy })) {
      const hold = holdOf(run);
      const died = new AppError('lost', 'The processes that ran this search are gone.');
      const reason = run.isCancelled ? 'cancelled' : run.deaths > maxDeaths ? died : undefined;
      try {
        await begin(run, hold, reason);
      } catch (error) {
        held.delete(run.search_id);
        await records.release(owner, run.search_id);
        if (!(error instanceof AppError)) onFault(error);
      }
    }
  }

  function next(ms: number): void {
    if (isClosed) return;
    timer = setTimeout(() => {
      // A store that is unreachable is reported elsewhere; nobody can take these runs over meanwhile.
      round = renew()
        .then(removeRefused)
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
        refused.set(run.search_id, run.account_id);
        throw error;
      }
      return holdOf(stored);
    },

    async withdraw({ search_id, account_id }) {
      held.delete(search_id);
      refused.set(search_id, account_id);
      await removeRefused().catch(() => {});
    },

    watch({ search_id, log, done }) {
      const stop = log.watch((event) => {
        const known = held.get(search_id);
        if (event.type !== 'step.started' || known === undefined) return;
        known.progress = event.title;
        known.isStored = false;
      });
      done.then(() => {
        stop();
        held.delete(search_id);
      });
    },

    start(given) {
      begin = given;
      next(0);
    },

    held: () => held.size,

    drain() {
      begin = undefined;
    },

    async close() {
      isClosed = true;
      clearTimeout(timer);
      await round;
      await removeRefused()
        .then(() => records.release(owner))
        .catch(() => {});
    },
  };
}
