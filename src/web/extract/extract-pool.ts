/**
 * Extraction off the main thread: PDFs and large pages in child processes, whose memory is bounded and given back to the system,
 * all other pages in worker threads, which take them over sooner. Each page has `deadlineMs`,
 * counted from when a loaded worker starts on it; after that the worker is terminated and replaced, and the page fails. Pages
 * wait for a worker in a fair queue of those they are read for, so slow pages of one caller do not hold up another's.
 */
import { createFairQueue } from '../../base/fair-queue.ts';
import { createProcessPool, ProcessError } from '../../base/process-pool.ts';
import { createWorkerPool, type WorkerPool } from '../../base/worker-pool.ts';
import { PageError } from '../page-error.ts';
import type { ExtractOutcome, ExtractTask } from './extract-task.ts';
import type { Extraction, PageSource } from './extraction.ts';
import { pageKindOf } from './page-kind.ts';

export interface ExtractPoolOptions {
  /** Threads, and as many processes, that one caller's pages can use; 2 by default. */
  readonly threads?: number | undefined;
  /** Time limit of one page, ms; 8,000 by default. */
  readonly deadlineMs?: number | undefined;
  /** How long an idle thread lives, ms; 60,000 by default. */
  readonly threadIdleMs?: number | undefined;
  /** Heap of each thread, MiB; 192 by default. */
  readonly memoryMb?: number | undefined;
  /** Memory of each process, beyond what it needs to load, MiB; 256 by default. */
  readonly processMemoryMb?: number | undefined;
}

export interface Extracted {
  readonly extraction: Extraction;
  /** SHA-256 of the text, hex. */
  readonly hash: string;
}

export interface ExtractPool {
  /**
   * `owners` are those for whom the page is read. The bytes may become a worker's, and be empty afterwards. Rejects with a PageError: `unsupported_type`, `parse_failed`, or `timeout`
   * past the deadline.
   */
  extract(bytes: Uint8Array, source: PageSource, owners: readonly string[], signal: AbortSignal): Promise<Extracted>;
  close(): Promise<void>;
}

/** Time limit for loading a thread, ms; set by hand. */
const maxLoadMs = 30_000;
/** Idle processes and threads end after this, to release memory, ms; set by hand: a thread loads sooner, but serves most pages. */
const processIdleMs = 15_000;
const threadIdleMs = 60_000;
/**
 * Pages of more bytes than this, decoded, are extracted in a process. Set by hand: of 1,330 real pages 14 are larger, and no
 * smaller one of test/hostile takes more than 100 MiB of a thread's heap.
 */
const largeBytes = 1024 * 1024;
/** Threads, and processes, for callers none of whose pages is being extracted. They start when needed. Set by hand. */
const reserve = 1;
/** Niceness (see nice(2)), so that the main thread has priority on a busy machine; set by hand. */
const nice = 10;

/** A pool whose workers start with the first page, so that a server listens before they have loaded their parsers. */
export function createExtractPool(options: ExtractPoolOptions = {}): ExtractPool {
  const size = options.threads ?? 2;
  const deadlineMs = options.deadlineMs ?? 8_000;
  const turns = createFairQueue({ places: size, reserve });
  const processes = createProcessPool<ExtractTask, ExtractOutcome>({
    worker: new URL('./extract-apart-worker.ts', import.meta.url),
    processes: size,
    reserve,
    memoryMb: options.processMemoryMb ?? 256,
    idleMs: processIdleMs,
    nice,
  });
  let threads: WorkerPool<ExtractTask & { readonly id: number }, ExtractOutcome> | undefined;
  /** By task id: called when a thread starts on the task. */
  const onStart = new Map<unknown, () => void>();
  let tasks = 0;

  async function runInThread(
    page: ExtractTask,
    owners: readonly string[],
    signal: AbortSignal,
  ): Promise<ExtractOutcome> {
    threads ??= createWorkerPool({
      worker: new URL('./extract-worker.ts', import.meta.url),
      workers: size,
      reserve,
      memoryMb: options.memoryMb ?? 192,
      idleMs: options.threadIdleMs ?? threadIdleMs,
      onMessage: (id) => onStart.get(id)?.(),
      nice,
    });
    const release = await turns.acquire(owners, signal);
    const id = ++tasks;
    const late = new AbortController();
    const stop = () => late.abort(tookTooLong());
    let timer = setTimeout(stop, maxLoadMs);
    onStart.set(id, () => {
      clearTimeout(timer);
      timer = setTimeout(stop, deadlineMs);
    });
    try {
      const either = AbortSignal.any([signal, late.signal]);
      return await threads.run({ ...page, id }, either, ownMemory(page.bytes));
    } finally {
      release();
      onStart.delete(id);
      clearTimeout(timer);
    }
  }

  return {
    async extract(bytes, { contentType, url }, owners, signal) {
      const page = { bytes, contentType, url };
      const isApart = bytes.length > largeBytes || pageKindOf(bytes, page) === 'pdf';
      const outcome = isApart ? processes.run(page, { owners, deadlineMs }, signal) : runInThread(page, owners, signal);
      const result = await outcome.catch((error) => {
        signal.throwIfAborted();
        throw toPageError(error);
      });
      if (result.outcome === 'read') return result;
      if (result.outcome === 'failed') {
        throw new PageError('parse_failed', 'The page is damaged and could not be read.', { cause: result.reason });
      }
      const type = contentType.split(';', 1)[0]!.trim().slice(0, 100) || 'none';
      throw new PageError('unsupported_type', `Expected HTML, text, JSON, a feed or a PDF; got Content-Type ${type}.`);
    },
    async close() {
      await Promise.all([threads?.close(), processes.close()]);
    },
  };
}

/** The memory of these bytes if it has nothing else: small buffers share theirs. A copy would stay here as garbage for a while. */
function ownMemory({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}

function tookTooLong(): PageError {
  return new PageError('timeout', 'The page took too long to read.');
}

function toPageError(error: unknown): PageError {
  if (error instanceof PageError) return error;
  if (error instanceof ProcessError && error.reason === 'deadline') return tookTooLong();
  const message = 'The page could not be read: it exceeds the memory limit for one page.';
  return new PageError('parse_failed', message, { cause: error });
}
