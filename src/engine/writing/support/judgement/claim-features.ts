/**
 * What a model of claims knows of a claim and the sentences that may say it: how much of it they say and in which order,
 * what either has that the other lacks, by kind of word, how verbs and their arguments are turned, and the faults that the
 * checks found. Bounded by the length of a sentence.
 */
import { type Fault, type FaultKind, faultKinds } from '../checks/fault.ts';
import type { Candidate } from '../closest-sentences.ts';
import type { Reading } from '../reading/reading.ts';
import { argumentFeatures } from './argument-features.ts';
import { differenceFeatures } from './difference-features.ts';
import { orderFeatures } from './order-features.ts';
import { saidFeatures } from './said-features.ts';
import { stanceFeatures } from './stance.ts';

export interface ClaimFeatures {
  /** In a fixed order. */
  readonly row: number[];
  /** The share of the claim's words that are in the source in the same order and form, 0 to 1. */
  readonly copied: number;
}

/** The features of a claim and one candidate. */
export function claimFeatures(claim: Reading, candidate: Candidate, faults: readonly Fault[]): ClaimFeatures {
  const { reading: source, share, sentences } = candidate;
  const said = saidFeatures(claim, candidate);
  const { row: order, stretch } = orderFeatures(claim, candidate, said.content);
  const { row: differences, copied } = differenceFeatures(claim, source, stretch);
  const kinds = new Array<number>(faultKinds.length).fill(0);
  for (const { kind } of faults) kinds[(faultKinds as readonly FaultKind[]).indexOf(kind)]! += 1;
  const row = [
    share,
    sentences,
    ...said.row,
    ...order,
    ...differences,
    ...argumentFeatures(claim, candidate),
    ...stanceFeatures(claim, source, (at) => stretch.clauses.has(source.clauses[at])),
    faults.length,
    faults.filter(({ verdict }) => verdict === 'contradicted').length,
    ...kinds,
  ];
  return { row, copied };
}
