/**
 * The verdict on a claim and the sentences that may say it: a forest of small trees, learned from thousands of pairs
 * (tools/training/train-claims.ts), says how likely they say it. What no likelihood outweighs are contradictions of numbers, of
 * polarity and of order that the checks find by themselves.
 */
import { type Forest, logOddsOf } from '../../../../base/learned/boosted-trees.ts';
import type { Fault, FaultKind } from '../checks/fault.ts';
import learned from './claim-weights.json' with { type: 'json' };

export type ClaimVerdict = 'supported' | 'partly' | 'contradicted' | 'unclear';

export interface Judgement {
  readonly verdict: ClaimVerdict;
  /** Whether it may be cited: supported, wholly or in part. */
  readonly isCitable: boolean;
  /** Log odds that the sentences say it. */
  readonly odds: number;
}

/** A citation needs at least these log odds; set on folds over the development part of bench/questions/claims. */
export const minOdds = 0.5;
/** What must be said for the verdict "supported", as a share of the claim and as log odds; set by hand. */
const whole = { share: 0.8, odds: 0.8 };
/** The share of a claim that must be said for the sentences to be about it. */
const minShare = 0.3;

/** Faults that are contradictions, whatever else is the same. */
export const vetoes: ReadonlySet<FaultKind> = new Set<FaultKind>([
  'negated copy',
  'reordered copy',
  'rival',
  'opposite',
  'negated',
  'figure differs',
  'comparison',
  'all of some',
  'none',
]);

/** Judges a row of `claimFeatures`. `share` is the share of the claim that is said, 0 to 1. */
export function judgeClaim(row: readonly number[], faults: readonly Fault[], share: number): Judgement {
  const odds = logOddsOf(learned as Forest, row);
  const isVetoed = faults.some(({ kind }) => vetoes.has(kind));
  const isCitable = odds >= minOdds && !isVetoed;
  if (isCitable)
    return { verdict: share >= whole.share && odds >= whole.odds ? 'supported' : 'partly', isCitable, odds };
  const isContradicted = share >= minShare && (isVetoed || faults.some(({ verdict }) => verdict === 'contradicted'));
  return { verdict: isContradicted ? 'contradicted' : 'unclear', isCitable, odds };
}
