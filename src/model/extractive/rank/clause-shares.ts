/**
 * Which clause of a long sentence holds the answer, given that the sentence does: a probability for each clause, by what
 * of the question it has and lacks, what it offers, how it begins and where it stands.
 */

import { runNetwork, softmax } from '../../../base/learned/mlp.ts';
import { coverage } from '../match/coverage.ts';
import { createMatcher, type Matcher, stemsOf } from '../match/term-matcher.ts';
import { orderOf } from '../match/term-proximity.ts';
import { kinds, type Question } from '../question/analyse.ts';
import type { ReadUnit } from '../text/passages.ts';
import { readWords } from '../text/words.ts';
import { type ReadSigns, signReader } from './answer-signs.ts';
import { candidatesIn } from './answer-type-features.ts';
import { weights } from './weights.ts';

/** The probabilities of a unit's clauses, in order; they sum to 1. */
export type ClauseShares = (unit: ReadUnit) => readonly number[];

export function createClauseShares(question: Question): ClauseShares {
  const read = clauseReader(question);
  return (unit) => {
    if (unit.clauses.length === 1) return [1];
    return softmax(read(unit).map((vector) => runNetwork(weights.clause, vector)));
  };
}

/** The features of each clause of a unit, in the order that the weights were learned for. */
export function clauseReader(question: Question): (unit: ReadUnit) => number[][] {
  const matcher = createMatcher(question);
  const readSigns = signReader(question, matcher);
  const cover = coverage(question.terms.map(({ weight }) => weight));
  const kind = kinds.map((each) => (each === question.kind ? 1 : 0));
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
      ...signsOfClause(part, question, matcher, readSigns, strengths[i]!),
      ...kind,
    ]);
  };
}

function partOf(unit: ReadUnit, start: number, end: number): ReadUnit {
  const text = unit.text.slice(start, end);
  const words = readWords(text);
  return { ...unit, text, words, stems: stemsOf(text, words), clauses: [{ start: 0, end: text.length }] };
}

function signsOfClause(
  part: ReadUnit,
  question: Question,
  matcher: Matcher,
  readSigns: ReadSigns,
  own: Float32Array,
): number[] {
  const found = candidatesIn(part, question, matcher);
  const order = orderOf(part, question, matcher);
  const signs = readSigns(part, own);
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
    signs.typed,
    signs.typedNear,
    signs.typedAmong,
    signs.calls,
    signs.defines,
    Math.min(1, part.words.length / 30),
    begins(/^(?:which|who|whom|whose|where|when)$/),
    begins(/^(?:and|but|or|so|while|whereas|although|though)$/),
    begins(/ing$/),
    begins(/^(?:such|including|with|as|because|since)$/),
  ];
}
