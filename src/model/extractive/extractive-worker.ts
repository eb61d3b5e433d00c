/** Runs one task of the extractive model on a worker thread; see extractive.ts. */
import { createPatternMatcher } from '../../base/values/allowed-values.ts';
import type { Leaf, LeafValue } from '../../engine/ports/model.ts';
import { type Answer, answer } from './answer/answer.ts';
import { fill } from './fill/fill.ts';
import { type DocumentPassage, type ProposedQuestion, proposeQuestions } from './question/propose.ts';
import type { Source } from './text/passages.ts';

export type Task =
  | { readonly stage: 'propose'; readonly passages: readonly DocumentPassage[] }
  | {
      readonly stage: 'answer';
      readonly prompt: string;
      readonly sources: readonly Source[];
      readonly deep: boolean;
    }
  | {
      readonly stage: 'fill';
      readonly prompt: string;
      readonly sources: readonly Source[];
      readonly leaves: readonly Leaf[];
    };

/** An `Answer` for the stage `answer`, values for the stage `fill`, questions for the stage `propose`. */
export type Result = Answer | LeafValue[] | ProposedQuestion[];

/** The entry point of the worker. */
export default async function run(task: Task): Promise<Result> {
  if (task.stage === 'propose') return proposeQuestions(task.passages);
  if (task.stage === 'answer') return answer(task.prompt, task.sources, task);
  const matches = await createPatternMatcher(task.leaves.map(({ allowed }) => allowed));
  return fill(task.prompt, task.leaves, task.sources, matches);
}
