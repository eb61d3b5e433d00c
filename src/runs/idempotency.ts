/**
 * One run for a request that is made more than once under one idempotency key: at the same time or within a day, in one
 * process or several. A search that failed or was cancelled is asked again for the answer it never had.
 */
import { AppError } from '../base/errors.ts';
import { replay } from './replay.ts';
import type { Run } from './run.ts';
import type { Idempotency, RunRecord, RunRecords } from './run-records.ts';
import type { Claim, SharedRuns } from './shared-runs.ts';

export interface Started {
  readonly run: Run;
  /** Whether this request was made before and its run is given again. */
  readonly deduplicated: boolean;
}

export interface IdempotentStartOptions {
  readonly records: RunRecords;
  readonly shared: SharedRuns | undefined;
  /** The run while its log is kept, here or elsewhere. */
  readonly find: (account_id: string, search_id: string) => Promise<Run | undefined>;
  /** Resolves when the run has ended and the records know it; at once for a run of elsewhere, which is looked for each time. */
  readonly recorded: (run: Run) => Promise<unknown>;
}

/** The run that this request was given before, else the one that `start` gives; two at once share one. Rejects with `idempotency_mismatch` when the key named another request. */
export type IdempotentStart = (
  account_id: string,
  idempotency: Idempotency,
  start: () => Promise<Run>,
) => Promise<Started>;

export function createIdempotentStart({ records, shared, find, recorded }: IdempotentStartOptions): IdempotentStart {
  const named = new Map<string, { readonly hash: string; readonly run: Promise<Started> }>();

  async function first(account_id: string, idempotency: Idempotency, start: () => Promise<Run>): Promise<Started> {
    const before = await records.byIdempotencyKey(account_id, idempotency.key);
    if (before !== undefined) checkSame(before.idempotency?.hash, idempotency);
    if (before?.state === 'completed') {
      return { run: (await find(account_id, before.search_id)) ?? endedRun(before), deduplicated: true };
    }
    let claim = await shared?.claim(account_id, idempotency);
    while (claim?.isMine === false) {
      checkSame(claim.hash, idempotency);
      const run = await find(account_id, claim.search_id);
      if (run?.state() === 'running' || run?.state() === 'completed') return { run, deduplicated: true };
      claim = await claim.take();
    }
    return { run: await claimed(claim, start), deduplicated: false };
  }

  async function once(account_id: string, idempotency: Idempotency, start: () => Promise<Run>): Promise<Started> {
    const name = `${account_id} ${idempotency.key}`;
    const known = named.get(name);
    if (known !== undefined) {
      checkSame(known.hash, idempotency);
      const same = await known.run.catch(() => undefined);
      // Whoever asked first was refused, or left before there was a run: that is no answer to this one.
      return same === undefined ? once(account_id, idempotency, start) : { run: same.run, deduplicated: true };
    }
    const run = first(account_id, idempotency, start);
    named.set(name, { hash: idempotency.hash, run });
    const unname = () => named.delete(name);
    // Once it has ended and is recorded, the records know the key; of a run elsewhere the claim knows it.
    run.then((started) => recorded(started.run).then(unname), unname);
    return run;
  }

  return once;
}

async function claimed(claim: (Claim & { isMine: true }) | undefined, start: () => Promise<Run>): Promise<Run> {
  try {
    const run = await start();
    claim?.settle(run.search_id);
    return run;
  } catch (error) {
    claim?.release();
    throw error;
  }
}

function checkSame(hash: string | undefined, idempotency: Idempotency): void {
  if (hash === idempotency.hash) return;
  const message = `The idempotency key ${JSON.stringify(idempotency.key)} was used with another request.`;
  throw new AppError('idempotency_mismatch', message);
}

/** A recorded search as a run that has ended. */
function endedRun(record: RunRecord): Run {
  const { search_id, account_id, created_at, prompts, terminal } = record;
  const log = replay(record);
  const done = Promise.resolve(terminal);
  const reaches = async (seq: number) => seq <= log.head();
  return {
    search_id,
    account_id,
    created_at,
    prompts,
    log,
    done,
    state: () => record.state,
    reaches,
    cancel: () => {},
  };
}
