/**
 * Extraction in child processes, whose memory is bounded, one by one and together, and all given back to the system when they
 * end: what threads allocate stays with the whole process. Each page has `deadlineMs`, counted from when a loaded process
 * begins it; after that the process is ended, and the page fails. Pages wait for a process in a fair queue of those they
 * are read for, so slow pages of one caller do not hold up another's.
 */
import { documentKinds } from '../../../protocol/document-kinds.ts';
import { ProcessError } from '../../base/processes/process-error.ts';
import { createProcessPool } from '../../base/processes/process-pool.ts';
import { PageError } from '../page-error.ts';
import type { ExtractOutcome } from './extract-task.ts';
import type { Extraction, PageSource } from './extraction.ts';

export interface ExtractPoolOptions {
  /** Processes that one caller's pages can use; 2 by default. */
  readonly processes?: number | undefined;
  /** Time limit of one page, ms; 8,000 by default. */
  readonly deadlineMs?: number | undefined;
  /** How long an idle process lives, ms; 60,000 by default. */
  readonly idleMs?: number | undefined;
  /** Memory of each process, beyond what it needs to load, MiB; 200 by default. */
  readonly memoryMb?: number | undefined;
  /** How long a process may take to load, and to begin a page, ms; 30,000 by default. */
  readonly startMs?: number | undefined;
  /** Called once when no process can be started, and without an error when one works again. */
  readonly onTrouble?: OnExtractTrouble | undefined;
}

export type OnExtractTrouble = (trouble: Error | undefined) => void;

export interface Extracted {
  readonly extraction: Extraction;
  /** SHA-256 of the text, hex. */
  readonly hash: string;
}

export interface ExtractPool {
  /**
   * `owners` are those for whom the page is read. Rejects with a PageError: `unsupported_type`, `parse_failed`, or `timeout`
   * past the deadline, or where the machine is too busy to begin or finish the page.
   */
  extract(bytes: Uint8Array, source: PageSource, owners: readonly string[], signal: AbortSignal): Promise<Extracted>;
  /** Starts a process, so that a page that is being fetched need not wait for it. */
  prepare(): void;
  close(): Promise<void>;
}

/** Set by hand: callers who read page after page should seldom wait for one to load. */
const idleMs = 60_000;
/**
 * Memory of a process and of its heap, MiB. Set by hand: of 1,330 real pages none takes more than 90 MiB, and of test/hostile only
 * PDF bombs and two more take more than 192. From Node 24 on, a page of 4 MB that is nothing but elements takes more than that,
 * too.
 */
const [memoryMb, heapMb] = [200, 128];
/**
 * MiB. On 100 real pages, with one thread that collects garbage, a process takes 72 MiB on average instead of the 88 with
 * the usual 16, in the same time; with 4, it takes 64 MiB and a tenth more time.
 */
const semiSpaceMb = 8;
/**
 * Memory of all processes together at which they begin to take turns, MiB. Set by hand: two that read ordinary pages take
 * 136 at most.
 */
const totalMb = 136;
/** What a process keeps after a page, MiB; set by hand: it is 68 at most after 250 real pages of 40 to 200 KB. */
const restMb = 96;
/** Processes for callers none of whose pages is being extracted. They start when needed. Set by hand. */
const reserve = 1;
/** Niceness (see nice(2)), so that the main thread has priority on a busy machine; set by hand. */
const nice = 10;

/** A pool whose processes start with the first page, so that a server listens before they have loaded their parsers. */
export function createExtractPool(options: ExtractPoolOptions = {}): ExtractPool {
  const deadlineMs = options.deadlineMs ?? 8_000;
  const limitMb = options.memoryMb ?? memoryMb;
  const processes = createProcessPool<PageSource, ExtractOutcome>({
    worker: new URL('./extract-worker.ts', import.meta.url),
    processes: options.processes ?? 2,
    reserve,
    memoryMb: limitMb,
    heapMb: Math.min(limitMb, heapMb),
    semiSpaceMb,
    totalMb,
    restMb,
    idleMs: options.idleMs ?? idleMs,
    startMs: options.startMs,
    nice,
  });

  let isFailing = false;
  /** That a process cannot be started is not the page's fault: it is reported to the operator. */
  function note(trouble: Error | undefined): void {
    const wasFailing = isFailing;
    isFailing = trouble !== undefined;
    if (isFailing !== wasFailing) options.onTrouble?.(trouble);
  }

  return {
    async extract(bytes, { contentType, url }, owners, signal) {
      const result = await processes.run({ contentType, url }, { bytes, owners, deadlineMs }, signal).catch((error) => {
        signal.throwIfAborted();
        if (isUnstarted(error)) note(error);
        throw toPageError(error);
      });
      note(undefined);
      if (result.outcome === 'read') return result;
      if (result.outcome === 'failed') {
        throw new PageError('parse_failed', 'The page is damaged and could not be read.', { cause: result.reason });
      }
      const type = contentType.split(';', 1)[0]!.trim().slice(0, 100) || 'none';
      throw new PageError(
        'unsupported_type',
        result.reason ?? `Expected HTML, JSON, a feed, ${documentKinds}; got Content-Type ${type}.`,
      );
    },
    prepare: () => processes.prepare(),
    close: () => processes.close(),
  };
}

function toPageError(error: unknown): PageError {
  if (error instanceof PageError) return error;
  if (error instanceof ProcessError && error.reason === 'deadline')
    return new PageError('timeout', 'The page took too long to read.');
  if (error instanceof ProcessError && error.reason === 'busy')
    return new PageError('timeout', 'This machine was too busy to read the page. Try again later.', { cause: error });
  if (isUnstarted(error)) {
    const message = 'The page could not be read: its reader could not be started. See the log of the server.';
    return new PageError('parse_failed', message, { cause: error });
  }
  const message = 'The page could not be read: it exceeds the memory limit for one page.';
  return new PageError('parse_failed', message, { cause: error });
}

function isUnstarted(error: unknown): error is ProcessError {
  return error instanceof ProcessError && error.reason === 'unstarted';
}
