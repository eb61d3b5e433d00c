/**
 * What was learned, as plain numbers. How and with what result: see the head of bench/train-extractive.ts.
 */

import type { Network } from './network.ts';
import learned from './weights.json' with { type: 'json' };

export interface Weights {
  /** Rarity of a stem in general English text, 0 to 100; a stem that is not here is rare. */
  readonly common: Readonly<Record<string, number>>;
  /** Coefficients and, by stem, shifts of log odds: see expectation.ts. */
  readonly expect: {
    readonly own: readonly number[];
    readonly page: readonly number[];
    readonly shift: Readonly<Record<string, readonly number[]>>;
  };
  /** Scores a unit as an answer; only differences within one question mean something. */
  readonly rank: Network;
  /** Whether the evidence answers the question, as log odds. */
  readonly answers: Network;
}

export const weights: Weights = learned;
