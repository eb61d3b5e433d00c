/** Merging ranked lists whose scores do not compare: reciprocal rank fusion (Cormack, Clarke, Büttcher, SIGIR 2009). */

const constant = 60;

/** What a place in one list is worth; `rank` counts from 0. The sum over all lists orders the merged one. */
export function fusionScore(rank: number): number {
  return 1 / (constant + rank + 1);
}
