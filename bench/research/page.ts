/** Pages of a generated web, and what they say. */
import type { Relation } from './relations.ts';

/** The sites, each a host of its own. */
export type Site = 'guide' | 'almanac' | 'courier' | 'gazette' | 'forum' | 'directory';

export interface Page {
  readonly site: Site;
  readonly path: string;
  readonly title: string;
  /** ISO 8601. */
  readonly published?: string;
  readonly paragraphs: readonly string[];
  /** The page is found, and cannot be read. */
  readonly isGone: boolean;
}

/** A fact as one page says it. */
export interface Statement {
  readonly subject: string;
  readonly relation: Relation;
  readonly value: string;
  readonly sentence: string;
  readonly page: Page;
}
