/**
 * Which of the weighed blocks to keep for the highest expected F1, counted in words. With F1 = 2 · expected words kept /
 * (words kept + expected words), the best set is always the likeliest blocks up to some point.
 */
import type { Block } from '../html/blocks.ts';

export interface Weighed {
  readonly block: Block;
  readonly words: number;
  readonly logOdds: number;
}

/** The probability for log-odds. */
export function probability(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}

/** All block indices, likeliest first, and the `count` of them with the highest expected F1, with that F1 and their words. */
export function bestPrefix(weighed: readonly Weighed[]): { order: number[]; count: number; f1: number; words: number } {
  const order = [...weighed.keys()].sort((a, b) => weighed[b]!.logOdds - weighed[a]!.logOdds);
  const total = expectedWords(weighed);
  const best = { order, count: 0, f1: 0, words: 0 };
  let words = 0;
  let expected = 0;
  for (const [at, index] of order.entries()) {
    words += weighed[index]!.words;
    expected += weighed[index]!.words * probability(weighed[index]!.logOdds);
    const f1 = (2 * expected) / (words + total);
    if (f1 > best.f1) Object.assign(best, { count: at + 1, f1, words });
  }
  return best;
}

/** The words expected to be content: each block's words times its probability. */
export function expectedWords(weighed: readonly Weighed[]): number {
  return weighed.reduce((sum, { words, logOdds }) => sum + words * probability(logOdds), 0);
}
