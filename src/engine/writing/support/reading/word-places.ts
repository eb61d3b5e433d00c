/** Which sentences of a page have a word: found once for a page and all claims about it. */
import type { Sentence } from './read-text.ts';

const known = new WeakMap<readonly Sentence[], ReadonlyMap<string, readonly number[]>>();

/** By stem, in the order of the page, the indices of the sentences that have it; remembered. */
export function placesOf(sentences: readonly Sentence[]): ReadonlyMap<string, readonly number[]> {
  const before = known.get(sentences);
  if (before !== undefined) return before;
  const places = new Map<string, number[]>();
  for (const [at, { tokens }] of sentences.entries())
    for (const { stem, kind } of tokens) {
      if (kind === 'mark') continue;
      const found = places.get(stem);
      if (found === undefined) places.set(stem, [at]);
      else if (found.at(-1) !== at) found.push(at);
    }
  known.set(sentences, places);
  return places;
}
