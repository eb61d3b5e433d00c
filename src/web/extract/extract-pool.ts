/**
 * Extraction outside of the loop that streams: PDFs in child processes, all other pages in worker threads. A page has
 * `deadlineMs` of a worker to itself, counted from when the worker has loaded and begins with it; past that the worker is
 * ended and replaced, and the page fails.
 */
import { createProcessPool, ProcessError } from '../../base/process-pool.ts';
import { createSemaphore } from '../../base/semaphore.ts';
import { createWorkerPool, type WorkerPool } from '../../base/worker-pool.ts';
import { PageError } from '../page-error.ts';
import type { ExtractOutcome, ExtractTask } from './extract-task.ts';
import type { Extraction, PageSource } from './extraction.ts';
import { pageKindOf } from './page-kind.ts';

export interface ExtractPoolOptions {
  /** Also how many processes read PDFs. */
  readonly threads?: number | undefined;
  readonly deadlineMs?: number | undefined;
  /** Of each thread's heap, MiB. */
  readonly memoryMb?: number | undefined;
  /** Of each process that reads PDFs, beyond what it needs to load, MiB. */
  readonly pdfMemoryMb?: number | undefined;
}

export interface Extracted {
  readonly extraction: Extraction;
  /** SHA-256 of the text, hex. */
  readonly hash: string;
}

export interface ExtractPool {
  /** Rejects with a PageError: `unsupported_type`, `parse_failed`, or `timeout` past the deadline. */
  extract(bytes: Uint8Array, source: PageSource, signal: AbortSignal): Promise<Extracted>;
  close(): Promise<void>;
}

/** A thread that has not loaded by then never will. */
const maxLoadMs = 30_000;
/** Gives the memory of PDFs back; set by hand. */
const pdfIdleMs = 15_000;
/** On a busy machine the loop that streams goes first, as in nice(2). */
const nice = 10;

/** Starts its workers with the first page, so that a server listens before they have loaded their parsers. */
/** Two threads of 384 MiB with a deadline of 8 s by default; they start with the first page. */
export function createExtractPool(options: ExtractPoolOptions = {}): ExtractPool {
  const size = options.threads ?? 2;
  const deadlineMs = options.deadlineMs ?? 8_000;
  const turns = createSemaphore(size);
  const pdfs = createProcessPool<ExtractTask, ExtractOutcome>({
    worker: new URL('./extract-pdf-worker.ts', import.meta.url),
    processes: size,
    memoryMb: options.pdfMemoryMb ?? 256,
    idleMs: pdfIdleMs,
    nice,
  });
  let threads: WorkerPool<ExtractTask & { readonly id: number }, ExtractOutcome> | undefined;
  /** By the ids of tasks: what to do when a thread begins with it. */
  const begun = new Map<unknown, () => void>();
  let tasks = 0;

  async function runInThread(page: ExtractTask, signal: AbortSignal): Promise<ExtractOutcome> {
    threads ??= createWorkerPool({
      worker: new URL('./extract-worker.ts', import.meta.url),
      workers: size,
      memoryMb: options.memoryMb ?? 384,
      onMessage: (id) => begun.get(id)?.(),
      nice,
    });
    const release = await turns.acquire(signal);
    const id = ++tasks;
    const late = new AbortController();
    const stop = () => late.abort(tookTooLong());
    let timer = setTimeout(stop, maxLoadMs);
    begun.set(id, () => {
      clearTimeout(timer);
      timer = setTimeout(stop, deadlineMs);
    });
    try {
      return await threads.run({ ...page, id }, AbortSignal.any([signal, late.signal]));
    } finally {
      release();
      begun.delete(id);
      clearTimeout(timer);
    }
  }

  return {
    async extract(bytes, { contentType, url }, signal) {
      const page = { bytes, contentType, url };
      const isPdf = pageKindOf(bytes, page) === 'pdf';
      const result = await (isPdf ? pdfs.run(page, deadlineMs, signal) : runInThread(page, signal)).catch((error) => {
        signal.throwIfAborted();
        throw toPageError(error);
      });
      if (result.outcome === 'read') return result;
      if (result.outcome === 'failed') {
        throw new PageError('parse_failed', 'The page is damaged and could not be read.', { cause: result.reason });
      }
      const type = contentType.split(';', 1)[0]!.trim().slice(0, 100) || 'of an unknown type';
      throw new PageError('unsupported_type', `The page holds no text this server reads: it is ${type}.`);
    },
    async close() {
      await Promise.all([threads?.close(), pdfs.close()]);
    },
  };
}

function tookTooLong(): PageError {
  return new PageError('timeout', 'The page took too long to read.');
}

function toPageError(error: unknown): PageError {
  if (error instanceof PageError) return error;
  if (error instanceof ProcessError && error.reason === 'deadline') return tookTooLong();
  const message = 'The page could not be read: it needs more memory than a page may take.';
  return new PageError('parse_failed', message, { cause: error });
}
