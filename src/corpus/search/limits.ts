/** Limits of a search that are the same in SQLite and in Postgres, so that both give the same answers. */

/** Passages by BM25 that are reranked, or twice the limit if that is more; a larger number finds little more. Set by hand. */
export const minCandidates = 32;
/**
 * Up to this many passages within reach of a search are a small corpus, a document or a few, or a medium one, somebody's
 * folder. Set by hand.
 */
export const corpusSizes = { small: 64, medium: 2000 } as const;
/** Max. pages whose title is the query; set by hand. */
export const maxTitled = 5;
/** A whitelist of fewer pages is searched completely; set by hand. */
export const maxNarrow = 2000;
/** Passages of one page, unless a small index is returned whole or other pages have too few; set by hand. */
export const maxPerPage = 4;
/** Passages of one search; set by hand. */
export const maxPassages = 100;
/**
 * Max. rows ranked, those with rarer words: BM25 takes most of a query's time, half a microsecond per row. Set by hand: among
 * 88,000 passages 1,000 lost two points of the pages that come first to an exhaustive BM25, which ranks 11,000.
 */
export const maxRanked = 4000;

/** The size of a corpus that has `count` passages within reach; undefined for a large one. */
export function corpusSizeOf(count: number): 'small' | 'medium' | undefined {
  if (count <= corpusSizes.small) return 'small';
  return count <= corpusSizes.medium ? 'medium' : undefined;
}
