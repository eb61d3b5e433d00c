/**
 * What was learned, as plain numbers: `node --import tsx tools/training/train-extractive.ts <folder>` learns them again, says what it learns
 * from and prints what they are worth on articles that were held out.
 */

import type { Forest } from '../../../base/learned/boosted-trees.ts';
import type { Network } from '../../../base/learned/mlp.ts';
import learned from './weights.json' with { type: 'json' };

export interface Weights {
  /** Rarity of a stem in general English text, 0 to 100; a stem that is not here is rare. */
  readonly common: ReadonlyMap<string, number>;
  /** Coefficients and, by stem, shifts of log odds: see match/term-likelihood.ts. */
  readonly expect: {
    readonly own: readonly number[];
    readonly page: readonly number[];
    readonly shift: ReadonlyMap<string, readonly number[]>;
  };
  /** Score a unit as an answer; their mean counts, and only differences within one question mean something. */
  readonly rank: readonly Network[];
  /** Scores it too, in the same way: what trees get wrong is not what networks do. */
  readonly trees: Forest;
  /** Scores a clause as the one of its sentence that holds the answer, in the same way. */
  readonly clause: Network;
  /** Whether the evidence answers the question, as log odds. */
  readonly answers: Forest;
}

// Maps, because the words of a prompt look things up here, and "constructor" is a word.
export const weights: Weights = {
  ...learned,
  common: new Map(Object.entries(learned.common)),
  expect: { ...learned.expect, shift: new Map(Object.entries(learned.expect.shift)) },
};

/** Puts other numbers in their place, for whoever learns them. */
export function replaceWeights(others: Partial<Weights>): void {
  Object.assign(weights, others);
}
