/**
 * How likely a word of a question is to stand in the sentence that answers it, and on its page: names nearly always do,
 * "kind" and "type" hardly ever. A logistic curve over what the word is, shifted for words seen often enough.
 */
import { weights } from '../rank/weights.ts';

export interface TermTraits {
  readonly stem: string;
  /** How telling the word is, 0 to 1: the rarer in general text, the more. */
  readonly weight: number;
  readonly name: boolean;
  readonly digits: boolean;
  /** Whether it says what is asked for, "city" of "Which city …". */
  readonly focus: boolean;
  /** Its place among the question's terms, 0 to 1. */
  readonly position: number;
  readonly last: boolean;
}

export function expectOf(term: TermTraits): { readonly own: number; readonly page: number } {
  const { own, page, shift } = weights.expect;
  const traits = traitsOf(term);
  const [shiftOwn = 0, shiftPage = 0] = shift.get(term.stem) ?? [];
  return { own: logistic(dot(own, traits) + shiftOwn), page: logistic(dot(page, traits) + shiftPage) };
}

/** The traits as the curve takes them. */
export function traitsOf({ weight, name, digits, focus, last, position }: TermTraits): number[] {
  return [1, weight, weight ** 2, +name, +name * weight, +digits, +focus, +last, position];
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}

/** Never quite 0 or 1: logarithms are taken of it. */
function logistic(x: number): number {
  return Math.max(0.02, Math.min(0.98, 1 / (1 + Math.exp(-x))));
}
