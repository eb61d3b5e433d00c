/**
 * The port to where the corpus is kept. Its twins are a SQLite file with FTS5 (sqlite/) and Postgres (postgres/), under
 * one suite (test/contracts/corpus.ts). Both run in worker threads, so that the main thread never waits for them.
 */
import type { IndexWriter } from './index/write-index.ts';
import type { IndexReader } from './search/read-index.ts';
import type { CallWorker } from './worker-rpc.ts';

/** How much one call to the writer does: what waits for it, such as another process or the signal, waits for all of that. */
export interface BatchLimits {
  readonly files: number;
  readonly bytes: number;
}

export interface CorpusBackend {
  /** Limits of a call of `indexFiles`. */
  readonly batch: BatchLimits;
  /** Calls a function of the reader; rejects with a CorpusError, or with `overloaded` while Postgres is unreachable. */
  readonly read: CallWorker<IndexReader>;
  /** Calls a function of the reader as a part of the search with this signal. */
  readFor(search: AbortSignal): CallWorker<IndexReader>;
  /** Calls a function of the writer. */
  readonly write: CallWorker<IndexWriter>;
  /** Fires when it is closed: calls then reject with its reason. */
  readonly closed: AbortSignal;
  /** Releases what is open; calling it again does nothing. */
  close(): Promise<void>;
}
