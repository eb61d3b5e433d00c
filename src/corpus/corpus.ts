/**
 * The embedded corpus: pages stored on this server, in one SQLite file with full-text search. All SQL runs in worker threads,
 * one writer and one or more readers, so the main thread never waits for the index; another process may index into the same
 * file at the same time. The Corpus port of the engine is its reading part.
 */

import { dirname, resolve } from 'node:path';
import { untilAborted } from '../base/abort.ts';
import { makeDataFolder } from '../base/data-folder.ts';
import { createWorkerPool } from '../base/worker-pool.ts';
import type { Corpus, Outline } from '../engine/ports/corpus.ts';
import type { Snapshot } from '../engine/ports/snapshot.ts';
import { CorpusError } from './corpus-error.ts';
import {
  clearSuspect,
  type DamagedIndex,
  identify,
  isEmptied,
  isSuspect,
  markSuspect,
  refuseLoneLog,
  setAside,
} from './damaged-index.ts';
import { createFillingTracker } from './filling.ts';
import type { IndexWriter } from './index/write-index.ts';
import { sweep } from './ingest/coexistence.ts';
import { type IndexOptions, type IndexProgress, type IndexSource, ingest } from './ingest/ingest.ts';
import { type CorpusPageCache, createCorpusPageCache } from './page-cache/page-cache.ts';
import type { CacheBounds } from './page-cache/snapshot-keeper.ts';
import type { IndexedSource, IndexReader, IndexStats } from './search/read-index.ts';
import { callWorker, type WorkerCall, type WorkerReply } from './worker-rpc.ts';

export interface CorpusOptions {
  /** The index file; it and its folder are created if missing. */
  readonly file: string;
  /** Reader threads; 1 by default. */
  readonly threads?: number;
  /** Limits of the page cache. */
  readonly bounds?: CacheBounds;
  /** Called when a new index was begun because the file is damaged; without it, a damaged file is left as it is. */
  readonly onDamaged?: (damaged: DamagedIndex) => void;
}

export interface OpenCorpus extends Corpus {
  /**
   * Brings a source into the index, or up to date. Rejects with the signal's reason, with a CorpusError when the index
   * fails, or when the source itself cannot be read; failures within it are in `failed`.
   */
  index(source: IndexSource, options?: IndexOptions): Promise<IndexProgress>;
  /**
   * Keeps a page as it was read, without making it searchable: for 15 minutes or longer: until space is needed and no
   * ended search cites it. Returns its id; keeping it again changes nothing.
   */
  putSnapshot(snapshot: Omit<Snapshot, 'id'> & { readonly fetched_at?: string }): Promise<string>;
  /** The page cache of the web reader. */
  readonly pageCache: CorpusPageCache;
  /** Keeps the snapshots with these ids for as long as the ended search is kept; calling it again adds to them. */
  pin(search_id: string, snapshots: readonly string[], ended_at: string): Promise<void>;
  /** Removes the pins of an ended search that was deleted. */
  unpin(search_id: string): Promise<void>;
  /** Removes up to `limit` pins of searches that ended before `ended_at`, oldest first; returns whether any are left. */
  unpinBefore(ended_at: string, limit: number): Promise<boolean>;
  stats(): Promise<IndexStats>;
  /** The sources in the index, with the number of pages of each. */
  sources(): Promise<readonly IndexedSource[]>;
  /** A sample of the index, to make questions from. */
  outline(): Promise<Outline>;
  /** Removes the pages of a source, named as in `sources`, from the index; returns how many. Pages that another source also has are kept. */
  forget(source: string): Promise<number>;
  /** Stops indexing (its promise rejects) and releases the file. */
  close(): Promise<void>;
}

/**
 * Opens the index and starts its threads. Rejects with a CorpusError when the file is damaged, newer than this program, or
 * cannot be opened, and with a ConfigError when its folder cannot be created.
 */
export async function openCorpus({ onDamaged, ...options }: CorpusOptions): Promise<OpenCorpus> {
  const file = resolve(options.file);
  makeDataFolder(dirname(file));
  const found = identify(file);
  const wasEmptied = isEmptied(file);
  try {
    const corpus = await open(file, options);
    if (wasEmptied) onDamaged?.({ reason: `The index ${file} is empty.`, kept_as: undefined });
    return corpus;
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    if (onDamaged === undefined) throw new CorpusError('corrupt', `${error.message} ${whatNext}`);
    const kept_as = setAside(file, found);
    clearSuspect(file);
    const corpus = await open(file, options);
    onDamaged({ reason: error.message, kept_as });
    return corpus;
  }
}

const whatNext = 'The server, when it starts, and `citewire index` rename it and begin a new one.';

function isCorrupt(error: unknown): error is CorpusError {
  return error instanceof CorpusError && error.code === 'corrupt';
}

async function open(file: string, options: Omit<CorpusOptions, 'onDamaged'>): Promise<OpenCorpus> {
  refuseLoneLog(file);
  const writer = createWorkerPool<WorkerCall, WorkerReply>({
    worker: new URL('./write-worker.ts', import.meta.url),
    workers: 1,
    data: { file, bounds: options.bounds ?? {} },
  });
  const readers = createWorkerPool<WorkerCall, WorkerReply>({
    worker: new URL('./read-worker.ts', import.meta.url),
    workers: options.threads ?? 1,
    data: { file },
  });
  const closing = new AbortController();
  const fillings = createFillingTracker();
  const onFailure = (error: CorpusError) => isCorrupt(error) && markSuspect(file);
  const write = callWorker<IndexWriter>(writer, closing.signal, onFailure);
  const read = callWorker<IndexReader>(readers, closing.signal, onFailure);
  const stop = async () => {
    const closed = write('close').catch(() => undefined);
    closing.abort(new CorpusError('closed', `The index ${file} was closed.`));
    await closed;
    await Promise.all([writer.close(), readers.close()]);
  };
  // Readers load while the writer opens the file.
  readers.start();
  try {
    await write('open');
    if (isSuspect(file)) {
      await write('check');
      clearSuspect(file);
    }
    await read('stats');
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    search: ({ text, limit, rules }, signal) => untilAborted(read('search', { text, limit, rules }), signal),
    rank: (query, signal) => untilAborted(read('rank', query), signal),
    snapshot: (id, signal) => untilAborted(read('snapshot', id), signal),
    putSnapshot: ({ fetched_at = new Date().toISOString(), ...snapshot }) => write('putSnapshot', snapshot, fetched_at),
    pageCache: createCorpusPageCache(read, write),
    pin: (search_id, snapshots, ended_at) => write('pin', search_id, snapshots, ended_at),
    unpin: (search_id) => write('unpin', search_id),
    unpinBefore: (ended_at, limit) => write('unpinBefore', ended_at, limit),
    stats: () => read('stats'),
    sources: () => read('sources'),
    outline: () => read('outline'),
    filling: fillings.current,
    async forget(source) {
      const pages = await sweep(source, [], write, closing.signal);
      await write('forgetAddress', source);
      return pages;
    },
    index(source, { signal, fills = false, onProgress = () => {}, ...rest } = {}) {
      const either = signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]);
      if (!fills) return ingest(source, { ...rest, onProgress, signal: either }, write);
      return fillings.follow((report) =>
        ingest(
          source,
          {
            ...rest,
            signal: either,
            onProgress(progress) {
              report(progress.done, progress.total);
              onProgress?.(progress);
            },
          },
          write,
        ),
      );
    },
    close: stop,
  };
}
