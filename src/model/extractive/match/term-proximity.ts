/** How a unit arranges the question's terms: adjacent, close together, in the same order. */
import { type AnalysedQuestion, stopStems, weightOf } from '../question/analyse.ts';
import type { ReadUnit } from '../text/passages.ts';
import type { TermMatcher } from './term-matcher.ts';

export interface TermProximity {
  /** Share of the question's adjacent words that are adjacent in the unit, 0 to 1. */
  readonly pairs: number;
  /** Weight of the matched terms per word, from the first match to the last. */
  readonly density: number;
  /** Share of the terms that follow a term before them in the question, 0 to 1. */
  readonly inOrder: number;
  /** Share, by weight and distance, of the question's neighbouring terms that are at most 6 words apart, 0 to 1. */
  readonly close: number;
}

/** Maximum distance, in words, of two terms that count as close; set by hand. */
const maxDistance = 6;

/** The proximity features of one unit. */
export function measureProximity(unit: ReadUnit, question: AnalysedQuestion, matcher: TermMatcher): TermProximity {
  let pairs = 0;
  let first = -1;
  let last = -1;
  let inOrder = 0;
  let previous = -1;
  let weight = 0;
  const seen = new Set<number>();
  let close = 0;
  let maxClose = 0;
  const lastAt = new Map<number, number>();
  for (let i = 0; i < unit.words.length; i += 1) {
    const stem = unit.words[i]!.stem;
    // The stem is looked up first, because few stems are in the question: few keys of pairs are built.
    if (i > 0 && question.stems.has(stem) && question.pairs.has(`${unit.words[i - 1]!.stem} ${stem}`)) pairs += 1;
    if (stopStems.has(stem)) continue;
    const matched = matcher.match(stem);
    if (matched === undefined) continue;
    if (first === -1) first = i;
    last = i;
    if (!seen.has(matched.term)) weight += weightOf(stem);
    seen.add(matched.term);
    lastAt.set(matched.term, i);
    for (const neighbour of [matched.term - 1, matched.term + 1]) {
      const at = lastAt.get(neighbour);
      if (at !== undefined && i - at <= maxDistance)
        close += Math.min(weightOf(stem), question.terms[neighbour]!.weight) / Math.sqrt(i - at);
    }
    if (matched.term > previous && previous !== -1) inOrder += 1;
    previous = matched.term;
  }
  const followers = Math.max(1, question.terms.length - 1);
  for (let term = 1; term < question.terms.length; term += 1)
    maxClose += Math.min(question.terms[term - 1]!.weight, question.terms[term]!.weight);
  return {
    pairs: Math.min(1, pairs / Math.max(1, question.pairs.size)),
    density: first === -1 ? 0 : weight / (last - first + 1),
    inOrder: Math.min(1, inOrder / followers),
    close: Math.min(1, close / Math.max(0.3, maxClose)),
  };
}
