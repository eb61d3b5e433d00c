/**
 * The runs of this process, by account and id. A run without readers is given a grace time and then cancelled. An ended
 * one is written to the records and its log kept for a while, so that a late reader finds it. Ids hold 128 random bits
 * and are looked up together with the account: another account's id is as unknown as one that never was.
 */
import { randomBytes } from 'node:crypto';
import { AppError } from '../errors.ts';
import type { CitedPages } from './cited-pages.ts';
import { timestamp } from './log.ts';
import { createRecorder, type Recording } from './recorder.ts';
import type { Idempotency, RunRecord, RunRecords } from './records.ts';
import { replay, stateOf } from './replay.ts';
import { type Run, type RunOptions, startRun } from './run.ts';

/** What happens to a run when its last reader has gone. */
export type OnDisconnect = 'grace' | 'cancel' | 'continue';

export interface StartOptions extends Omit<RunOptions, 'search_id' | 'onFault'> {
  readonly onDisconnect: OnDisconnect;
  readonly grace_ms: number;
  readonly idempotency: Idempotency | undefined;
}

export interface Started {
  readonly run: Run;
  /** Whether this request was made before and its run is given again. */
  readonly deduplicated: boolean;
}

export interface Registry {
  start(options: StartOptions, research: (search_id: string, signal: AbortSignal) => ReturnType<Research>): Run;
  /** The run that this request was given before, else the one that `start` gives; two at once share one. Rejects with `idempotency_mismatch` when the key named another request. */
  once(account_id: string, idempotency: Idempotency, start: () => Promise<Run>): Promise<Started>;
  get(account_id: string, search_id: string): Run | undefined;
  /** Counts a reader of the run in; the returned function counts it out, once. */
  attach(run: Run): () => void;
  /** Whether the account has a run whose log is kept: one that could be resumed. */
  holds(account_id: string): boolean;
  /** Resolves when the account's runs that have ended are recorded, or the store is away. */
  recorded(account_id: string): Promise<void>;
  /** Resolves when no run is under way. */
  idle(): Promise<void>;
  /** Cancels what still runs, and forgets everything once it is recorded. */
  close(): Promise<void>;
}

type Research = Parameters<typeof startRun>[1];

interface Kept {
  readonly run: Run;
  readonly options: StartOptions;
  /** Resolves when the run has ended and the store was asked to keep it: that it is kept, or that the store is away. */
  readonly tried: Promise<void>;
  /** Resolves when the run has ended and is recorded. */
  readonly recorded: Promise<void>;
  readers: number;
  timer?: NodeJS.Timeout;
}

export function createRegistry(settings: {
  /** How long the log of an ended run is kept. */
  readonly keptMs: number;
  /** Most logs of ended runs; beyond it the oldest go first. 2,000 unless told. */
  readonly keptRuns?: number;
  readonly records: RunRecords;
  /** Told what each ended search cites, before it is recorded. */
  readonly cited?: CitedPages;
  readonly onFault: (error: unknown) => void;
}): Registry {
  const { keptMs, keptRuns = 2_000, records, cited, onFault } = settings;
  const runs = new Map<string, Kept>();
  /** The ids of ended runs, in the order in which they ended. */
  const ended = new Set<string>();
  const ofAccount = new Map<string, Set<Kept>>();
  const recorder = createRecorder({ records, cited, onFault });
  const named = new Map<string, { readonly hash: string; readonly run: Promise<Run> }>();
  const underWay = () => [...runs.values()].filter(({ run }) => run.state() === 'running');

  function leave(kept: Kept): void {
    kept.readers -= 1;
    const { onDisconnect, grace_ms } = kept.options;
    if (kept.readers > 0 || onDisconnect === 'continue' || kept.run.state() !== 'running') return;
    const wait = onDisconnect === 'cancel' ? 0 : grace_ms;
    kept.timer = setTimeout(() => kept.readers === 0 && kept.run.cancel('disconnect'), wait);
  }

  function keepForAWhile(kept: Kept): void {
    const { search_id } = kept.run;
    clearTimeout(kept.timer);
    kept.timer = setTimeout(() => forget(search_id), keptMs).unref();
    ended.add(search_id);
    for (const oldest of ended) {
      if (ended.size <= keptRuns) break;
      forget(oldest);
    }
  }

  function forget(search_id: string): void {
    const kept = runs.get(search_id);
    if (kept === undefined) return;
    clearTimeout(kept.timer);
    runs.delete(search_id);
    ended.delete(search_id);
    const { account_id } = kept.run;
    const mine = ofAccount.get(account_id);
    mine?.delete(kept);
    if (mine?.size === 0) ofAccount.delete(account_id);
  }

  async function record(run: Run, { mode, engine, idempotency }: StartOptions): Promise<Recording> {
    const terminal = await run.done;
    const { search_id, account_id, created_at, prompts } = run;
    const about = { search_id, account_id, created_at, prompts, mode, engine, idempotency };
    return recorder.record({ ...about, ended_at: timestamp(Date.now()), state: stateOf(terminal), terminal });
  }

  return {
    start(options, research) {
      const search_id = `s_${randomBytes(16).toString('base64url')}`;
      const run = startRun({ ...options, search_id, onFault }, (signal) => research(search_id, signal));
      const recording = record(run, options);
      const tried = recording.then((begun) => begun.tried);
      const recorded = recording.then((begun) => begun.done);
      const kept: Kept = { run, options, tried, recorded, readers: 0 };
      runs.set(search_id, kept);
      ofAccount.set(options.account_id, (ofAccount.get(options.account_id) ?? new Set()).add(kept));
      recorded.then(() => keepForAWhile(kept));
      return run;
    },

    async once(account_id, idempotency, start) {
      const name = `${account_id} ${idempotency.key}`;
      const known = named.get(name);
      if (known !== undefined) {
        checkSame(known.hash, idempotency);
        const shared = await known.run.catch(() => undefined);
        // Whoever asked first was refused, or left before there was a run: that is no answer to this one.
        return shared === undefined ? this.once(account_id, idempotency, start) : { run: shared, deduplicated: true };
      }
      let deduplicated = false;
      const found = async (): Promise<Run> => {
        const before = await records.byIdempotencyKey(account_id, idempotency.key);
        if (before !== undefined) checkSame(before.idempotency?.hash, idempotency);
        // A search that failed or was cancelled is asked again for the answer it never had.
        if (before?.state !== 'completed') return start();
        deduplicated = true;
        return runs.get(before.search_id)?.run ?? endedRun(before);
      };
      const run = found();
      named.set(name, { hash: idempotency.hash, run });
      const unname = () => named.delete(name);
      // Once it has ended and is recorded, the records know the key.
      run.then((started) => (runs.get(started.search_id)?.recorded ?? started.done).then(unname), unname);
      return { run: await run, deduplicated };
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

    holds: (account_id) => ofAccount.has(account_id),

    async recorded(account_id) {
      const mine = [...(ofAccount.get(account_id) ?? [])].filter(({ run }) => run.state() !== 'running');
      await Promise.all(mine.map(({ tried }) => tried));
    },

    async idle() {
      while (underWay().length > 0) await Promise.all(underWay().map(({ run }) => run.done));
    },

    async close() {
      for (const { run } of runs.values()) run.cancel('admin');
      recorder.close();
      await Promise.all([...runs.values()].map(({ recorded }) => recorded));
      for (const search_id of [...runs.keys()]) forget(search_id);
    },
  };
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
  return { search_id, account_id, created_at, prompts, log, done, state: () => record.state, cancel: () => {} };
}
