/** What the product makes of a question with what was learned so far: the signs that it has an answer, and what it would say. */

import { containsAnswer } from '../../bench/questions/articles.ts';
import { compose } from '../../src/model/extractive/answer/answer.ts';
import { analyse } from '../../src/model/extractive/question/analyse.ts';
import { answerabilityFeatures } from '../../src/model/extractive/rank/answerability.ts';
import { rankUnits } from '../../src/model/extractive/rank/rank.ts';
import type { Source } from '../../src/model/extractive/text/passages.ts';
import type { QuestionWithEvidence } from './evidence.ts';

export interface Trial {
  readonly answerable: boolean;
  /** Undefined where nothing is found. */
  readonly signs: Float32Array | undefined;
  /** The same with the article that answers taken away. */
  readonly away: Float32Array | undefined;
  /** Of what would be said: the answer within 90 words, its page cited, cited first. */
  readonly right: boolean;
  readonly cited: boolean;
  readonly citedFirst: boolean;
  readonly words: number;
}

export function tryOut({ question: text, answers, sources, away, right }: QuestionWithEvidence): Trial {
  const question = analyse(text);
  const ranked = rankUnits(question, sources);
  const said = ranked.length === 0 ? '' : compose(question, ranked).join('').trim();
  const numbers = [...said.matchAll(/\[(\d+)\](?=\s|$)/g)].map((match) => Number(match[1]));
  const cites = numbers.map((n) => right.some(({ url }) => url === sources[n - 1]?.url));
  const words = said
    .replace(/\[\d+\](?=\s|$)/g, ' ')
    .split(/\s+/)
    .filter(Boolean);
  return {
    answerable: answers.length > 0,
    signs: ranked.length === 0 ? undefined : Float32Array.from(answerabilityFeatures(question, ranked)),
    away: signsIn(text, away),
    right: containsAnswer(words.slice(0, 90).join(' '), answers),
    cited: cites.includes(true),
    citedFirst: cites[0] === true,
    words: words.length,
  };
}

function signsIn(text: string, sources: readonly Source[]): Float32Array | undefined {
  const question = analyse(text);
  const ranked = rankUnits(question, sources);
  return ranked.length === 0 ? undefined : Float32Array.from(answerabilityFeatures(question, ranked));
}

/** What trials come to; `given` says which were answered. */
export function describeTrials(trials: readonly Trial[], given: (trial: Trial) => boolean): string {
  const asked = trials.filter(({ answerable }) => answerable);
  const others = trials.filter(({ answerable }) => !answerable);
  const share = (of: readonly Trial[], is: (trial: Trial) => boolean) =>
    `${((100 * of.filter(is).length) / Math.max(1, of.length)).toFixed(1)} %`;
  const answered = asked.filter(given);
  const words = answered.reduce((sum, each) => sum + each.words, 0) / Math.max(1, answered.length);
  return [
    `${asked.length} questions: answer within 90 words ${share(asked, (each) => each.right && given(each))}`,
    `page cited ${share(asked, (each) => each.cited && given(each))}`,
    `first ${share(asked, (each) => each.citedFirst && given(each))}`,
    `refused ${share(asked, (each) => !given(each))}`,
    `words ${words.toFixed(0)}`,
    `${others.length} without an answer: refused ${share(others, (each) => !given(each))}`,
  ].join(', ');
}
