/**
 * The runs of this process, by account and id, and those that other processes share. A run ends once it is recorded.
 * Ids hold 128 random bits and are looked up together with the account: another account's id is as unknown as one that
 * never existed.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, type OnFault } from '../base/errors.ts';
import type { CitedPages } from './cited-pages.ts';
import { createMemoryRing, type Ring } from './ended/ring.ts';
import { createIdempotentStart, type IdempotentStart } from './idempotency.ts';
import { createLocalRuns } from './local-runs.ts';
import { createRunLog, timestamp } from './log.ts';
import { createRecorder, type Recorder, type Recording } from './recorder.ts';
import type { BackgroundRecords, ShownBackgroundRun } from './records/background-records.ts';
import type { RunRecord, RunRecords } from './records/run-records.ts';
import { stateOf, stepsOf } from './replay.ts';
import type { Run } from './run.ts';
import type { SharedRuns } from './shared-runs.ts';
import { describeRun, pickForPeers, pickForRecord, type StartOptions } from './start-options.ts';
import { type Research, startRun } from './start-run.ts';

/** An earlier search: its run while the log is kept, in any process, else its record; neither where there is none. */
export interface Found {
  readonly run?: Run;
  readonly record?: RunRecord;
  /** A background run that waits for a process, or is run by one that cannot be reached from here. */
  readonly waiting?: ShownBackgroundRun;
}

export interface Registry {
  /** Starts a run under a new id. Resolves once the other processes know of it, so that the id works in all of them. */
  start(
    options: StartOptions,
    research: (search_id: string, ...rest: Parameters<Research>) => ReturnType<Research>,
  ): Promise<Run>;
  readonly startIdempotent: IdempotentStart;
  /** Rejects with `overloaded` when the other processes' runs cannot be reached. */
  find(account_id: string, search_id: string): Promise<Found>;
  /**
   * Removes a search for good, in all processes: its log, its record and the pins on what it cites. One that runs is cancelled
   * first. Resolves with whether there was one. Rejects with `overloaded`, to be tried again, while it cannot be removed.
   */
  remove(account_id: string, search_id: string): Promise<boolean>;
  /** Counts a reader of the run; the returned function removes it, and does nothing when called again. */
  attach(run: Run): () => void;
  /** The account's runs of this process go on to their end, even if their readers leave. */
  letFinish(account_id: string): void;
  /** Whether the account has a run whose log is kept, and which could therefore be resumed. */
  hasResumable(account_id: string): Promise<boolean>;
  /** Ended searches of this process that are not stored yet, and those that were given up. */
  readonly unsaved: Recorder['unsaved'];
  /** Stops a run in the background that another process continues. */
  abandon(search_id: string): void;
  /** Resolves when no run is in progress in this process, apart from those in the background, and all that ended are stored. */
  idle(): Promise<void>;
  /**
   * Cancels the runs of this process, and leaves those in the background to others; resolves when all are recorded and forgotten.
   */
  close(): Promise<void>;
}

/** 128 random bits, and the mark of the key that starts the search, if it has one: see access/restriction.ts. */
export function newSearchId(mark = ''): string {
  return `s_${randomBytes(16).toString('base64url')}${mark}`;
}

/** Longer than upstream calls take to close and an answer waits for its record, shorter than callers' patience. Set by hand. */
const maxEndMs = 10_000;

/** An empty registry. Without `shared` there are no other processes. */
export function createRegistry(settings: {
  /** How long the log of an ended run is kept. */
  readonly retentionMs: number;
  /** Keeps these logs, and forgets the oldest sooner when it is full; 12 MiB of memory by default, set by hand. */
  readonly ring?: Ring;
  readonly records: RunRecords;
  /** Without them, no run is in the background. */
  readonly background?: BackgroundRecords | undefined;
  /** Pins what each ended search cites, before it is recorded. */
  readonly cited?: CitedPages;
  readonly shared?: SharedRuns | undefined;
  /** Whether the secrets of webhooks are encrypted, so that other processes may know them; false by default. */
  readonly encryptsSecrets?: boolean | undefined;
  readonly onFault: OnFault;
  /** Called with the reason when ended runs cannot be recorded, and with undefined when they can again. */
  readonly onOutage?: (why: string | undefined) => void;
}): Registry {
  const { retentionMs, ring = createMemoryRing(12 * 2 ** 20), records, background: unended, cited, shared } = settings;
  const { encryptsSecrets = false, onFault, onOutage } = settings;
  const local = createLocalRuns({ ring, retentionMs });
  const recorder = createRecorder({ records, cited, onFault, onOutage });

  const startIdempotent = createIdempotentStart({
    records,
    background: unended,
    shared,
    find: async (account_id, search_id) =>
      (await local.find(account_id, search_id)) ?? shared?.find(account_id, search_id),
    recorded: async (run) => local.recorded(run.search_id),
    ended: waitForEnd,
  });

  async function find(account_id: string, search_id: string): Promise<Found> {
    const here = await local.find(account_id, search_id);
    if (here !== undefined) return { run: here };
    const remote = await shared?.find(account_id, search_id).catch((error: Error) => error);
    if (remote !== undefined && !(remote instanceof Error)) return { run: remote };
    // In this order, because its end moves a run from one to the other.
    const waiting = await unended?.get(account_id, search_id);
    const record = await records.get(account_id, search_id);
    if (record !== undefined) return { record };
    if (waiting !== undefined) return { waiting };
    if (remote !== undefined) throw remote;
    return {};
  }

  function attach({ search_id }: Run): () => void {
    return local.attach(search_id) ?? shared?.attach(search_id) ?? (() => {});
  }

  /** Resolves when the run, which was stopped, has ended and is recorded. */
  async function waitForEnd(run: Run): Promise<void> {
    // A run of another process settles only while it is read here.
    const detach = attach(run);
    const waited = new AbortController();
    const over = sleep(maxEndMs, 'late', { signal: waited.signal }).catch(() => undefined);
    const first = await Promise.race([local.recorded(run.search_id) ?? run.done, over]);
    waited.abort();
    detach();
    if (first !== 'late') return;
    throw new AppError('overloaded', 'The search has not ended, or is not stored yet; try again.', {
      retry_after_ms: 1_000,
    });
  }

  shared?.onRemoved((search_id) => {
    local.abandon(search_id);
    local.forget(search_id);
    cited?.unpin(search_id).catch(onFault);
  });

  return {
    async start(options, research) {
      const { background, onDisconnect, grace_ms } = options;
      const search_id = options.search_id ?? newSearchId();
      const created = options.created_at === undefined ? Date.now() : Date.parse(options.created_at);
      const about = describeRun(options, search_id, timestamp(created));
      const log = createRunLog(search_id);
      let recording: Recording | undefined;
      const lease = shared?.publish(
        log,
        { ...about, ...pickForPeers(options, encryptsSecrets) },
        { cancel: (by) => run.cancel(by), attach: () => local.attach(search_id) ?? (() => {}) },
      );
      const run = startRun(
        { ...options, search_id, attempt: background?.attempt },
        {
          research: (...rest) => research(search_id, ...rest),
          record(terminal) {
            const ended = { ended_at: timestamp(Date.now()), state: stateOf(terminal), terminal, steps: stepsOf(log) };
            recording = recorder.record({ ...about, ...pickForRecord(options), ...ended });
            return recording.kept;
          },
          ...(background === undefined ? {} : { mayEnd: background.confirm }),
          onFault,
          created,
          log,
          ...(lease === undefined ? {} : { lease }),
        },
      );
      const recorded = run.done.then(() => recording?.done);
      local.add(run, { isBackground: background !== undefined, onDisconnect, grace_ms, recorded });
      if (lease !== undefined) await lease.begun;
      return run;
    },

    startIdempotent,

    find,

    async remove(account_id, search_id) {
      const { run, record, waiting } = await find(account_id, search_id);
      if (run === undefined && record === undefined && waiting === undefined) return false;
      const isElsewhere = run?.attempt !== undefined && !local.has(search_id);
      // The process of a background run may be dead, and another about to restart it: without its row, neither ends it.
      if (isElsewhere || waiting !== undefined) await unended?.remove(account_id, search_id);
      else if (run !== undefined) {
        run.cancel('client');
        await waitForEnd(run);
      }
      await shared?.remove(search_id);
      await records.remove(account_id, search_id);
      await cited?.unpin(search_id);
      local.forget(search_id);
      return true;
    },

    attach,

    hasResumable: async (account_id) => local.hasAny(account_id) || (await shared?.hasResumable(account_id)) === true,

    unsaved: recorder.unsaved,

    letFinish: local.letFinish,

    abandon: local.abandon,

    async idle() {
      await local.idle();
      await recorder.idle();
    },

    async close() {
      const stopped = local.stop();
      recorder.close();
      await stopped;
    },
  };
}
