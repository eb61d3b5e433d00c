/**
 * One list of what words found and what is close in meaning, by reciprocal rank. Words count in proportion to how much of
 * the question the best passage covers: one that has all its words is what was asked for, and where few of them occur
 * anywhere, meaning decides.
 */
import type { Passage } from '../../engine/ports/snapshot.ts';
import { fuseLists } from '../search/fuse-lists.ts';

/** At most `limit` passages, best first, nothing twice. Without close ones, those of the words as they are. */
export function fusePassages(words: readonly Passage[], close: readonly Passage[], limit: number): Passage[] {
  if (close.length === 0) return [...words];
  const covered = words.reduce((best, { coverage = 0 }) => Math.max(best, coverage), 0);
  const weight = covered ** 2;
  const near = close.map((passage, place) => ({ ...passage, near: place }));
  const lists = [
    { passages: words, weight },
    { passages: near, weight: 1 - weight },
  ];
  // Scores of words and of meaning have different scales.
  return fuseLists(lists, limit).map(({ passage, fused }) => ({ ...passage, score: fused }));
}
