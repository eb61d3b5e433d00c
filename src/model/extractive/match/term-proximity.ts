/** How a unit arranges the question's words: side by side, close together, in the same order. */
import { type Question, stopStems, weightOf } from '../question/analyse.ts';
import type { ReadUnit } from '../text/passages.ts';
import type { Matcher } from './term-matcher.ts';

export interface Order {
  /** Neighbours of the question that are neighbours here, 0 to 1. */
  readonly pairs: number;
  /** Weight of what matched for each word of the stretch that holds it. */
  readonly density: number;
  /** Matches that follow each other as in the question, 0 to 1. */
  readonly inOrder: number;
  /** Neighbouring terms of the question within a few words of each other, by weight, 0 to 1. */
  readonly close: number;
}

/** Words apart at which two terms still count as close. */
const reach = 6;

export function orderOf(unit: ReadUnit, question: Question, matcher: Matcher): Order {
  let pairs = 0;
  let first = -1;
  let last = -1;
  let inOrder = 0;
  let previous = -1;
  let weight = 0;
  const seen = new Set<number>();
  let close = 0;
  let closeMost = 0;
  const lastAt = new Map<number, number>();
  for (let i = 0; i < unit.words.length; i += 1) {
    const stem = unit.words[i]!.stem;
    // A question has few words, so that few pairs are put together.
    if (i > 0 && question.stems.has(stem) && question.pairs.has(`${unit.words[i - 1]!.stem} ${stem}`)) pairs += 1;
    if (stopStems.has(stem)) continue;
    const met = matcher.meet(stem);
    if (met === undefined) continue;
    if (first === -1) first = i;
    last = i;
    if (!seen.has(met.term)) weight += weightOf(stem);
    seen.add(met.term);
    lastAt.set(met.term, i);
    for (const neighbour of [met.term - 1, met.term + 1]) {
      const at = lastAt.get(neighbour);
      if (at !== undefined && i - at <= reach)
        close += Math.min(weightOf(stem), question.terms[neighbour]!.weight) / Math.sqrt(i - at);
    }
    if (met.term > previous && previous !== -1) inOrder += 1;
    previous = met.term;
  }
  const most = Math.max(1, question.terms.length - 1);
  for (let term = 1; term < question.terms.length; term += 1)
    closeMost += Math.min(question.terms[term - 1]!.weight, question.terms[term]!.weight);
  return {
    pairs: Math.min(1, pairs / Math.max(1, question.pairs.size)),
    density: first === -1 ? 0 : weight / (last - first + 1),
    inOrder: Math.min(1, inOrder / most),
    close: Math.min(1, close / Math.max(0.3, closeMost)),
  };
}
