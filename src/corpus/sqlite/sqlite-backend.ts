/**
 * The corpus in one SQLite file with FTS5. All SQL runs in worker threads, one writer and one or more readers; another process
 * may index into the same file at the same time.
 */
import { dirname, resolve } from 'node:path';
import { neverAborted } from '../../base/abort.ts';
import { makeDataFolder } from '../../base/data-folder.ts';
import { createWorkerPool } from '../../base/processes/worker-pool.ts';
import { storeUnavailable } from '../../base/store-unavailable.ts';
import type { CorpusBackend } from '../backend.ts';
import { CorpusError, type CorpusErrorCode } from '../corpus-error.ts';
import type { IndexWriter } from '../index/write-index.ts';
import type { CacheBounds } from '../page-cache/snapshot-keeper.ts';
import type { IndexReader } from '../search/read-index.ts';
import { callWorker, type WorkerCall, type WorkerReply } from '../worker-rpc.ts';
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

export interface SqliteOptions {
  /** The index file; it and its folder are created if missing. */
  readonly file: string;
  /** Reader threads; 1 by default. */
  readonly threads?: number;
  /** Limits of the page cache. */
  readonly bounds?: CacheBounds;
  /** Called when a new index was begun because the file is damaged; without it, a damaged file is left as it is. */
  readonly onDamaged?: (damaged: DamagedIndex) => void;
  /** Called when the file cannot be used at present, for each call that fails, with a sentence for the operator. */
  readonly onTrouble?: ((reason: string) => void) | undefined;
}

/**
 * Opens the index and starts its threads. Rejects with a CorpusError when the file is damaged, newer than this program, or
 * cannot be opened, and with a ConfigError when its folder cannot be created.
 */
export async function openSqliteBackend({ onDamaged, ...options }: SqliteOptions): Promise<CorpusBackend> {
  const file = resolve(options.file);
  makeDataFolder(dirname(file));
  const found = identify(file);
  const wasEmptied = isEmptied(file);
  try {
    const backend = await open(file, options);
    if (wasEmptied) onDamaged?.({ reason: `The index ${file} is empty.`, kept_as: undefined });
    return backend;
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    if (onDamaged === undefined) throw new CorpusError('corrupt', `${error.message} ${whatNext}`);
    const kept_as = setAside(file, found);
    clearSuspect(file);
    const backend = await open(file, options);
    onDamaged({ reason: error.message, kept_as });
    return backend;
  }
}

const whatNext = 'The server, when it starts, and `citewire index` rename it and begin a new one.';

function isCorrupt(error: unknown): error is CorpusError {
  return error instanceof CorpusError && error.code === 'corrupt';
}

/** Failures that pass, so that callers may try again. Callers do not see where the file is. */
const passing: Readonly<Partial<Record<CorpusErrorCode, string>>> = {
  disk_full: 'The server cannot write to its index: the disk is full.',
  busy: 'The server cannot write to its index: another process has locked it for too long.',
};

/**
 * Failures that pass, or that the operator repairs, once the index has been opened; before that, they keep it from being
 * opened.
 */
const passingWhenOpen: typeof passing = {
  ...passing,
  corrupt: 'The index of the server is damaged.',
  unopenable: 'The server cannot use its index: the disk refused to read or write.',
};

/** Set by hand. */
const batch = { files: 16, bytes: 256 * 1024 };

/** Each thread's space for new objects, MiB; set by hand on 1,200 searches: more takes memory and saves no time. */
const youngMb = 6;

async function open(file: string, options: Omit<SqliteOptions, 'onDamaged'>): Promise<CorpusBackend> {
  refuseLoneLog(file);
  const writer = createWorkerPool<WorkerCall, WorkerReply>({
    worker: new URL('./write-worker.ts', import.meta.url),
    workers: 1,
    data: { file, bounds: options.bounds ?? {} },
    youngMb,
  });
  const readers = createWorkerPool<WorkerCall, WorkerReply>({
    worker: new URL('./read-worker.ts', import.meta.url),
    workers: options.threads ?? 1,
    data: { file },
    // While a thread is busy, its next task is already there: it need not wait for the event loop.
    concurrency: 2,
    youngMb,
  });
  const closing = new AbortController();
  let isOpen = false;
  const onFailure = (error: CorpusError) => {
    if (isCorrupt(error)) markSuspect(file);
    const trouble = (isOpen ? passingWhenOpen : passing)[error.code];
    if (trouble === undefined) return error;
    options.onTrouble?.(isCorrupt(error) ? `${error.message} ${whatNext}` : trouble);
    return storeUnavailable(trouble, error);
  };
  const write = callWorker<IndexWriter>(writer, closing.signal, onFailure);
  const read = callWorker<IndexReader>(readers, closing.signal, onFailure);
  const stop = async () => {
    closing.abort(new CorpusError('closed', `The index ${file} was closed.`));
    await readers.close();
    // The last to close the file moves what is in its write-ahead log into it.
    await callWorker<IndexWriter>(writer, neverAborted, onFailure)('close').catch(() => undefined);
    await writer.close();
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
    isOpen = true;
  } catch (error) {
    await stop();
    throw error;
  }
  const readFor = (search: AbortSignal) => callWorker<IndexReader>(readers, closing.signal, onFailure, search);
  return { batch, read, readFor, write, closed: closing.signal, close: stop };
}
