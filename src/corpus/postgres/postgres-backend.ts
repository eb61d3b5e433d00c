/** The corpus in Postgres, for any number of machines: each process has a thread that reads and one that writes. */
import { explainPostgres } from '../../base/postgres/explain.ts';
import { createWorkerPool } from '../../base/processes/worker-pool.ts';
import { storeUnavailable } from '../../base/store-unavailable.ts';
import type { CorpusBackend } from '../backend.ts';
import { CorpusError } from '../corpus-error.ts';
import type { IndexWriter } from '../index/write-index.ts';
import type { CacheBounds } from '../page-cache/snapshot-keeper.ts';
import type { IndexReader } from '../search/read-index.ts';
import { callWorker, type WorkerCall, type WorkerReply } from '../worker-rpc.ts';

/**
 * Calls that a thread has in progress: they mostly wait for Postgres, and while it is unreachable, web pages are ranked
 * among them. Set by hand.
 */
const concurrency = 64;

/**
 * Set by hand: the words of a batch are a row each, and its passages are merged with others later. 1,600 pages of 680 words took
 * 8.4 s in batches of 16, 5.0 s in these, and hold the lock of the index for about 0.2 s.
 */
const batch = { files: 64, bytes: 1024 * 1024 };

/** Each thread's space for new objects, MiB, as in SQLite's. */
const youngMb = 6;

/** Opens it, migrated. Rejects with one sentence that says what is wrong with the database. */
export async function openPostgresBackend(
  url: string,
  { bounds = {} }: { readonly bounds?: CacheBounds },
): Promise<CorpusBackend> {
  const writer = createWorkerPool<WorkerCall, WorkerReply>({
    worker: new URL('./postgres-write-worker.ts', import.meta.url),
    workers: 1,
    data: { url, bounds },
    concurrency,
    youngMb,
  });
  const reader = createWorkerPool<WorkerCall, WorkerReply>({
    worker: new URL('./postgres-read-worker.ts', import.meta.url),
    workers: 1,
    data: { url },
    concurrency,
    youngMb,
  });
  const closing = new AbortController();
  const write = callWorker<IndexWriter>(writer, closing.signal, retryable);
  const read = callWorker<IndexReader & { close(): void }>(reader, closing.signal, retryable);
  const close = async () => {
    const closed = Promise.all([write('close'), read('close')]).catch(() => undefined);
    closing.abort(new CorpusError('closed', 'The corpus was closed.'));
    await closed;
    await Promise.all([writer.close(), reader.close()]);
  };
  reader.start();
  try {
    await write('open');
  } catch (error) {
    await close();
    throw explainPostgres(error, url);
  }
  const readFor = (search: AbortSignal) => callWorker<IndexReader>(reader, closing.signal, retryable, search);
  return { batch, read, readFor, write, closed: closing.signal, close };
}

/** A failure because Postgres is unreachable, as an error that callers may retry. */
function retryable(error: CorpusError): Error {
  return error.code === 'unavailable' ? storeUnavailable(error.message, error) : error;
}
