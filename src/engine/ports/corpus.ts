/** The port to the pages that the server itself holds. */
import type { SourceRules } from '../../../protocol/index.ts';
import type { FinderMeter } from './embedder.ts';
import type { Passage, Snapshot } from './snapshot.ts';

/** The server's own pages. Every method with a signal settles soon after it fires, rejecting with the signal's reason. */
export interface Corpus {
  /**
   * The best passages for natural-language text: at most `limit`, best first, only from sources that `rules` allow, and
   * only from pages that the account `owner` may read or, without an owner, that everybody may. `meter` is notified of
   * requests to the endpoints that help to find passages, if there are any.
   */
  search(query: CorpusQuery, signal: AbortSignal, meter?: FinderMeter): Promise<Passage[]>;
  /**
   * The best passages of pages that were just read, at most `limit`, scored in the same way as by `search`. Scores are
   * comparable only within this result. While the index `isAway`, all words weigh the same.
   */
  rank(query: PagesQuery, signal: AbortSignal): Promise<Passage[]>;
  /** Undefined if no snapshot has this id. */
  snapshot(id: string, signal: AbortSignal): Promise<Snapshot | undefined>;
  /** Whether the page at an address belongs to one of the sources with these names. */
  hasPage(url: string, sources: readonly string[]): Promise<boolean>;
  /** The id of the newest snapshot of the page at an address; undefined if no page within reach has this address. */
  pageAt(url: string, reach: PagesReach): Promise<string | undefined>;
  /** All pages within reach in the order of their addresses, or none if there are more than `max`. */
  pages(reach: PagesReach, max: number, signal: AbortSignal): Promise<readonly ListedPage[]>;
  /** Stores a web page. `snapshot` must return it for as long as a citation may point to it. */
  putSnapshot(snapshot: Snapshot): Promise<unknown>;
  /** The first indexing into an empty index, while it is in progress. */
  initialIndexing?(): InitialIndexing | undefined;
}

/** The pages that a call may see. */
export interface PagesReach {
  /** The account that asks; without one, only what everybody may read. */
  readonly owner?: string | undefined;
  /** Names of sources: only pages of these. */
  readonly sources?: readonly string[] | undefined;
}

export interface ListedPage {
  readonly url: string;
  readonly title: string;
}

export interface CorpusQuery extends PagesReach {
  readonly text: string;
  readonly limit: number;
  readonly rules: SourceRules;
  /** Whether to search even if the result of an identical query is remembered. */
  readonly fresh?: boolean | undefined;
}

export interface PagesQuery {
  readonly text: string;
  readonly limit: number;
  readonly pages: readonly Snapshot[];
  /** Whether the index is known to be down: it is then not asked for the frequencies of words. */
  readonly isAway?: boolean;
}

/** The first indexing into an empty index. */
export interface InitialIndexing {
  /** Pages; `total` is 0 until it is known. */
  progress(): { readonly done: number; readonly total: number };
  /** Resolves when it has ended, successfully or not. */
  readonly ended: Promise<void>;
}

/** A sample of the server's own pages. */
export interface Outline {
  /** Differs after a change of the index. */
  readonly edition: string;
  /** Pages in the index. */
  readonly pages: number;
  /** The beginnings of a few pages that are not documentation of packages, in the order of the index. */
  readonly passages: readonly Omit<Passage, 'score'>[];
}
