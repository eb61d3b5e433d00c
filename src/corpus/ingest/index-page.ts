/** One source being indexed, and the step that all kinds of sources share: read a page, have it indexed, count the outcome. */
import type { InTurn } from '../../base/fair-queue.ts';
import type { Snapshot } from '../../engine/ports/snapshot.ts';
import type { BatchLimits } from '../backend.ts';
import { CorpusError } from '../corpus-error.ts';
import type { PageToIndex } from '../index/read-page-file.ts';
import type { IndexWriter } from '../index/write-index.ts';
import type { CallWorker } from '../worker-rpc.ts';
import { reasonOf } from './file-reasons.ts';
import type { IndexProgress, Tally } from './tally.ts';
import type { YieldRule } from './yield-default-docs.ts';

/** How a page was read. */
export interface HowRead {
  /** What made its text: `pdf`, `html` and so on. */
  readonly extractor?: string | undefined;
  /** Whether the page is longer than what was read of it. */
  readonly truncated?: boolean | undefined;
}

/** Extracts the text of a file, as for web pages; by its content where `contentType` is empty. */
export type ExtractPage = (
  bytes: Uint8Array,
  about: { readonly contentType: string; readonly url: string },
  signal: AbortSignal,
) => Promise<{ readonly title: string; readonly text: string; readonly published_at?: string } & HowRead>;

/**
 * Reads web pages, subject to robots.txt and the guarded fetcher. All functions reject with an Error whose message is the reason.
 */
export interface IngestReader {
  /** An error with `retryAfterMs` is a site's wish to be left alone for that long. */
  read(url: string, signal: AbortSignal): Promise<Snapshot & HowRead>;
  /**
   * Up to `maxPages` page URLs of a sitemap or list; for any other URL, that URL. `onUnread` is called for each file of an index of
   * sitemaps that could not be read, and `onCut` if there are more pages than are returned.
   */
  listPages(
    url: string,
    maxPages: number,
    signal: AbortSignal,
    onUnread?: (file: string, reason: string) => void,
    onCut?: () => void,
  ): Promise<readonly string[]>;
  /** The crawl delay of the host's robots.txt, ms; 0 when it sets none. */
  crawlDelay(url: string, signal: AbortSignal): Promise<number>;
}

export interface IndexOptions {
  readonly extract?: ExtractPage;
  /** Version of `extract`; files that it read with another version are read again. */
  readonly extractorVersion?: string;
  readonly reader?: IngestReader;
  readonly onProgress?: (progress: IndexProgress) => void;
  /** Whether the index is empty: searches then wait a while for it. */
  readonly fills?: boolean;
  /**
   * Whether the source was added before: it is then not indexed if it has been removed since, and it is left waiting, to be
   * indexed later, rather than failed when the signal fires.
   */
  readonly wasAdded?: boolean;
  readonly signal?: AbortSignal;
  /** Does each step: a page, or a few files of a folder. By default, none waits for its turn. */
  readonly inTurn?: InTurn;
  /** Max. pages read from a sitemap; 50,000 by default, the sitemap protocol's limit for one file. */
  readonly maxPages?: number;
  /** Max. bytes of all sources of the owner: its indexing ends with the page that would exceed them. No limit by default. */
  readonly maxBytes?: number;
  /** For a folder: the http(s) URL that its files are cited below, ending with "/"; kept until another is given. */
  readonly baseUrl?: string;
  /** The account that the source belongs to; everybody's by default. */
  readonly owner?: string;
}

/** A source while it is indexed. */
export interface Ingesting {
  /** The name of the source in the index. */
  readonly name: string;
  readonly options: IndexOptions;
  readonly write: CallWorker<IndexWriter>;
  readonly batch: BatchLimits;
  readonly tally: Tally;
  readonly others: YieldRule;
  readonly signal: AbortSignal;
  readonly inTurn: InTurn;
  /** Ends the indexing: fires `signal` with the reason. */
  stop(reason: Error): void;
}

/** A page to index. */
interface NewPage {
  readonly hash: string;
  readonly snapshot: Omit<Snapshot, 'id'>;
  readonly truncated?: boolean | undefined;
}

/**
 * Indexes the page that `read` resolves to under `key`. If that fails, the page is counted as failed, with the reason and `place`,
 * unless the signal has fired; one that is undefined is left for later. No more of the source is indexed if it has been removed, or
 * its owner's limit is reached.
 */
export async function indexPage(
  { name, options, write, tally, signal, stop }: Ingesting,
  { key, place }: { readonly key: string; readonly place: string },
  read: () => Promise<NewPage | undefined>,
): Promise<void> {
  try {
    const found = await read();
    if (found === undefined) return;
    const { hash, snapshot, truncated = false } = found;
    const page: PageToIndex = {
      key,
      hash,
      snapshot: { ...snapshot, title: snapshot.title.toWellFormed() },
      fetched_at: new Date().toISOString(),
    };
    for (const outcome of await write('indexPages', name, [page], { maxBytes: options.maxBytes })) {
      if (truncated && outcome.was !== 'failed') tally.cut(place);
      tally.count(outcome, place);
    }
  } catch (error) {
    if (error instanceof CorpusError && (error.code === 'removed' || error.code === 'over_limit')) stop(error);
    // An index that takes nothing is not the fault of this page.
    if (error instanceof Error && error.cause instanceof CorpusError) stop(error);
    const isEmpty = error instanceof EmptyFile;
    if (!signal.aborted) tally.count({ key, was: 'failed', reason: reasonOf(error), isEmpty }, place);
  }
}

/**
 * Throws a CorpusError if nothing was found at a place whose source has pages: a disk that is not there, or a list that is made
 * again, looks like a source from which everything was removed.
 */
export async function keepUnlessFound({ name, write }: Ingesting, place: string, found: number): Promise<void> {
  if (found > 0 || !(await write('hasPages', name))) return;
  const reason = 'it is empty; its pages are kept until the source is removed';
  throw new CorpusError('no_source', `${place} cannot be indexed: ${reason}.`);
}

/** A file that was read and has no text: what it had before is no longer in it. */
class EmptyFile extends Error {}

/**
 * Throws if a page has no text: it would be counted, and never be found. A page of the web keeps what is indexed of it, because sites
 * at times send none of their text; a file does not.
 */
export function checkText({ text, extractor }: { readonly text: string } & HowRead, from: 'file' | 'web'): void {
  if (text.trim() !== '') return;
  const why = extractor === 'pdf' ? '; it may be scanned' : extractor === 'html' ? '; it may be drawn by scripts' : '';
  const reason = `it has no text${why}`;
  throw from === 'file' ? new EmptyFile(reason) : new Error(reason);
}

/** The extractor that the source needs. Throws if none is configured. */
export function extractorOf({ options }: Ingesting): ExtractPage {
  if (options.extract === undefined) throw new Error('no extractor is configured');
  return options.extract;
}
