/** The text that citations point into: pages as they were read, and the passages found in them. */
import type { SourceKind } from '../../../protocol/index.ts';

/** A page as it was read. Immutable: the same URL with the same text always has the same `id`. */
export interface Snapshot {
  /** `snapshotId(url, text)`. */
  readonly id: string;
  /** Canonical http(s) or file URL, as citations show it. */
  readonly url: string;
  readonly title: string;
  /** Markdown with LF line ends and well-formed Unicode (no lone surrogates). */
  readonly text: string;
  /** ISO 8601, if the page states it. */
  readonly published_at?: string;
}

/**
 * A stretch of a snapshot: the unit that is searched and ranked. Whole sentences and blocks, about 60 to 250 words.
 * `start` and `end` are offsets into the snapshot's text, in UTF-16 code units, `end` exclusive.
 */
export interface Passage {
  /** Id of the snapshot. */
  readonly snapshot: string;
  readonly url: string;
  readonly title: string;
  /** The headings above it, and the columns of a table that it begins within: see base/text/headings.ts. Empty at the top of a page. */
  readonly headings: string;
  /** Exactly `snapshot.text.slice(start, end)`. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Higher is better. Comparable only within one result list of one provider. */
  readonly score: number;
  /** 0 to 1: the share of the query's words, weighted by their rarity in the corpus, found in the passage or its title. */
  readonly coverage?: number;
  /** Its place among the passages closest in meaning to the query, from 0; absent if it was found by words alone. */
  readonly near?: number;
  /**
   * How much of the index is within reach: `small` is a document or a few, where whatever a search misses is either not
   * said or said in other words; `medium` is somebody's folder. Absent for more, and for the web.
   */
  readonly corpusSize?: 'small' | 'medium' | undefined;
  readonly published_at?: string;
}

/** A passage that the answer may cite, by its number. */
export interface Evidence extends Passage {
  /** 1, 2, 3 … without gaps within one search. Not the number of the source: several passages may come from one page. */
  readonly n: number;
  /** How its source is weighed; absent if it was not. */
  readonly standing?: Standing;
  /** What a model noted of it: a prompt then shows this instead of the text. */
  readonly notes?: readonly PassageNote[];
}

/** How a source is weighed for a question. */
export interface Standing {
  readonly kind?: SourceKind;
  /** How many places it moves up in every list that it is found in; negative moves it down. */
  readonly places: number;
}

/** A fact of a passage, for the question that it was read for. */
export interface PassageNote {
  /** Where the passage says it: UTF-16 code units of its text, `end` exclusive. */
  readonly start: number;
  readonly end: number;
  /** The fact as the model understood it; absent if its words are the page's own, or if the passage says otherwise. */
  readonly fact?: string;
}
