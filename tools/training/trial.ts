/** Answers a question with the current weights: the features of its answerability, and what the answer would be. */

import { containsAnswer } from '../../bench/questions/articles.ts';
import { compose } from '../../src/model/extractive/answer/compose.ts';
import { analyse } from '../../src/model/extractive/question/analyse.ts';
import { answerabilityFeatures } from '../../src/model/extractive/rank/answerability.ts';
import { rankUnits } from '../../src/model/extractive/rank/rank.ts';
import type { Source } from '../../src/model/extractive/text/passages.ts';
import { countWords } from '../../src/model/extractive/text/words.ts';
import type { QuestionWithEvidence } from './evidence.ts';

/** Words of a whole answer up to which it is useful: what a reader takes in at a glance. */
const usefulWords = 40;
const marker = /\[(\d+)\](?=\s|$)/g;

export interface Trial {
  readonly answerable: boolean;
  /** Features of answerability; undefined without evidence. */
  readonly features: Float32Array | undefined;
  /** The same for the evidence without the article that answers. */
  readonly withoutAnswer: Float32Array | undefined;
  /** Whether the first piece has the answer, and whether the whole answer has it and is short. */
  readonly first: boolean;
  readonly useful: boolean;
  /** The share of the cited pages that answer. */
  readonly precision: number;
  readonly words: number;
}

/** Answers a question whether or not it is answerable. */
export function tryOut({ question: text, answers, sources, withoutAnswer, answering }: QuestionWithEvidence): Trial {
  const question = analyse(text);
  const ranked = rankUnits(question, sources);
  const answer = ranked.length === 0 ? '' : compose(question, ranked).join('').trim();
  const pieces = answer.split(marker);
  const words = countWords(pieces.join(' '));
  const cited = new Set([...answer.matchAll(marker)].map(([, n]) => sources[Number(n) - 1]?.url));
  const right = [...cited].filter((page) => answering.some(({ url }) => url === page)).length;
  return {
    answerable: answers.length > 0,
    features: ranked.length === 0 ? undefined : Float32Array.from(answerabilityFeatures(question, ranked)),
    withoutAnswer: featuresOf(text, withoutAnswer),
    first: containsAnswer(pieces[0]!, answers),
    useful: words <= usefulWords && containsAnswer(pieces.join(' '), answers),
    precision: right / Math.max(1, cited.size),
    words,
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
  const share = (of: readonly Trial[], is: (trial: Trial) => boolean) => percent(meanOf(of.map((each) => +is(each))));
  const answered = answerable.filter(isAnswered);
  const words = meanOf(answered.map((each) => each.words));
  return [
    `${answerable.length} questions: answer in the first piece ${share(answerable, (each) => each.first && isAnswered(each))}`,
    `useful ${share(answerable, (each) => each.useful && isAnswered(each))}`,
    `cited pages that answer ${percent(meanOf(answered.map(({ precision }) => precision)))}`,
    `refused ${share(answerable, (each) => !isAnswered(each))}`,
    `words ${words.toFixed(0)}`,
    `${others.length} without an answer: refused ${share(others, (each) => !isAnswered(each))}`,
  ].join(', ');
}

/** 0 for no values. */
function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
