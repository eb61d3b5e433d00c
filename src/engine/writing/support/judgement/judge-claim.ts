/**
 * The verdict on a claim and the sentences that may say it: a forest of small trees, learned from thousands of pairs
 * (tools/training/claims/train-claims.ts), says how likely they say it. What no likelihood outweighs are contradictions of numbers, of
 * polarity and of order that the checks find by themselves.
 */
import { type Forest, logOddsOf } from '../../../../base/learned/boosted-trees.ts';
import type { Fault, FaultKind } from '../checks/fault.ts';
import learned from './claim-weights.json' with { type: 'json' };

export type ClaimVerdict = 'supported' | 'partly' | 'contradicted' | 'unclear';

/** What is known of a claim and of sentences that may say it. */
export interface Judged {
  /** `claimFeatures`. */
  readonly row: readonly number[];
  readonly faults: readonly Fault[];
  /** Whether these sentences contradict the claim, whatever the model says. */
  readonly isVetoed: boolean;
  /** The share of the claim that is said, at most 1. */
  readonly share: number;
  /** Whether there is no order to judge: a row of a table, a label and its value, or a stretch of the source as it is. */
  readonly isPlain: boolean;
  /** Whether each clause of the claim is a part of one of theirs. */
  readonly isEntailed: boolean;
}

export interface Judgement {
  readonly verdict: ClaimVerdict;
  /** Whether it may be cited: supported, wholly or in part. */
  readonly isCitable: boolean;
  /** Log odds that the sentences say it. */
  readonly odds: number;
}

/** A citation needs at least these log odds; set on folds over the development part of bench/questions/claims. */
export const minOdds = 0.4;
/** What must be said for the verdict "supported", as a share of the claim and as log odds; set by hand. */
const whole = { share: 0.8, odds: 0.8 };
/** Shares of a claim that must be said: for the sentences to be about it, and to be said where there is no order to judge. */
const minShare = { about: 0.3, plain: 0.88 };

/** Faults that are contradictions, whatever else is the same. */
const vetoes: ReadonlySet<FaultKind> = new Set<FaultKind>([
  'negated copy',
  'reordered copy',
  'rival',
  'opposite',
  'negated',
  'figure differs',
  'comparison',
  'all of some',
  'none',
  'clause roles',
  'clause polarity',
  'clause object',
  'clause phrase',
  'clause figure',
]);
/** Faults of the order of words, which the comparison of clauses knows better. */
const structural: ReadonlySet<FaultKind> = new Set<FaultKind>([
  'name replaced',
  'name elsewhere',
  'roles',
  'subject',
  'voice',
  'agent',
  'object',
  'other agent',
  'identity',
  'substitute',
]);

/** Whether a fault is a contradiction whatever else is the same. */
export function hasVeto(faults: readonly Fault[]): boolean {
  return faults.some(({ kind }) => vetoes.has(kind));
}

/** The verdict on a claim and one candidate. */
export function judgeClaim({ row, faults, isVetoed, share, isPlain, isEntailed }: Judged): Judgement {
  if (isPlain && faults.length === 0 && share >= minShare.plain)
    return { verdict: 'supported', isCitable: true, odds: Number.POSITIVE_INFINITY };
  const isSaid = isEntailed && faults.every(({ kind }) => structural.has(kind));
  const odds = Math.max(logOddsOf(learned as Forest, row), isSaid ? whole.odds : Number.NEGATIVE_INFINITY);
  const isCitable = odds >= minOdds && !isVetoed;
  if (isCitable)
    return { verdict: share >= whole.share && odds >= whole.odds ? 'supported' : 'partly', isCitable, odds };
  const isContradicted =
    share >= minShare.about && (isVetoed || faults.some(({ verdict }) => verdict === 'contradicted'));
  return { verdict: isContradicted ? 'contradicted' : 'unclear', isCitable, odds };
}
