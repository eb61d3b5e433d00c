/**
 * One run for a request that is repeated under one idempotency key: concurrently or within a day, in one process or
 * several. A search that failed or was cancelled is started again.
 */
import { AppError } from '../base/errors.ts';
import { recordedRun } from './ended/ended-run.ts';
import type { BackgroundRecords, ShownBackgroundRun } from './records/background-records.ts';
import type { Idempotency, RunRecords } from './records/run-records.ts';
import type { Run } from './run.ts';
import type { SharedRuns } from './shared-runs.ts';

/** A request that this process is answering, or whose answer it is still recording. */
interface Pending {
  readonly hash: string;
  readonly run: Promise<Started>;
}

export interface RequestHashes {
  readonly hash: string;
  /**
   * Its hash without what is repeated of it and what is excluded beside a whitelist, as earlier versions stored it. It is found for a
   * day after an upgrade, so it can go with the next minor version.
   */
  readonly earlierHash?: string | undefined;
}

type RepeatableRequest = Pick<Idempotency, 'key'> & RequestHashes;

export interface Started {
  readonly run: Run;
  /** Whether this is the run of an earlier request. */
  readonly deduplicated: boolean;
}

export interface IdempotentStartOptions {
  readonly records: RunRecords;
  readonly background?: BackgroundRecords | undefined;
  readonly shared: SharedRuns | undefined;
  /** The run while its log is kept, in this process or another. */
  readonly find: (account_id: string, search_id: string) => Promise<Run | undefined>;
  /** Resolves when the run has ended and is recorded; immediately for a run of another process. */
  readonly recorded: (run: Run) => Promise<unknown>;
  /** Resolves when a run that was stopped has ended and is recorded; rejects with `overloaded` if that takes long. */
  readonly ended: (run: Run) => Promise<void>;
}

/**
 * Returns the run of an earlier request with this key, else the one that `start` returns; concurrent requests share one.
 * Rejects with `idempotency_mismatch` when the key was used for another request, and with what `start` rejects with.
 */
export type IdempotentStart = (
  account_id: string,
  idempotency: RepeatableRequest,
  start: () => Promise<Run>,
) => Promise<Started>;

/** Without `shared`, requests are matched within this process and its records. */
export function createIdempotentStart({
  records,
  background,
  shared,
  find,
  recorded,
  ended,
}: IdempotentStartOptions): IdempotentStart {
  const pending = new Map<string, Pending>();

  async function findOrStart(
    account_id: string,
    idempotency: RepeatableRequest,
    start: () => Promise<Run>,
  ): Promise<Started> {
    const earlier = await findEarlier(account_id, idempotency, findStarting);
    if (earlier !== undefined) return earlier;
    let claim = await shared?.claim(account_id, idempotency);
    while (claim?.isMine === false) {
      checkSame(claim.hash, idempotency);
      const run = await find(account_id, claim.search_id);
      if (run !== undefined && (await mayAnswer(run))) return { run, deduplicated: true };
      claim = await claim.takeOver();
    }
    try {
      const late = claim?.wasHeld === true ? await findEarlier(account_id, idempotency) : undefined;
      if (late !== undefined) {
        claim?.release();
        return late;
      }
      const run = await start();
      claim?.settle(run.search_id);
      return { run, deduplicated: false };
    } catch (error) {
      claim?.release();
      throw error;
    }
  }

  /**
   * The stored run of an earlier request, if it has an answer or is still to get one; `orElse` finds a run that `find` does
   * not.
   */
  async function findEarlier(
    account_id: string,
    idempotency: RepeatableRequest,
    orElse?: (waiting: ShownBackgroundRun, idempotency: RepeatableRequest) => Promise<Run | undefined>,
    mayWait = true,
  ): Promise<Started | undefined> {
    const [before, waiting] = await Promise.all([
      records.byIdempotencyKey(account_id, idempotency.key),
      background?.byIdempotencyKey(account_id, idempotency.key),
    ]);
    if (waiting !== undefined) {
      checkSame(waiting.idempotency_hash, idempotency);
      const run = (await find(account_id, waiting.search_id)) ?? (await orElse?.(waiting, idempotency));
      const isEnding = run?.isEnding() === true;
      if (isEnding && mayWait) {
        await ended(run);
        return findEarlier(account_id, idempotency, orElse, false);
      }
      if (run !== undefined && !isEnding) return { run, deduplicated: true };
      throw new AppError('overloaded', 'This search is about to be restarted; try again.', { retry_after_ms: 1_000 });
    }
    if (before === undefined) return undefined;
    checkSame(before.idempotency?.hash, idempotency);
    if (before.state !== 'completed') return undefined;
    return { run: (await find(account_id, before.search_id)) ?? recordedRun(before), deduplicated: true };
  }

  /** The run of a background search that another process has stored, and publishes before it settles its claim. */
  async function findStarting(
    { account_id, search_id }: ShownBackgroundRun,
    idempotency: RepeatableRequest,
  ): Promise<Run | undefined> {
    const claim = await shared?.claim(account_id, idempotency);
    if (claim?.isMine === true) claim.release();
    return claim?.isMine === false ? find(account_id, search_id) : undefined;
  }

  async function startIdempotent(
    account_id: string,
    idempotency: RepeatableRequest,
    start: () => Promise<Run>,
  ): Promise<Started> {
    const name = `${account_id} ${idempotency.key}`;
    const known = pending.get(name);
    const forget = (which: Pending) => void (pending.get(name) === which && pending.delete(name));
    if (known !== undefined) {
      checkSame(known.hash, idempotency);
      const same = await known.run.catch(() => undefined);
      if (same !== undefined && (await mayAnswer(same.run))) return { run: same.run, deduplicated: true };
      // The first request was refused, its caller left before there was a run, or its run has no answer.
      forget(known);
      return startIdempotent(account_id, idempotency, start);
    }
    const mine = { hash: idempotency.hash, run: findOrStart(account_id, idempotency, start) };
    pending.set(name, mine);
    // Once it is recorded, the key is found in the records or, for a run of another process, in its claim.
    mine.run
      .then((started) => recorded(started.run))
      .catch(() => {})
      .finally(() => forget(mine));
    return mine.run;
  }

  /** Whether the run has an answer, or may still get one. Waits for the end of one that was stopped, so that it is recorded first. */
  async function mayAnswer(run: Run): Promise<boolean> {
    if (run.isEnding()) await ended(run);
    return run.state() === 'running' || run.state() === 'completed';
  }

  return startIdempotent;
}

function checkSame(known: string | undefined, { key, hash, earlierHash }: RepeatableRequest): void {
  if (known === hash || (known !== undefined && known === earlierHash)) return;
  const message = `The idempotency key ${JSON.stringify(key)} was already used for a different request.`;
  throw new AppError('idempotency_mismatch', message);
}
