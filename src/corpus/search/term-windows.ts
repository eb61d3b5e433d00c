/** Where the terms of a query are in a text: next to each other, close together, and in how many words. */

import { initialsOf } from '../../base/text/initials.ts';
import { plainWordsIn } from '../../base/text/plain-words.ts';
import { type Hit, stemOf } from './locate-terms.ts';

/** A term of a query: words with the same stem. */
export interface Term {
  readonly words: Set<string>;
  readonly idf: number;
  readonly isName: boolean;
  /** The initials, if it may be an abbreviation such as `NYC`. */
  readonly initials: string | undefined;
}

/** Two neighbouring terms of a query, by their indices. */
interface Pair {
  readonly first: number;
  readonly second: number;
  /** How many words the second is after the first in the query. */
  readonly apart: number;
  /** The sum of both. */
  readonly idf: number;
}

/** Max. characters of a query that are read, and max. pairs of words; set by hand. */
export const maxQueryChars = 2000;
const maxPairs = 40;

/** Max. characters between two words that count as neighbours, times their distance in the query; set by hand. */
const maxGap = 7;

interface Place extends Pick<Term, 'isName' | 'initials'> {
  /** The index of the term, or -1. */
  readonly term: number;
}

/** The query's words in order. */
export function readSequence(text: string, byStem: ReadonlyMap<string, number>): Place[] {
  const words = plainWordsIn(text.slice(0, maxQueryChars));
  return words.map((word, at) => ({
    term: byStem.get(stemOf(word)) ?? -1,
    isName: /^\p{N}/u.test(word) || (at > 0 && /^\p{Lu}/u.test(word)),
    initials: initialsOf(word),
  }));
}

/** The pairs of different terms with no other term between them. */
export function neighbours(sequence: readonly { term: number }[], terms: readonly Term[]): Pair[] {
  const places = sequence.map(({ term }, at) => ({ term, at })).filter(({ term }) => term >= 0);
  return places
    .slice(1)
    .map((place, index) => {
      const before = places[index] as { term: number; at: number };
      const idf = (terms[before.term]?.idf ?? 0) + (terms[place.term]?.idf ?? 0);
      return { first: before.term, second: place.term, apart: place.at - before.at, idf };
    })
    .filter(({ first, second }) => first !== second)
    .slice(0, maxPairs);
}

/** Whether the hits have the pair, in its order, about as close together as in the query. */
export function areNeighbours(hits: readonly Hit[], { first, second, apart }: Pair): boolean {
  return hits.some((hit, at) => {
    if (hit.term !== first) return false;
    for (let next = at + 1; next < hits.length; next++) {
      const other = hits[next] as Hit;
      if (other.start - hit.end > maxGap * apart) return false;
      if (other.term === second && other.start >= hit.end) return true;
    }
    return false;
  });
}

/** The max. total idf of distinct terms within `width` characters. */
export function bestWindow(hits: readonly Hit[], terms: readonly Term[], width: number): number {
  const counts = new Int32Array(terms.length);
  let mass = 0;
  let best = 0;
  const add = ({ term }: Hit, by: 1 | -1) => {
    const before = counts[term] ?? 0;
    counts[term] = before + by;
    if (before === (by === 1 ? 0 : 1)) mass += by * (terms[term]?.idf ?? 0);
  };
  let from = 0;
  for (const hit of hits) {
    add(hit, 1);
    for (let first = hits[from]; first !== undefined && hit.end - first.start > width && first !== hit; from++) {
      add(first, -1);
      first = hits[from + 1];
    }
    best = Math.max(best, mass);
  }
  return best;
}

/** The number of words with a hit; a word that is two terms, itself and by its first part, counts once. */
export function countStarts(hits: readonly Hit[]): number {
  return new Set(hits.map((hit) => hit.start)).size;
}
