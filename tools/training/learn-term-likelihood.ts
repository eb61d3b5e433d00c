/**
 * Learns the probability that a word of a question occurs in the sentence with the answer, and on its page, from questions
 * whose page is known: logistic regression over traits of the word, with a shift for each frequent word, regularised.
 */
import { type TermTraits, traitsOf } from '../../src/model/extractive/match/term-likelihood.ts';
import type { Weights } from '../../src/model/extractive/rank/weights.ts';

/** A word of a question, and whether the sentence with the answer, and its page, have it. */
export interface SeenTerm extends TermTraits {
  readonly inSentence: boolean;
  readonly onPage: boolean;
}

// Set by hand.
/** Occurrences; rarer words get no shift. */
const minSeen = 12;
/** Prior variance of the shifts, in log odds squared. */
const shiftVariance = 1;
/** L2 regularisation of the coefficients. */
const ridge = 1;

/** Coefficients and shifts for the sentence and for the page, from all terms of the training questions. */
export function learnTermLikelihood(terms: readonly SeenTerm[]): Weights['termLikelihood'] {
  const own = fitShare(terms, ({ inSentence }) => inSentence);
  const page = fitShare(terms, ({ onPage }) => onPage);
  const shift = new Map([...own.shift].map(([stem, by]) => [stem, [by, page.shift.get(stem) ?? 0]]));
  return { own: own.coefficients, page: page.coefficients, shift };
}

function fitShare(terms: readonly SeenTerm[], isThere: (term: SeenTerm) => boolean) {
  const rows = terms.map((term) => ({ stem: term.stem, traits: traitsOf(term), there: Number(isThere(term)) }));
  const byStem = new Map<string, typeof rows>();
  for (const row of rows) byStem.set(row.stem, [...(byStem.get(row.stem) ?? []), row]);
  const shift = new Map<string, number>();
  let coefficients = new Array<number>(rows[0]!.traits.length).fill(0);
  for (let round = 0; round < 4; round += 1) {
    const shifted = rows.map((row) => ({ ...row, offset: shift.get(row.stem) ?? 0 }));
    for (let step = 0; step < 4; step += 1) coefficients = newtonStep(coefficients, shifted);
    for (const [stem, seen] of byStem) {
      if (seen.length < minSeen) continue;
      const offsets = seen.map(({ traits }) => dot(coefficients, traits));
      let by = 0;
      for (let step = 0; step < 6; step += 1) {
        const expected = offsets.map((offset) => logistic(offset + by));
        const gradient = seen.reduce((sum, { there }, i) => sum + there - expected[i]!, 0) - by / shiftVariance;
        by += gradient / (expected.reduce((sum, p) => sum + p * (1 - p), 0) + 1 / shiftVariance);
      }
      shift.set(stem, Number(by.toFixed(2)));
    }
  }
  return { coefficients: coefficients.map((value) => Number(value.toPrecision(4))), shift };
}

interface Row {
  readonly traits: readonly number[];
  readonly there: number;
  readonly offset: number;
}

/** One step of Newton's method towards the coefficients of maximum likelihood. */
function newtonStep(coefficients: readonly number[], rows: readonly Row[]): number[] {
  const size = coefficients.length;
  const gradient = coefficients.map((value) => -ridge * value);
  const curvature = coefficients.map((_, i) => coefficients.map((_, j) => (i === j ? ridge : 0)));
  for (const { traits, there, offset } of rows) {
    const expected = logistic(dot(coefficients, traits) + offset);
    const slope = expected * (1 - expected);
    for (let i = 0; i < size; i += 1) {
      gradient[i]! += (there - expected) * traits[i]!;
      for (let j = 0; j <= i; j += 1) curvature[i]![j]! += slope * traits[i]! * traits[j]!;
    }
  }
  for (let i = 0; i < size; i += 1) for (let j = 0; j < i; j += 1) curvature[j]![i] = curvature[i]![j]!;
  const step = solve(curvature, gradient);
  return coefficients.map((value, i) => value + step[i]!);
}

/** Gaussian elimination; the matrix is symmetric and positive definite, so no pivot is 0. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i]!]);
  for (let i = 0; i < rows.length; i += 1) {
    for (let j = i + 1; j < rows.length; j += 1) {
      const factor = rows[j]![i]! / rows[i]![i]!;
      for (let k = i; k <= rows.length; k += 1) rows[j]![k]! -= factor * rows[i]![k]!;
    }
  }
  const solution = new Array<number>(rows.length).fill(0);
  for (let i = rows.length - 1; i >= 0; i -= 1) {
    let rest = rows[i]![rows.length]!;
    for (let j = i + 1; j < rows.length; j += 1) rest -= rows[i]![j]! * solution[j]!;
    solution[i] = rest / rows[i]![i]!;
  }
  return solution;
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}

function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}
