/** Answers a question with the current weights: the features of its answerability, and what the answer would be. */

import { containsAnswer } from '../../bench/questions/articles.ts';
import { compose } from '../../src/model/extractive/answer/answer.ts';
import { analyse } from '../../src/model/extractive/question/analyse.ts';
import { answerabilityFeatures } from '../../src/model/extractive/rank/answerability.ts';
import { rankUnits } from '../../src/model/extractive/rank/rank.ts';
import type { Source } from '../../src/model/extractive/text/passages.ts';
import type { QuestionWithEvidence } from './evidence.ts';

export interface Trial {
  readonly answerable: boolean;
  /** Features of answerability; undefined without evidence. */
  readonly features: Float32Array | undefined;
  /** The same for the evidence without the article that answers. */
  readonly withoutAnswer: Float32Array | undefined;
  /** Whether the first 90 words have the answer, and whether its page is cited, and cited first. */
  readonly right: boolean;
  readonly cited: boolean;
  readonly citedFirst: boolean;
  readonly words: number;
}

/** Answers a question whether or not it is answerable. */
export function tryOut({ question: text, answers, sources, withoutAnswer, answering }: QuestionWithEvidence): Trial {
  const question = analyse(text);
  const ranked = rankUnits(question, sources);
  const answer = ranked.length === 0 ? '' : compose(question, ranked).join('').trim();
  const numbers = [...answer.matchAll(/\[(\d+)\](?=\s|$)/g)].map((match) => Number(match[1]));
  const cites = numbers.map((n) => answering.some(({ url }) => url === sources[n - 1]?.url));
  const words = answer
    .replace(/\[\d+\](?=\s|$)/g, ' ')
    .split(/\s+/)
    .filter(Boolean);
  return {
    answerable: answers.length > 0,
    features: ranked.length === 0 ? undefined : Float32Array.from(answerabilityFeatures(question, ranked)),
    withoutAnswer: featuresOf(text, withoutAnswer),
    right: containsAnswer(words.slice(0, 90).join(' '), answers),
    cited: cites.includes(true),
    citedFirst: cites[0] === true,
    words: words.length,
  };
}

function featuresOf(text: string, sources: readonly Source[]): Float32Array | undefined {
  const question = analyse(text);
  const ranked = rankUnits(question, sources);
  return ranked.length === 0 ? undefined : Float32Array.from(answerabilityFeatures(question, ranked));
}

/** A line with the scores of some trials; `isAnswered` says which of them are answered. */
export function describeTrials(trials: readonly Trial[], isAnswered: (trial: Trial) => boolean): string {
  const answerable = trials.filter((trial) => trial.answerable);
  const others = trials.filter((trial) => !trial.answerable);
  const share = (of: readonly Trial[], is: (trial: Trial) => boolean) =>
    `${((100 * of.filter(is).length) / Math.max(1, of.length)).toFixed(1)} %`;
  const answered = answerable.filter(isAnswered);
  const words = answered.reduce((sum, each) => sum + each.words, 0) / Math.max(1, answered.length);
  return [
    `${answerable.length} questions: answer within 90 words ${share(answerable, (each) => each.right && isAnswered(each))}`,
    `page cited ${share(answerable, (each) => each.cited && isAnswered(each))}`,
    `first ${share(answerable, (each) => each.citedFirst && isAnswered(each))}`,
    `refused ${share(answerable, (each) => !isAnswered(each))}`,
    `words ${words.toFixed(0)}`,
    `${others.length} without an answer: refused ${share(others, (each) => !isAnswered(each))}`,
  ].join(', ');
}
