/**
 * The probability that a word of a question occurs in the sentence with the answer, and on its page: names nearly always
 * do, "kind" and "type" hardly ever. Logistic regression over traits of the word, with a shift for each frequent word;
 * trained by tools/training/learn-term-likelihood.ts.
 */
import { weights } from '../rank/weights.ts';

export interface TermTraits {
  readonly stem: string;
  /** Inverse document frequency in general English, 0 to 1. */
  readonly weight: number;
  /** Whether it is capitalised and not the first word. */
  readonly name: boolean;
  readonly digits: boolean;
  /** Whether it names what is asked for, "city" of "Which city …". */
  readonly focus: boolean;
  /** Index among the question's terms as a share of their number. */
  readonly position: number;
  readonly last: boolean;
}

/** Probabilities, 0.02 to 0.98, that the unit with the answer and the page with the answer have the term. */
export function estimateLikelihood(term: TermTraits): { readonly inUnit: number; readonly onPage: number } {
  const { own, page, shift } = weights.termLikelihood;
  const traits = traitsOf(term);
  const [shiftInUnit = 0, shiftOnPage = 0] = shift.get(term.stem) ?? [];
  return { inUnit: logistic(dot(own, traits) + shiftInUnit), onPage: logistic(dot(page, traits) + shiftOnPage) };
}

/** The input of the regression; the order is the one of the trained coefficients. */
export function traitsOf({ weight, name, digits, focus, last, position }: TermTraits): number[] {
  return [1, weight, weight ** 2, +name, +name * weight, +digits, +focus, +last, position];
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}

/** Between 0.02 and 0.98: logarithms are taken of it. */
function logistic(x: number): number {
  return Math.max(0.02, Math.min(0.98, 1 / (1 + Math.exp(-x))));
}
