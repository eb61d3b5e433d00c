/** Runs one task of the extractive model on a worker thread; see extractive.ts. */
import type { Leaf, LeafValue } from '../../engine/ports/model.ts';
import { type Answer, answer } from './answer/answer.ts';
import { fill } from './fill/fill.ts';
import { type DocumentPassage, type ProposedQuestion, proposeQuestions } from './question/propose.ts';
import { receiveSources, type SentSource } from './text/sent-sources.ts';

export type Task =
  | { readonly stage: 'propose'; readonly passages: readonly DocumentPassage[] }
  | {
      readonly stage: 'answer';
      readonly prompt: string;
      readonly sources: readonly SentSource[];
      readonly deep: boolean;
    }
  | {
      readonly stage: 'fill';
      readonly prompt: string;
      readonly sources: readonly SentSource[];
      readonly leaves: readonly Leaf[];
    };

/**
 * An `Answer` for the stage `answer`, values for the stage `fill`, questions for the stage `propose`; undefined if a source
 * came without its text and it is not here.
 */
export type Result = Answer | LeafValue[] | ProposedQuestion[] | undefined;

/** The entry point of the worker. */
export default function run(task: Task): Result {
  if (task.stage === 'propose') return proposeQuestions(task.passages);
  const sources = receiveSources(task.sources);
  if (sources === undefined) return undefined;
  return task.stage === 'answer' ? answer(task.prompt, sources, task) : fill(task.prompt, task.leaves, sources);
}
