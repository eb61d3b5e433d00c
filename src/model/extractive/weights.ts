/**
 * What was learned, as plain numbers. `common` counts in how many passages a stem stands, averaged over encyclopedia
 * articles without each stem's two fondest, web pages and package documentation. The rest was learned from 6,000
 * questions of SQuAD 1.1's training half over 38 articles: `expect` by logistic regression, `rank` by gradient descent
 * on the cross-entropy of the sentence that holds the answer among all sentences of twelve passages, `answers` on those
 * questions against 800 about other articles and 3,000 whose own article was taken away.
 *
 * Five folds by article, nothing of an article in what it is measured on: the answer within 90 words for 85.9 % (78
 * words on average), the page cited for 88.2 %, first for 80.9 %; 78.1 % of the questions about other articles refused,
 * and 2.9 % of those with an answer.
 */

import type { Network } from './network.ts';
import learned from './weights.json' with { type: 'json' };

export interface Weights {
  /** Rarity of a stem in general English text, 0 to 100; a stem that is not here is rare. */
  readonly common: ReadonlyMap<string, number>;
  /** Coefficients and, by stem, shifts of log odds: see expectation.ts. */
  readonly expect: {
    readonly own: readonly number[];
    readonly page: readonly number[];
    readonly shift: ReadonlyMap<string, readonly number[]>;
  };
  /** Scores a unit as an answer; only differences within one question mean something. */
  readonly rank: Network;
  /** Whether the evidence answers the question, as log odds. */
  readonly answers: Network;
}

// Maps, because the words of a prompt look things up here, and "constructor" is a word.
export const weights: Weights = {
  ...learned,
  common: new Map(Object.entries(learned.common)),
  expect: { ...learned.expect, shift: new Map(Object.entries(learned.expect.shift)) },
};
