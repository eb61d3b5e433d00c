/** A page as a caller gets it: the snapshot that citations point into, and what is known of how it came. */
import type { Snapshot } from '../engine/ports.ts';
import type { PageLink } from './extract/extraction.ts';

export interface Page {
  readonly snapshot: Snapshot;
  readonly info: PageInfo;
}

export interface PageInfo {
  /** Where the last redirect ended. */
  readonly final_url: string;
  readonly status: number;
  readonly content_type: string;
  readonly title: string;
  readonly byline?: string;
  readonly site_name?: string;
  /** ISO 8601. */
  readonly published_at?: string;
  readonly modified_at?: string;
  /** BCP 47. */
  readonly language?: string;
  readonly words: number;
  /** SHA-256 of the text in UTF-8, hex. */
  readonly hash: string;
  /** ISO 8601: when the page's server last gave or confirmed this text. */
  readonly fetched_at: string;
  readonly from_cache: boolean;
  readonly extractor: string;
  readonly truncated: boolean;
  readonly links: readonly PageLink[];
  readonly warnings: readonly string[];
}
