/** The port to the index: what it knows of each source, and how sources are added, indexed and removed. */

import type { InTurn } from '../base/fair-queue.ts';

export type SourceKind = 'folder' | 'url' | 'sitemap' | 'file' | 'packages' | 'installed';

export interface SourceFailure {
  /** A path within the folder, or a URL. */
  readonly source: string;
  readonly reason: string;
}

/** What is known of a source besides its pages. */
export interface SourceAbout {
  readonly kind: SourceKind;
  /** A URL, or the name of a folder or of a file. */
  readonly name: string;
  readonly state: 'waiting' | 'indexing' | 'ready' | 'failed';
  /** Pages of the indexing that runs; `total` is 0 until it is known. */
  readonly done: number;
  readonly total: number;
  readonly added_at: string;
  /** When it was last indexed; null if never. */
  readonly indexed_at: string | null;
  /** Null until it is counted. */
  readonly passages: number | null;
  /** How many of its pages could not be read the last time, and the first of them with their reasons. */
  readonly failed: number;
  readonly failures: readonly SourceFailure[];
  /** How many of its pages are longer than what was read of them, and the first of these; absent in older rows. */
  readonly truncated?: number;
  readonly truncations?: readonly string[];
  /** Why the source as a whole could not be read; null if it could. */
  readonly reason: string | null;
  /** When a process last worked on it, ms since 1970. */
  readonly touched_at: number;
}

export interface StoredSource extends SourceAbout {
  /** How long ago that was, ms, by the clock that it was noted by, which may not be that of this process. */
  readonly untouched_ms: number;
  /** Its name in the index: see base/source-names.ts. */
  readonly source: string;
  readonly id: string;
  readonly owner: string;
  /** The bytes of an uploaded file, else those of the texts of its pages, UTF-8. */
  readonly bytes: number;
  readonly pages: number;
  /** Whether the process that indexed it is gone; it is then `waiting` if a server goes on with it, else `failed`. */
  readonly interrupted?: true;
  /** The URL that the pages of a folder are cited below. */
  readonly address: string | null;
}

/** What an account may store; undefined for no limit. */
export interface SourceLimits {
  readonly bytes: number;
  readonly sources: number;
}

/** A source to add: a page, sitemap or list by its URL, a folder by its path, or a file with its content. */
export type NewSource =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'file'; readonly name: string; readonly content: Uint8Array };

export type AddedSource =
  | { readonly outcome: 'added' | 'known'; readonly source: StoredSource }
  | { readonly outcome: 'too_many' | 'too_large' };

/** What one source may become. */
export interface IndexingLimits {
  /** Max. pages of a sitemap. */
  readonly maxPages: number;
  /** Max. bytes of all sources of its owner; undefined for no limit. */
  readonly maxBytes?: number;
}

export interface IndexingOptions {
  readonly signal: AbortSignal;
  readonly limits: IndexingLimits;
  /** Does each step: a page, a file of a sitemap, or a few files of a folder. What a site asks to wait in between is in none. */
  readonly inTurn: InTurn;
  readonly onProgress?: () => void;
}

/** How far the vectors of the passages are, by which they are found by meaning. */
export interface VectorsAbout {
  readonly model: string;
  /** Passages of the index that have one, of all. */
  readonly done: number;
  readonly total: number;
  /** Null until there is one. */
  readonly dimensions: number | null;
  /** Why the index cannot keep vectors; undefined if it can. */
  readonly trouble: string | undefined;
  /** The last failure of the endpoint, unless it has answered since. */
  readonly failure: { readonly reason: string; readonly at: string } | undefined;
}

export interface SourceIndex {
  /** Undefined where no embedding model is configured. */
  vectors(): VectorsAbout | undefined;
  /** Adds it without indexing it; one that is known is returned as it is. */
  add(source: NewSource, owner: string, limits?: SourceLimits): Promise<AddedSource>;
  /** Those of the account and those of everybody, oldest first; without an account those of all. */
  list(account?: string): Promise<readonly StoredSource[]>;
  /** Undefined if there is none, or it is another account's. */
  find(id: string, account: string): Promise<StoredSource | undefined>;
  /** Has a source wait in this process, unless another has worked on it since it was listed; resolves with whether it does. */
  take(source: StoredSource): Promise<boolean>;
  /** Has others leave these to this process, if it is repeated every half minute. */
  keep(sources: readonly StoredSource[]): Promise<void>;
  /**
   * Reads it, or again what has changed of it. What goes wrong is in the source afterwards; rejects only with the signal's
   * reason, and then leaves the source waiting.
   */
  index(source: StoredSource, options: IndexingOptions): Promise<void>;
  /** Removes it with its pages and its content, and ends an indexing that runs. */
  remove(source: StoredSource): Promise<void>;
}
