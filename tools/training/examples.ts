/** Training examples from the questions: which terms the answer has and which unit has it. */

import { containsAnswer } from '../../bench/questions/articles.ts';
import { createTermMatcher } from '../../src/model/extractive/match/term-matcher.ts';
import { analyse } from '../../src/model/extractive/question/analyse.ts';
import { readCandidates, toVector } from '../../src/model/extractive/rank/features.ts';
import { type ReadUnit, readPassage } from '../../src/model/extractive/text/passages.ts';
import type { QuestionWithEvidence } from './evidence.ts';
import type { List } from './learn-mlp.ts';
import type { SeenTerm } from './learn-term-likelihood.ts';

/** The terms of a question and whether the sentence with the answer, and its page, have them; empty without such a sentence. */
export function termsOf({ question, answers, answering }: QuestionWithEvidence): SeenTerm[] {
  const { terms } = analyse(question);
  const matcher = createTermMatcher(analyse(question));
  const weigh = (own: Float32Array) => own.reduce((sum, strength, i) => sum + strength * terms[i]!.weight, 0);
  const passages = answering.map((source) => readPassage(source));
  const units = passages.flatMap((passage) => passage.units);
  const read = (unit: ReadUnit) => matcher.readText(unit);
  const sentence = units
    .filter((unit) => containsAnswer(unit.text, answers))
    .map(read)
    .sort((a, b) => weigh(b) - weigh(a))[0];
  if (sentence === undefined) return [];
  const page = [...units.map(read), ...passages.map(({ titleStems }) => matcher.read(titleStems))];
  return terms.map((term, i) => {
    return { ...term, inSentence: sentence[i]! > 0, onPage: page.some((own) => own[i]! > 0) };
  });
}

/** All units of the evidence, labelled; undefined where none or all of them have the answer. */
export function unitsOf({ question, answers, sources, answering }: QuestionWithEvidence): List | undefined {
  const analysed = analyse(question);
  const pages = new Set(answering.map(({ url }) => url));
  const candidates = readCandidates(analysed, sources);
  return listOf(
    candidates.map(({ features }) => Float32Array.from(toVector(features, analysed))),
    candidates.map(({ source, unit }) => pages.has(source.url) && containsAnswer(unit.text, answers)),
  );
}

function listOf(rows: readonly Float32Array[], right: readonly boolean[]): List | undefined {
  return right.includes(true) && right.includes(false) ? { rows, right } : undefined;
}
