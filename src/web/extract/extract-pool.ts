/**
 * Extraction in worker threads. A page has `deadlineMs` of a thread to itself, counted from when the thread has loaded and
 * begins with it; past that the thread is ended and replaced, and the page fails. Memory is bounded a thread, and the loop that called only waits.
 */
import { createWorkerPool, type WorkerPool } from '../../base/worker-pool.ts';
import { PageError } from '../page-error.ts';
import type { ExtractOutcome, ExtractTask } from './extract-worker.ts';
import type { Extraction, PageSource } from './extraction.ts';

export interface ExtractPoolOptions {
  readonly threads?: number | undefined;
  readonly deadlineMs?: number | undefined;
  /** Old space of each thread, MiB. */
  readonly memoryMb?: number | undefined;
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

/** A thread that is not there after it never will be. */
const longestLoadMs = 30_000;

export function createExtractPool(options: ExtractPoolOptions = {}): ExtractPool {
  const size = options.threads ?? 2;
  const deadlineMs = options.deadlineMs ?? 8_000;
  // Started with the first page, so that a server listens before its threads have loaded their parsers.
  let threads: WorkerPool<ExtractTask, ExtractOutcome> | undefined;
  const started = () =>
    (threads ??= createWorkerPool({
      worker: new URL('./extract-worker.ts', import.meta.url),
      workers: size,
      memoryMb: options.memoryMb ?? 384,
      onMessage: (id) => begun.get(id)?.(),
      // On a machine that is full the loop that streams goes first.
      nice: 10,
    }));
  const turns = createTurns(size);
  /** By the tasks' ids: what to do when a thread begins with it. */
  const begun = new Map<unknown, () => void>();
  let tasks = 0;

  async function run(page: Omit<ExtractTask, 'id'>, signal: AbortSignal): Promise<ExtractOutcome> {
    const id = ++tasks;
    const late = new AbortController();
    const stop = () => late.abort();
    let timer = setTimeout(stop, longestLoadMs);
    begun.set(id, () => {
      clearTimeout(timer);
      timer = setTimeout(stop, deadlineMs);
    });
    try {
      return await started().run({ ...page, id }, AbortSignal.any([signal, late.signal]));
    } catch (error) {
      signal.throwIfAborted();
      if (late.signal.aborted) throw new PageError('timeout', 'The page took too long to read.');
      throw new PageError('parse_failed', 'The page could not be read: it needs more than a page may take.', {
        cause: error,
      });
    } finally {
      begun.delete(id);
      clearTimeout(timer);
    }
  }

  return {
    async extract(bytes, source, signal) {
      const leave = await turns.enter(signal);
      try {
        const result = await run({ bytes, contentType: source.contentType, url: source.url }, signal);
        if (result.outcome === 'read') return result;
        if (result.outcome === 'failed') {
          throw new PageError('parse_failed', 'The page is damaged and could not be read.', { cause: result.reason });
        }
        const type = source.contentType.split(';', 1)[0]!.trim().slice(0, 100) || 'of an unknown type';
        throw new PageError('unsupported_type', `The page holds no text this server reads: it is ${type}.`);
      } finally {
        leave();
      }
    },
    close: async () => threads?.close(),
  };
}

/** At most `size` inside at once, first come first in; leaving the queue is allowed. */
function createTurns(size: number) {
  const queue: (() => void)[] = [];
  let free = size;
  const leave = () => {
    const next = queue.shift();
    if (next === undefined) free += 1;
    else next();
  };
  return {
    async enter(signal: AbortSignal): Promise<() => void> {
      signal.throwIfAborted();
      if (free > 0) {
        free -= 1;
        return leave;
      }
      return new Promise((resolve, reject) => {
        const go = () => {
          signal.removeEventListener('abort', stop);
          resolve(leave);
        };
        const stop = () => {
          queue.splice(queue.indexOf(go), 1);
          reject(signal.reason);
        };
        queue.push(go);
        signal.addEventListener('abort', stop, { once: true });
      });
    },
  };
}
