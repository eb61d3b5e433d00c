/** What was learned of small corpora: how their units are ranked, and whether the best one answers. Written by tools/training/small/train-small.ts. */
import type { Mlp } from '../../../../base/learned/mlp.ts';
import learned from './weights.json' with { type: 'json' };

export interface FewPagesWeights {
  readonly rank: Mlp;
  readonly answerability: Mlp;
}

/** The learned weights: `replaceFewPagesWeights` sets others. */
export const fewPagesWeights = { ...learned } as FewPagesWeights;

/** Replaces the weights for the rest of the process: for training only. */
export function replaceFewPagesWeights(replacement: FewPagesWeights): void {
  Object.assign(fewPagesWeights, replacement);
}
