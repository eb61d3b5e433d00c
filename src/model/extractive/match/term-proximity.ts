/** How a unit arranges the question's terms: adjacent, close together, in the same order. */
import { type AnalysedQuestion, weightOf } from '../question/analyse.ts';
import type { ReadUnit } from '../text/passages.ts';
import type { WordMatches } from './term-matcher.ts';

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

/** The proximity features of a unit, given the matches of its words. */
export type MeasureProximity = (unit: ReadUnit, matches: WordMatches) => TermProximity;

/** Returns a function that measures the units of one question. */
export function createProximityMeasure({ terms, stems, pairs: asked }: AnalysedQuestion): MeasureProximity {
  const followers = Math.max(1, terms.length - 1);
  let maxClose = 0;
  for (let term = 1; term < terms.length; term += 1) maxClose += Math.min(terms[term - 1]!.weight, terms[term]!.weight);
  /** By term, where it was last; used again for each unit. */
  const lastAt = new Int32Array(terms.length);

  return ({ words }, matches) => {
    let pairs = 0;
    let first = -1;
    let last = -1;
    let inOrder = 0;
    let previous = -1;
    let weight = 0;
    let close = 0;
    lastAt.fill(-1);
    for (let i = 0; i < words.length; i += 1) {
      const { stem } = words[i]!;
      // The stem is looked up first, because few stems are in the question: few keys of pairs are built.
      if (i > 0 && stems.has(stem) && asked.has(`${words[i - 1]!.stem} ${stem}`)) pairs += 1;
      const matched = matches[i];
      if (matched === null || matched === undefined) continue;
      if (first === -1) first = i;
      last = i;
      const { term } = matched;
      const ownWeight = weightOf(stem);
      if (lastAt[term] === -1) weight += ownWeight;
      lastAt[term] = i;
      for (let neighbour = term - 1; neighbour <= term + 1; neighbour += 2) {
        const at = lastAt[neighbour];
        if (at !== undefined && at !== -1 && i - at <= maxDistance)
          close += Math.min(ownWeight, terms[neighbour]!.weight) / Math.sqrt(i - at);
      }
      if (term > previous && previous !== -1) inOrder += 1;
      previous = term;
    }
    return {
      pairs: Math.min(1, pairs / Math.max(1, asked.size)),
      density: first === -1 ? 0 : weight / (last - first + 1),
      inOrder: Math.min(1, inOrder / followers),
      close: Math.min(1, close / Math.max(0.3, maxClose)),
    };
  };
}
