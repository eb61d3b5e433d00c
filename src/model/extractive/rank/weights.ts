/**
 * The trained weights of the extractive model. `node --import tsx tools/training/train-extractive.ts <folder>` trains
 * them again and prints their scores on held-out articles.
 */

import type { Forest } from '../../../base/learned/boosted-trees.ts';
import type { Mlp } from '../../../base/learned/mlp.ts';
import learned from './weights.json' with { type: 'json' };

export interface Weights {
  /** Inverse document frequency of a stem in general English, scaled to 0 to 98; a stem that is not listed is rarer. */
  readonly idf: ReadonlyMap<string, number>;
  /** Coefficients and, by stem, shifts in log odds, for a sentence and for its page: see match/term-likelihood.ts. */
  readonly termLikelihood: {
    readonly own: readonly number[];
    readonly page: readonly number[];
    readonly shift: ReadonlyMap<string, readonly number[]>;
  };
  /** Score a unit as an answer. Their mean counts, and only its differences within one question have a meaning. */
  readonly rank: readonly Mlp[];
  /** Scores a unit on the same scale: trees and networks make different mistakes. */
  readonly trees: Forest;
  /** Log odds that the evidence answers the question. */
  readonly answerability: Forest;
}

// Maps, because prompts decide what is looked up, and "constructor" is a word.
export const weights: Weights = {
  ...learned,
  idf: new Map(Object.entries(learned.idf)),
  termLikelihood: { ...learned.termLikelihood, shift: new Map(Object.entries(learned.termLikelihood.shift)) },
};

/** Replaces some of the weights for the rest of the process: for training only. */
export function replaceWeights(replacement: Partial<Weights>): void {
  Object.assign(weights, replacement);
}
