/**
 * Which clause of a long sentence has the answer, given that the sentence has it: a probability for each clause, by the
 * terms it has and lacks, the cues in it, how it begins and its position.
 */

import { runMlp, softmax } from '../../../base/learned/mlp.ts';
import { coverage } from '../match/coverage.ts';
import { createTermMatcher, stemsOf, type TermMatcher } from '../match/term-matcher.ts';
import { measureProximity } from '../match/term-proximity.ts';
import { type AnalysedQuestion, questionKinds } from '../question/analyse.ts';
import type { ReadUnit } from '../text/passages.ts';
import { readWords } from '../text/words.ts';
import { createCueReader, type ReadCues } from './answer-cues.ts';
import { readAnswerTypeFeatures } from './answer-type-features.ts';
import { weights } from './weights.ts';

/** The probabilities of a unit's clauses, in order; they sum to 1. */
export type ClauseShares = (unit: ReadUnit) => readonly number[];

/** Returns a function for the probabilities of a unit's clauses. */
export function createClauseShares(question: AnalysedQuestion): ClauseShares {
  const read = createClauseReader(question);
  return (unit) => {
    if (unit.clauses.length === 1) return [1];
    return softmax(read(unit).map((vector) => runMlp(weights.clause, vector)));
  };
}

/** Returns a function for the features of each clause of a unit, in the order of the trained weights. */
export function createClauseReader(question: AnalysedQuestion): (unit: ReadUnit) => number[][] {
  const matcher = createTermMatcher(question);
  const readCues = createCueReader(question, matcher);
  const cover = coverage(question.terms.map(({ weight }) => weight));
  const kind = questionKinds.map((each) => (each === question.kind ? 1 : 0));
  return (unit) => {
    const parts = unit.clauses.map(({ start, end }) => partOf(unit, start, end));
    const strengths = parts.map(({ stems }) => matcher.read(stems));
    const covers = strengths.map((own) => cover(own));
    const whole = cover(...strengths);
    return parts.map((part, i) => [
      covers[i]!,
      whole === 0 ? 0 : covers[i]! / whole,
      whole,
      covers[i - 1] ?? 0,
      covers[i + 1] ?? 0,
      i === 0 ? 1 : 0,
      i === parts.length - 1 ? 1 : 0,
      part.words.length / Math.max(1, unit.words.length),
      parts.length / 4,
      ...featuresOfClause(part, question, matcher, readCues, strengths[i]!),
      ...kind,
    ]);
  };
}

function partOf(unit: ReadUnit, start: number, end: number): ReadUnit {
  const text = unit.text.slice(start, end);
  const words = readWords(text);
  return { ...unit, text, words, stems: stemsOf(text, words), clauses: [{ start: 0, end: text.length }] };
}

function featuresOfClause(
  part: ReadUnit,
  question: AnalysedQuestion,
  matcher: TermMatcher,
  readCues: ReadCues,
  own: Float32Array,
): number[] {
  const found = readAnswerTypeFeatures(part, question, matcher);
  const order = measureProximity(part, question, matcher);
  const cues = readCues(part, own);
  const lead = /^\S+/.exec(part.text)?.[0].toLowerCase() ?? '';
  const begins = (pattern: RegExp) => (pattern.test(lead) ? 1 : 0);
  return [
    found.some,
    found.near,
    found.focus,
    found.novel,
    order.pairs,
    order.density,
    order.inOrder,
    order.close,
    cues.typed,
    cues.typedNear,
    cues.typedAmong,
    cues.calls,
    cues.defines,
    Math.min(1, part.words.length / 30),
    begins(/^(?:which|who|whom|whose|where|when)$/),
    begins(/^(?:and|but|or|so|while|whereas|although|though)$/),
    begins(/ing$/),
    begins(/^(?:such|including|with|as|because|since)$/),
  ];
}
