/**
 * BM25 as FTS5 computes it, so that both twins take the same candidates. A passage must have one of the rarer terms; the
 * frequent ones are only looked up in those passages, as their postings may cover half of the index. Which terms are the
 * rarer ones is decided by the caller, as for FTS5, or, in a large index, by the scores.
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
/** The idf that FTS5 gives a term that is in more than half of the passages. */
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
  const scores = openScores(rare, totals, isAllowed);
  for (const term of rare) scores.add(term, frequent.length > 0 ? 2 : 1);
  scores.settle(0);
  for (const term of frequent) scores.raise(term);
  return scores.close(limit);
}

/**
 * A term that is left is taken to add at most this times its idf to a passage. The bound that always holds is 2.2, for a
 * term repeated without end; with 0.7, just as many right pages are found from a fifth of the postings. Set by hand with
 * two million passages as the bench `corpus --generated` makes them, on questions other than those it asks.
 */
const likelyPart = 0.7;

/**
 * The best passages of a large index, best first, up to `limit`, from `terms`, the rarest first. All passages with a term are
 * scored, from the rarest on, until those left are unlikely to bring a passage that has no other among the best `sure`; they
 * are then looked up in the passages that they can still bring there (MaxScore, Turtle and Flood 1995). So the best are those
 * of an exhaustive BM25; further down, one with several frequent terms and no rare one may be missing.
 */
export function scoreLikeliest(
  terms: readonly TermPostings[],
  totals: Totals,
  { sure, limit }: { readonly sure: number; readonly limit: number },
): Scored[] {
  const scores = openScores(terms, totals);
  let left = terms.reduce((sum, term) => sum + likelyPart * idfOf(term, totals), 0);
  let least = 0;
  let at = 0;
  for (; at < terms.length && least <= left; at += 1) {
    scores.add(terms[at]!, 1);
    left -= likelyPart * idfOf(terms[at]!, totals);
    least = scores.nth(sure);
  }
  scores.settle(at < terms.length ? least - left : 0);
  for (const term of terms.slice(at)) scores.raise(term);
  return scores.close(limit);
}

function idfOf({ count }: TermPostings, { passages }: Totals): number {
  const idf = Math.log((passages - count + 0.5) / (count + 0.5));
  return idf > 0 ? idf : minIdf;
}

/** Scores in the making. */
interface Scores {
  /** Adds a term to every passage that has it. */
  add(term: TermPostings, weight: number): void;
  /** The score of the nth best passage so far; 0 if there are fewer. */
  nth(n: number): number;
  /** Leaves the passages with at least this score; no more can be added. */
  settle(least: number): void;
  /** Adds a term to those that are left. */
  raise(term: TermPostings): void;
  /** The best, best first. */
  close(limit: number): Scored[];
}

/** The scores of passages with some of the `terms`; until they are closed, no others may be opened. */
function openScores(terms: readonly TermPostings[], totals: Totals, isAllowed?: (passage: number) => boolean): Scores {
  const averageLength = totals.tokens / Math.max(1, totals.passages);
  const part = (packed: number) => {
    const frequency = frequencyOf(packed);
    const normal = saturation * (1 - lengthWeight + (lengthWeight * lengthOf(packed)) / averageLength);
    return (frequency * (saturation + 1)) / (frequency + normal);
  };
  const scores = numbersFor(terms);
  let found = new Uint32Array(terms.reduce((sum, { count }) => sum + count, 0));
  let size = 0;
  const valuesOf = () => {
    const values = new Float64Array(size);
    for (let at = 0; at < size; at += 1) values[at] = scores[found[at]!]!;
    return values;
  };
  return {
    add(term, weight) {
      const idf = idfOf(term, totals) * weight;
      for (const list of term.lists) {
        for (let at = 0; at < list.length; at += 2) {
          const n = list[at]!;
          if (isAllowed !== undefined && !isAllowed(n)) continue;
          // No score is 0: every term adds to it.
          if (scores[n] === 0) found[size++] = n;
          scores[n]! += idf * part(list[at + 1]!);
        }
      }
    },
    nth: (n) => (size < n ? 0 : select(valuesOf(), size - n)),
    settle(least) {
      let kept = 0;
      for (let at = 0; at < size; at += 1) {
        const n = found[at]!;
        if (scores[n]! >= least) found[kept++] = n;
        else scores[n] = 0;
      }
      size = kept;
      found = found.subarray(0, size).sort();
    },
    raise(term) {
      const idf = idfOf(term, totals);
      for (const list of term.lists) {
        visitShared(found, list, (n, packed) => {
          scores[n]! += idf * part(packed);
        });
      }
    },
    close(limit) {
      const values = valuesOf();
      for (const n of found) scores[n] = 0;
      return best(found, values, limit);
    },
  };
}

/** One number for each passage, zeros between two calls, so that none has to be made for each search. */
let zeros = new Float64Array();

function numbersFor(terms: readonly TermPostings[]): Float64Array {
  let last = 0;
  for (const { lists } of terms) {
    for (const list of lists) last = Math.max(last, list[list.length - 2] ?? 0);
  }
  // Twice as many, so that a growing index does not need another one for each search.
  if (zeros.length <= last) zeros = new Float64Array(2 * (last + 1));
  return zeros;
}

/** Calls `visit` with each of the sorted `numbers` that the list has. */
function visitShared(numbers: Uint32Array, list: Postings, visit: (n: number, packed: number) => void): void {
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
    if (list[from * 2] === n) visit(n, list[from * 2 + 1]!);
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
  const least = numbers.length > limit ? select(Float64Array.from(scores), numbers.length - limit) : -1;
  const found: Scored[] = [];
  for (let at = 0; at < numbers.length; at += 1) {
    if (scores[at]! >= least) found.push({ n: numbers[at]!, bm25: scores[at]! });
  }
  return found.sort((a, b) => b.bm25 - a.bm25 || a.n - b.n).slice(0, limit);
}

/** The value that would be at `index` if the values, which are reordered, were sorted (Hoare's quickselect). */
function select(values: Float64Array, index: number): number {
  let [from, to] = [0, values.length - 1];
  while (from < to) {
    const pivot = values[(from + to) >>> 1]!;
    let [low, high] = [from, to];
    while (low <= high) {
      while (values[low]! < pivot) low += 1;
      while (values[high]! > pivot) high -= 1;
      if (low > high) break;
      const value = values[low]!;
      values[low] = values[high]!;
      values[high] = value;
      low += 1;
      high -= 1;
    }
    if (index <= high) to = high;
    else if (index >= low) from = low;
    else break;
  }
  return values[index]!;
}
