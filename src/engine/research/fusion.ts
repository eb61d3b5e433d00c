/** Merging ranked lists whose scores are not comparable: reciprocal rank fusion (Cormack, Clarke, Büttcher, SIGIR 2009). */

/** `k` of the paper. */
const constant = 60;

/**
 * The score of a position in one list; `rank` counts from 0, and may be a little less for what is moved up. The sum over all
 * lists orders the merged list.
 */
export function fusionScore(rank: number): number {
  return 1 / (constant + rank + 1);
}
