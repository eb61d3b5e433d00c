/**
 * How much of a question a text covers, computed from strengths: one number from 0 to 1 for each term of the question.
 * Where several strengths are given, such as a sentence's and its heading's, the highest counts for each term.
 */
import type { Strengths } from './term-matcher.ts';

/**
 * How much of a question up to four texts have, together. They are parameters, not a list: a search makes thousands of
 * these calls.
 */
export type Measure = (first: Strengths, second?: Strengths, third?: Strengths, fourth?: Strengths) => number;

/** Returns a function for the covered share of the question's weight, 0 to 1. `weights` has one number per term. */
export function coverage(weights: readonly number[]): Measure {
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  return (first, second, third, fourth) => {
    let sum = 0;
    for (let term = 0; term < weights.length; term += 1)
      sum += highest(term, first, second, third, fourth) * weights[term]!;
    return sum / total;
  };
}

function highest(term: number, first: Strengths, second?: Strengths, third?: Strengths, fourth?: Strengths): number {
  let best = first[term]!;
  if (second !== undefined && second[term]! > best) best = second[term]!;
  if (third !== undefined && third[term]! > best) best = third[term]!;
  if (fourth !== undefined && fourth[term]! > best) best = fourth[term]!;
  return best;
}

/**
 * Returns a function for the log likelihood ratio, in nats, that a text is the one with the answer against being any of
 * `texts`. Terms are taken as independent: each counts by its probability in the answer, `expected`, and its frequency
 * among `texts`, smoothed.
 */
export function logLikelihoodRatio(expected: readonly number[], texts: readonly Strengths[]): Measure {
  const ratios = expected.map((expect, term) => {
    let count = 0;
    for (const text of texts) if (text[term]! > 0) count += 1;
    const usual = Math.min(0.95, (count + 0.3) / (texts.length + 1));
    const likely = Math.max(expect, usual);
    return { there: Math.log(likely / usual), missing: Math.log((1 - likely) / (1 - usual)) };
  });
  return (first, second, third, fourth) => {
    let sum = 0;
    for (let term = 0; term < ratios.length; term += 1) {
      const best = highest(term, first, second, third, fourth);
      const { there, missing } = ratios[term]!;
      sum += best * there + (1 - best) * missing;
    }
    return sum;
  };
}

/** Returns a function for the surprisal, in nats, of the terms that are missing: the sum of -ln(1 - expected). */
export function surprisal(expected: readonly number[]): Measure {
  const nats = expected.map((expect) => -Math.log(1 - expect));
  return (first, second, third, fourth) => {
    let sum = 0;
    for (let term = 0; term < nats.length; term += 1)
      if (!(highest(term, first, second, third, fourth) > 0)) sum += nats[term]!;
    return sum;
  };
}

/** The weight of the heaviest term that neither of the strengths has; 0 when none is missing. */
export function heaviestMissing(weights: readonly number[], first: Strengths, second?: Strengths): number {
  let heaviest = 0;
  for (let term = 0; term < weights.length; term += 1) {
    if (weights[term]! > heaviest && !(highest(term, first, second) > 0)) heaviest = weights[term]!;
  }
  return heaviest;
}

/** The share of these terms, given by index, that any of the strengths has; one half when there are none. */
export function shareFound(terms: readonly number[], first: Strengths, second?: Strengths): number {
  if (terms.length === 0) return 0.5;
  let held = 0;
  for (const term of terms) if (highest(term, first, second) > 0) held += 1;
  return held / terms.length;
}

/** Raises each strength in `target` to the one in `more` if that is higher. Returns `target`. */
export function mergeInto(target: Strengths, more: Strengths): Strengths {
  for (let term = 0; term < target.length; term += 1) if (more[term]! > target[term]!) target[term] = more[term]!;
  return target;
}

/** The share of a neighbour's strengths that a unit is credited with; set by hand before the weights were trained. */
const neighbourShare = 0.6;

/** Each unit's strengths with those of the units around it, decaying with distance. */
export function spreadToNeighbours(units: readonly Strengths[]): Strengths[] {
  const contexts = units.map((own) => own.slice());
  for (let i = 1; i < contexts.length; i += 1) mergeInto(contexts[i]!, scaled(contexts[i - 1]!, neighbourShare));
  for (let i = contexts.length - 2; i >= 0; i -= 1) mergeInto(contexts[i]!, scaled(contexts[i + 1]!, neighbourShare));
  return contexts;
}

/** A copy of the strengths, multiplied. */
export function scaled(strengths: Strengths, by: number): Strengths {
  const product = new Float32Array(strengths.length);
  for (let term = 0; term < product.length; term += 1) product[term] = strengths[term]! * by;
  return product;
}
