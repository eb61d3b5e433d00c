/**
 * The runs of this process, by account and id, and those of the others as far as they are shared. A run without readers is
 * given a grace time and then cancelled. An ended one is written to the records and its log kept for a while, so that a
 * late reader finds it. Ids hold 128 random bits and are looked up together with the account: another account's id is as
 * unknown as one that never was.
 */
import { randomBytes } from 'node:crypto';
import type { OnFault } from '../base/errors.ts';
import type { CitedPages } from './cited-pages.ts';
import { createIdempotentStart, type IdempotentStart } from './idempotency.ts';
import { createRunLog, timestamp } from './log.ts';
import { createRecorder, type Recording } from './recorder.ts';
import { stateOf } from './replay.ts';
import { type Research, type Run, type RunSpec, startRun } from './run.ts';
import type { Idempotency, RunRecord, RunRecords } from './run-records.ts';
import type { RunDescriptor, SharedRuns } from './shared-runs.ts';

/** What happens to a run when its last reader has gone. */
export type OnDisconnect = 'grace' | 'cancel' | 'continue';

export interface StartOptions extends Omit<RunSpec, 'search_id'> {
  readonly onDisconnect: OnDisconnect;
  readonly grace_ms: number;
  readonly idempotency: Idempotency | undefined;
}

/** A search of before: its run while the log is kept, here or elsewhere, else its record; neither where there is none. */
export interface Found {
  readonly run?: Run;
  readonly record?: RunRecord;
}

export interface Registry {
  /** Resolves when the other processes know of it, too, so that its id can be used anywhere. */
  start(
    options: StartOptions,
    research: (search_id: string, signal: AbortSignal) => ReturnType<Research>,
  ): Promise<Run>;
  readonly startIdempotent: IdempotentStart;
  /** Rejects with `overloaded` when it cannot be known. */
  find(account_id: string, search_id: string): Promise<Found>;
  /** Counts a reader of the run in; the returned function counts it out, once. */
  attach(run: Run): () => void;
  /** Whether the account has a run whose log is kept: one that could be resumed. */
  hasResumable(account_id: string): Promise<boolean>;
  /** Resolves when the account's runs that have ended here are recorded, or the store is away. */
  whenRecorded(account_id: string): Promise<void>;
  /** Resolves when no run is under way here. */
  idle(): Promise<void>;
  /** Cancels what still runs here, and forgets everything once it is recorded. */
  close(): Promise<void>;
}

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
  readonly retentionMs: number;
  /** Most logs of ended runs; beyond it the oldest go first. 2,000 unless told. */
  readonly keptRuns?: number;
  readonly records: RunRecords;
  /** Told what each ended search cites, before it is recorded. */
  readonly cited?: CitedPages;
  /** What lies between this process and others; without it there are none. */
  readonly shared?: SharedRuns | undefined;
  readonly onFault: OnFault;
}): Registry {
  const { retentionMs, keptRuns = 2_000, records, cited, shared, onFault } = settings;
  const runs = new Map<string, Kept>();
  /** The ids of ended runs, in the order in which they ended. */
  const ended = new Set<string>();
  const ofAccount = new Map<string, Set<Kept>>();
  const recorder = createRecorder({ records, cited, onFault });
  const underWay = () => [...runs.values()].filter(({ run }) => run.state() === 'running');

  const once = createIdempotentStart({
    records,
    shared,
    find: async (account_id, search_id) => ofHere(account_id, search_id) ?? shared?.find(account_id, search_id),
    recorded: async (run) => runs.get(run.search_id)?.recorded,
  });

  function ofHere(account_id: string, search_id: string): Run | undefined {
    const run = runs.get(search_id)?.run;
    return run?.account_id === account_id ? run : undefined;
  }

  function attachTo(kept: Kept): () => void {
    kept.readers += 1;
    if (kept.run.state() === 'running') clearTimeout(kept.timer);
    let attached = true;
    return () => {
      if (attached) leave(kept);
      attached = false;
    };
  }

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
    kept.timer = setTimeout(() => forget(search_id), retentionMs).unref();
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

  async function record(run: Run, { request_id: _, ...about }: RunDescriptor): Promise<Recording> {
    const terminal = await run.done;
    // Readers first: writing it down costs them nothing then.
    await new Promise((resolve) => setImmediate(resolve));
    return recorder.record({ ...about, ended_at: timestamp(Date.now()), state: stateOf(terminal), terminal });
  }

  return {
    async start(options, research) {
      const search_id = `s_${randomBytes(16).toString('base64url')}`;
      const { account_id, request_id, prompts, mode, engine, idempotency } = options;
      const created = Date.now();
      const created_at = timestamp(created);
      const about = { search_id, account_id, request_id, created_at, prompts, mode, engine, idempotency };
      const log = createRunLog(search_id);
      const lease = shared?.publish(log, about, { cancel: (by) => run.cancel(by), attach: () => attachTo(kept) });
      const run = startRun(
        { ...options, search_id },
        {
          research: (signal) => research(search_id, signal),
          onFault,
          created,
          log,
          ...(lease === undefined ? {} : { lease }),
        },
      );
      const recording = record(run, about);
      const tried = recording.then((begun) => begun.tried);
      const recorded = recording.then((begun) => begun.done);
      const kept: Kept = { run, options, tried, recorded, readers: 0 };
      runs.set(search_id, kept);
      ofAccount.set(account_id, (ofAccount.get(account_id) ?? new Set()).add(kept));
      recorded.then(() => keepForAWhile(kept));
      if (lease !== undefined) await lease.begun;
      return run;
    },

    startIdempotent: once,

    async find(account_id, search_id) {
      const here = ofHere(account_id, search_id);
      if (here !== undefined) return { run: here };
      const elsewhere = await shared?.find(account_id, search_id).catch((error: Error) => error);
      if (elsewhere !== undefined && !(elsewhere instanceof Error)) return { run: elsewhere };
      const record = await records.get(account_id, search_id);
      if (record !== undefined) return { record };
      if (elsewhere !== undefined) throw elsewhere;
      return {};
    },

    attach(run) {
      const kept = runs.get(run.search_id);
      if (kept !== undefined) return attachTo(kept);
      return shared?.attach(run.search_id) ?? (() => {});
    },

    hasResumable: async (account_id) => ofAccount.has(account_id) || (await shared?.hasResumable(account_id)) === true,

    async whenRecorded(account_id) {
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
