/**
 * BM25 as FTS5 computes it, so that both twins take the same candidates. A passage must have one of the rarer terms; the
 * frequent ones are only looked up in the passages that have, as their postings may be of half of the index.
 */
import { frequencyOf, lengthOf, type Postings } from './postings.ts';

/** The postings of a term in every chunk that has it. */
export interface TermPostings {
  readonly lists: readonly Postings[];
  /** Passages that have it. */
  readonly count: number;
}

export interface Totals {
  readonly passages: number;
  /** Words of all passages. */
  readonly tokens: number;
}

/** Constants of BM25 in FTS5: saturation of repeated words, weight of a passage's length. */
const saturation = 1.2;
const lengthWeight = 0.75;
/** What FTS5 gives a term that is in more than half of the passages. */
const minIdf = 1e-6;

/** Passages by their number, with their score. */
export interface Scored {
  readonly n: number;
  readonly bm25: number;
}

/**
 * The best `limit` passages with a `rare` term, best first, of those for which `isAllowed`. The rare ones count twice where
 * there are frequent ones, because FTS5 is asked for them twice.
 */
export function scorePassages(
  { rare, frequent }: { readonly rare: readonly TermPostings[]; readonly frequent: readonly TermPostings[] },
  totals: Totals,
  limit: number,
  isAllowed?: (passage: number) => boolean,
): Scored[] {
  const averageLength = totals.tokens / Math.max(1, totals.passages);
  const part = (packed: number) => {
    const frequency = frequencyOf(packed);
    const normal = saturation * (1 - lengthWeight + (lengthWeight * lengthOf(packed)) / averageLength);
    return (frequency * (saturation + 1)) / (frequency + normal);
  };
  const idfOf = ({ count }: TermPostings) => {
    const idf = Math.log((totals.passages - count + 0.5) / (count + 0.5));
    return idf > 0 ? idf : minIdf;
  };
  const scores = new Map<number, number>();
  for (const term of rare) {
    const idf = idfOf(term) * (frequent.length > 0 ? 2 : 1);
    for (const list of term.lists) {
      for (let at = 0; at < list.length; at += 2) {
        const n = list[at]!;
        if (isAllowed !== undefined && !isAllowed(n)) continue;
        scores.set(n, (scores.get(n) ?? 0) + idf * part(list[at + 1]!));
      }
    }
  }
  const numbers = Uint32Array.from(scores.keys()).sort();
  const totalsOf = Float64Array.from(numbers, (n) => scores.get(n)!);
  for (const term of frequent) {
    const idf = idfOf(term);
    for (const list of term.lists) {
      visitShared(numbers, list, (at, packed) => {
        totalsOf[at]! += idf * part(packed);
      });
    }
  }
  return best(numbers, totalsOf, limit);
}

/** Calls `visit` with the index of each of the sorted `numbers` that the list has. */
function visitShared(numbers: Uint32Array, list: Postings, visit: (at: number, packed: number) => void): void {
  let from = 0;
  const last = list[list.length - 2] ?? 0;
  for (let at = lowerBound(numbers, list[0] ?? 0); at < numbers.length; at += 1) {
    const n = numbers[at]!;
    if (n > last) return;
    let to = list.length / 2;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (list[middle * 2]! < n) from = middle + 1;
      else to = middle;
    }
    if (list[from * 2] === n) visit(at, list[from * 2 + 1]!);
  }
}

function lowerBound(numbers: Uint32Array, n: number): number {
  let [from, to] = [0, numbers.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (numbers[middle]! < n) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Sorts no more than what is returned: a frequent word alone may be in a million passages. */
function best(numbers: Uint32Array, scores: Float64Array, limit: number): Scored[] {
  const least = numbers.length > limit ? Float64Array.from(scores).sort()[numbers.length - limit]! : -1;
  const found: Scored[] = [];
  for (let at = 0; at < numbers.length; at += 1) {
    if (scores[at]! >= least) found.push({ n: numbers[at]!, bm25: scores[at]! });
  }
  return found.sort((a, b) => b.bm25 - a.bm25 || a.n - b.n).slice(0, limit);
}
