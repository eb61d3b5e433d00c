/**
 * An ended search as a list of results, for the clients that want pages and not an answer: its sources in order, each with what
 * it says about the question, word for word.
 */
import type { Source, TextResult } from '../../protocol/index.ts';

export interface SearchHit {
  readonly url: string;
  readonly title: string;
  /** What the page says; empty if nothing of it stands out. */
  readonly text: string;
  /** Falls with the rank, from 1 to just above 0.5: ranks are all that is comparable between searches. */
  readonly score: number;
  readonly snapshot: string;
  readonly published_at?: string;
}

/** At most `limit`, the best first. */
export function searchHits({ sources }: Pick<TextResult, 'sources'>, limit: number): SearchHit[] {
  return sources.slice(0, limit).map((source, at, all) => toHit(source, 1 - at / (2 * all.length)));
}

function toHit({ url, title, excerpt, snippet = '', snapshot, published_at }: Source, score: number): SearchHit {
  const dated = published_at === undefined ? {} : { published_at };
  return { url, title, text: excerpt?.text ?? snippet, score: Math.round(1000 * score) / 1000, snapshot, ...dated };
}
