/**
 * Indexes sources in the background, a few of each account at a time and fairly among accounts, and wakes those who watch. What it
 * finds out is in the index, so any process can read how far a source is, and sees that one that waits has a process.
 */
import { createFairQueue, takingTurns } from '../base/fair-queue.ts';
import type { IndexingLimits, SourceIndex, StoredSource } from './source-index.ts';

export interface Indexer {
  /** Has a source indexed in its turn; does nothing while it waits or is indexed. */
  start(source: StoredSource, limits: IndexingLimits): void;
  /** Ends the indexing of a source here; resolves when it has ended. */
  stop(id: string): Promise<void>;
  /** Resolves at the next change of any source here, after `ms`, or when the signal fires. */
  changed(ms: number, signal: AbortSignal): Promise<void>;
  /** Fires when it is closed. */
  readonly closed: AbortSignal;
  /** Ends what is being indexed; resolves when it has ended. */
  close(): Promise<void>;
}

/**
 * Sources of one account that are indexed simultaneously; set by hand. That of all accounts is not limited: a source takes a
 * place for each of its steps only, so a site that is slow, or that asks for a minute between two requests, keeps no other
 * account waiting.
 */
const perOwner = 2;
/** Steps done simultaneously. Set by hand: each of the two sources of one account reads up to eight pages. */
const steps = { places: 16, reserve: 8 };
/** The same of uploads, which are quick, and do not wait for sites. */
const uploadSteps = { places: 2, reserve: 1 };

/**
 * How often the index is updated with the sources that wait in this process, ms. Set by hand, well below `leftMs` of
 * service/sources/resume-sources.ts.
 */
const keepMs = 30_000;

export interface IndexerOptions {
  readonly index: SourceIndex;
  /** Called with what went wrong that is not the fault of the source. */
  readonly onFault: (error: unknown) => void;
  /** By default half a minute. */
  readonly keepEveryMs?: number;
}

/** An indexer of this process. */
export function createIndexer({ index, onFault, keepEveryMs = keepMs }: IndexerOptions): Indexer {
  const lane = (options: typeof steps) => ({
    sources: createFairQueue({ places: Number.POSITIVE_INFINITY, reserve: 0, perOwner }),
    steps: createFairQueue(options),
  });
  const lanes = { uploads: lane(uploadSteps), others: lane(steps) };
  const jobs = new Map<
    string,
    { readonly source: StoredSource; readonly abort: AbortController; readonly ended: Promise<void> }
  >();
  const closing = new AbortController();
  const watchers = new Set<() => void>();
  const notify = () => {
    for (const wake of [...watchers]) wake();
  };

  // An index that takes nothing is reported by what is indexed.
  const keeping = setInterval(() => {
    if (jobs.size > 0) index.keep([...jobs.values()].map(({ source }) => source)).catch(() => {});
  }, keepEveryMs).unref();

  async function run(source: StoredSource, limits: IndexingLimits, signal: AbortSignal): Promise<void> {
    try {
      const { sources, steps } = source.kind === 'file' ? lanes.uploads : lanes.others;
      const inTurn = takingTurns(steps, source.owner);
      const work = () => index.index(source, { signal, limits, inTurn, onProgress: notify });
      await takingTurns(sources, source.owner)(work, signal);
    } catch (error) {
      if (!signal.aborted) onFault(error);
    } finally {
      jobs.delete(source.id);
      notify();
    }
  }

  return {
    start(source, limits) {
      if (jobs.has(source.id) || closing.signal.aborted) return;
      const abort = new AbortController();
      const signal = AbortSignal.any([abort.signal, closing.signal]);
      jobs.set(source.id, { source, abort, ended: Promise.resolve() });
      jobs.set(source.id, { source, abort, ended: run(source, limits, signal) });
      notify();
    },
    async stop(id) {
      const job = jobs.get(id);
      job?.abort.abort(new Error('The source was removed.'));
      await job?.ended;
      notify();
    },
    changed: (ms, signal) =>
      new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer);
          watchers.delete(end);
          signal.removeEventListener('abort', end);
          closing.signal.removeEventListener('abort', end);
          resolve();
        };
        const timer = setTimeout(end, ms);
        watchers.add(end);
        signal.addEventListener('abort', end, { once: true });
        closing.signal.addEventListener('abort', end, { once: true });
        if (signal.aborted || closing.signal.aborted) end();
      }),
    closed: closing.signal,
    async close() {
      clearInterval(keeping);
      closing.abort(new Error('The server is shutting down.'));
      await Promise.all([...jobs.values()].map(({ ended }) => ended));
    },
  };
}
