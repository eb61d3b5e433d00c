/**
 * The verdict on a claim and the sentences that may say it: a forest of small trees, learned from thousands of pairs
 * (tools/training/claims/train-claims.ts), says how likely they say it. No likelihood outweighs a contradiction of numbers, of polarity or of
 * order in a claim that has most of its words from the source. In a claim in other words it is a feature among others, because half of such claims
 * are true; they are never wholly supported.
 */
import { type Forest, logOddsOf } from '../../../../base/learned/boosted-trees.ts';
import type { Fault, FaultKind } from '../checks/fault.ts';
import learned from './claim-weights.json' with { type: 'json' };

export type ClaimVerdict = 'supported' | 'partly' | 'contradicted' | 'unclear';

/** What is known of a claim and of sentences that may say it. */
export interface Judged {
  /** `claimFeatures`, and whether it is denied and plain, 0 or 1. */
  readonly row: readonly number[];
  readonly faults: readonly Fault[];
  /** Whether these sentences, or a part of them that says as much, seem to contradict the claim. */
  readonly isDenied: boolean;
  /** Whether they do, whatever the model says. */
  readonly isVetoed: boolean;
  /** The share of the claim that is said, at most 1. */
  readonly share: number;
  /** Whether there is no order to judge: a row of a table, a label and its value, or a stretch of the source as it is. */
  readonly isPlain: boolean;
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

/** Faults that are contradictions if the rest is as clear. */
const denials: ReadonlySet<FaultKind> = new Set<FaultKind>([
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
/**
 * The share of a claim that is copied from its source from which such a fault decides by itself. Of the claims written by hand that
 * have such a fault, 9 of 219 above it are true, and 91 of 199 below it.
 */
const minCopied = 0.6;

/** Whether a fault is a contradiction if the rest is as clear. */
export function isDenial({ kind }: Fault): boolean {
  return denials.has(kind);
}

/** Whether sentences contradict a claim whatever else is the same: they have most of its words, and one of these faults. */
export function isVeto(faults: readonly Fault[], copied: number): boolean {
  return copied >= minCopied && faults.some(isDenial);
}

/** The verdict on a claim and one candidate. */
export function judgeClaim({ row, faults, isDenied, isVetoed, share, isPlain }: Judged): Judgement {
  if (isPlain && faults.length === 0 && share >= minShare.plain)
    return { verdict: 'supported', isCitable: true, odds: Number.POSITIVE_INFINITY };
  const odds = logOddsOf(learned as Forest, row);
  const isCitable = odds >= minOdds && !isVetoed;
  if (isCitable)
    return {
      verdict: share >= whole.share && odds >= whole.odds && !isDenied ? 'supported' : 'partly',
      isCitable,
      odds,
    };
  const isContradicted =
    share >= minShare.about && (isDenied || faults.some(({ verdict }) => verdict === 'contradicted'));
  return { verdict: isContradicted ? 'contradicted' : 'unclear', isCitable, odds };
}
