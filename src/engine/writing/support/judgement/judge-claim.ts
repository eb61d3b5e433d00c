/**
 * The verdict on a claim and the sentences that may say it: a forest of small trees, learned from thousands of pairs
 * (tools/training/claims/train-claims.ts), says how likely they say it. No likelihood outweighs a contradiction of numbers, of
 * polarity or of order in a claim that has most of its words from the source, or one between its clauses and theirs. In a claim in
 * other words a contradiction of words is a feature among others, because half of such claims are true; they are never wholly
 * supported.
 */
import { type Forest, logOddsOf } from '../../../../base/learned/boosted-trees.ts';
import type { Fault, FaultKind } from '../checks/fault.ts';
import learned from './claim-weights.json' with { type: 'json' };

export type ClaimVerdict = 'supported' | 'partly' | 'contradicted' | 'unclear';

/** What is known of a claim and of sentences that may say it. */
export interface Judged {
  /** `claimFeatures`, those of clauses, and whether it is denied, said and plain, 0 or 1. */
  readonly row: readonly number[];
  readonly faults: readonly Fault[];
  /** Whether these sentences, or a part of them that says as much, seem to contradict the claim. */
  readonly isDenied: boolean;
  /** Whether they contradict it whatever the model says. */
  readonly isVetoed: boolean;
  /** The share of the claim that is said, at most 1. */
  readonly share: number;
  /** Whether there is no order to judge: a row of a table, a label and its value, or a stretch of the source as it is. */
  readonly isPlain: boolean;
  /** Whether each clause of the claim is a part of one of theirs, and no check finds more than an order of words. */
  readonly isEntailed: boolean;
}

export interface Judgement {
  readonly verdict: ClaimVerdict;
  /** Whether it may be cited: supported, wholly or in part. */
  readonly isCitable: boolean;
  /** Log odds that the sentences say it. */
  readonly odds: number;
}

/** A citation needs at least these log odds; set by hand on folds (tools/training/NOTES.md, Claims) and on scripted models. */
export const minOdds = 0;
/** What must be said for the verdict "supported", as a share of the claim and as log odds; set by hand. */
const whole = { share: 0.8, odds: 0.8 };
/**
 * Shares of a claim that must be said for sentences to contradict it, and to say it where there is no order to judge; set by hand.
 */
const minShare = { about: 0.3, plain: 0.88 };
/**
 * Log odds below which a fault of the words contradicts a claim in other words. Above them, where a third of such claims is
 * true, the verdict is open, and a model is asked if there is one. Set by hand on folds.
 */
const maxContradicted = -2;

/** Faults that contradict a claim if the rest is as clear, and those that do so whatever the rest says. */
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
  'agent',
  'object',
  'roles',
  'order',
  'cause',
  'order of figures',
  'time of figure',
  'name replaced',
  'trend',
  'evidence',
  'exception',
  'comparison reversed',
  'limit reversed',
  'range reversed',
]);
const clauseFaults: ReadonlySet<FaultKind> = new Set<FaultKind>([
  'clause roles',
  'clause polarity',
  'clause agent',
  'clause object',
  'clause phrase',
  'clause figure',
]);
/** Faults of the order of words, which the comparison of clauses judges better. */
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
/**
 * If at least this share of a claim is copied from its source, a denial decides by itself. Of the claims written by hand
 * that have one, 9 of 219 above it are true, and 91 of 199 below it.
 */
const minCopied = 0.6;

/** Whether a fault is a contradiction if the rest is as clear. */
export function isDenial({ kind }: Fault): boolean {
  return denials.has(kind) || clauseFaults.has(kind);
}

/**
 * Whether sentences that seem to contradict a claim do so whatever the model says: `copied` is the share of its words that are
 * theirs, 0 to 1.
 */
export function isVeto(faults: readonly Fault[], copied: number): boolean {
  return copied >= minCopied || faults.some(({ kind }) => clauseFaults.has(kind));
}

/** Whether a check that compares words, and not their order, finds anything. */
export function isOrderOnly(faults: readonly Fault[]): boolean {
  return faults.every(({ kind }) => structural.has(kind));
}

/** Whether there is no order to judge and nothing to find fault with. */
export function isPlainlySaid({ isPlain, faults, share }: Pick<Judged, 'isPlain' | 'faults' | 'share'>): boolean {
  return isPlain && faults.length === 0 && share >= minShare.plain;
}

/** The verdict on a claim and one candidate; `forest` and `floor`, in log odds, differ in training. */
export function judgeClaim(judged: Judged, forest = learned as Forest, floor = minOdds): Judgement {
  const { row, faults, isDenied, isVetoed, share, isEntailed } = judged;
  if (isPlainlySaid(judged)) return { verdict: 'supported', isCitable: true, odds: Number.POSITIVE_INFINITY };
  const odds = Math.max(logOddsOf(forest, row), isEntailed ? whole.odds : Number.NEGATIVE_INFINITY);
  const isCitable = odds >= floor && !isVetoed;
  if (isCitable) {
    const isWhole = share >= whole.share && odds >= whole.odds && !isDenied;
    return { verdict: isWhole ? 'supported' : 'partly', isCitable, odds };
  }
  const isContradicted =
    share >= minShare.about &&
    (isVetoed || (odds < maxContradicted && (isDenied || faults.some(({ verdict }) => verdict === 'contradicted'))));
  return { verdict: isContradicted ? 'contradicted' : 'unclear', isCitable, odds };
}
