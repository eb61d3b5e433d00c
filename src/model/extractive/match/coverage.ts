/**
 * How much of a question a text says, by the strengths of the question's terms in it. Where several strengths are given,
 * the best of them counts for each term: a sentence, say, with its heading.
 */
import type { Strengths } from './term-matcher.ts';

/** The share of the question's weight that any of the strengths has. */
export function coverage(weights: readonly number[]): (...strengths: Strengths[]) => number {
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  return (...strengths) => {
    let sum = 0;
    for (let term = 0; term < weights.length; term += 1) {
      let best = 0;
      for (const strength of strengths) if (strength[term]! > best) best = strength[term]!;
      sum += best * weights[term]!;
    }
    return sum / total;
  };
}

/**
 * Log likelihood ratio of a text with these words being the one that was asked for, against being any of `texts`; a
 * word of the question counts by how likely it was to be there and how rare it is among them.
 */
export function likelihood(
  expected: readonly number[],
  texts: readonly Strengths[],
): (...strengths: Strengths[]) => number {
  const ratios = expected.map((expect, term) => {
    let count = 0;
    for (const text of texts) if (text[term]! > 0) count += 1;
    const usual = Math.min(0.95, (count + 0.3) / (texts.length + 1));
    const most = Math.max(expect, usual);
    return { there: Math.log(most / usual), missing: Math.log((1 - most) / (1 - usual)) };
  });
  return (...strengths) => {
    let sum = 0;
    for (let term = 0; term < ratios.length; term += 1) {
      let best = 0;
      for (const strength of strengths) if (strength[term]! > best) best = strength[term]!;
      const { there, missing } = ratios[term]!;
      sum += best * there + (1 - best) * missing;
    }
    return sum;
  };
}

/** How surprising it is, in nats, that the missing words are missing. */
export function surprise(expected: readonly number[]): (...strengths: Strengths[]) => number {
  const nats = expected.map((expect) => -Math.log(1 - expect));
  return (...strengths) => {
    let sum = 0;
    for (let term = 0; term < nats.length; term += 1) if (!anyHas(strengths, term)) sum += nats[term]!;
    return sum;
  };
}

/** The weight of the most telling word that none of the strengths has. */
export function missing(weights: readonly number[], ...strengths: Strengths[]): number {
  let most = 0;
  for (let term = 0; term < weights.length; term += 1) {
    if (weights[term]! > most && !anyHas(strengths, term)) most = weights[term]!;
  }
  return most;
}

/** The share of these terms that any of the strengths has; one half when there are none. */
export function part(terms: readonly number[], ...strengths: Strengths[]): number {
  if (terms.length === 0) return 0.5;
  let held = 0;
  for (const term of terms) if (anyHas(strengths, term)) held += 1;
  return held / terms.length;
}

function anyHas(strengths: readonly Strengths[], term: number): boolean {
  for (const strength of strengths) if (strength[term]! > 0) return true;
  return false;
}

/** Raises `target` to `more` where that is stronger, and gives it back. */
export function mergeInto(target: Strengths, more: Strengths): Strengths {
  for (let term = 0; term < target.length; term += 1) if (more[term]! > target[term]!) target[term] = more[term]!;
  return target;
}

/** How much of a neighbour's words a unit is credited with. */
const fading = 0.6;

/** Each unit's strengths with those of the units around it, fading with their distance. */
export function spread(units: readonly Strengths[]): Strengths[] {
  const contexts = units.map((own) => own.slice());
  for (let i = 1; i < contexts.length; i += 1) mergeInto(contexts[i]!, scaled(contexts[i - 1]!, fading));
  for (let i = contexts.length - 2; i >= 0; i -= 1) mergeInto(contexts[i]!, scaled(contexts[i + 1]!, fading));
  return contexts;
}

export function scaled(strengths: Strengths, by: number): Strengths {
  const less = new Float32Array(strengths.length);
  for (let term = 0; term < less.length; term += 1) less[term] = strengths[term]! * by;
  return less;
}
