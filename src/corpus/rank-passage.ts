/**
 * How well a passage answers to a query, beyond BM25: BM25 cannot see that words stand side by side, that a name is
 * written exactly as it was asked for, or that a passage has one rare word ten times and the others never.
 *
 * A linear score of a few measures of where the query's words stand. The weights were fitted (listwise softmax loss,
 * five folds by topic) on questions whose page is known. Only words that begin like a query's are looked at, so that
 * fifty passages take a fraction of a millisecond.
 */
import { stem } from './porter.ts';
import { isUnspaced } from './words.ts';

export interface WeightedTerm {
  /** As `tellingTerms` gives it. */
  readonly word: string;
  /** Inverse document frequency, > 0. */
  readonly idf: number;
}

/** Each from 0 to 1, save bm25. */
export interface Match {
  readonly bm25: number;
  /** Share of the query's idf that the passage or its title has. */
  readonly coverage: number;
  /** The same for words that stand in the passage exactly as in the query, not only by their stem. */
  readonly exact: number;
  /** The same for names and numbers of the query that the passage writes with a capital or digit. */
  readonly names: number;
  /** Share of neighbouring words of the query that are neighbours here. */
  readonly pairs: number;
  /** The most coverage within a clause. */
  readonly near: number;
  /** Share of the title's words that the query names. */
  readonly title: number;
}

export type MatchPassage = (passage: { readonly title: string; readonly text: string }, bm25: number) => Match;

const weights: Match = { bm25: 0.27, coverage: 2.4, exact: 3.6, names: 1.8, pairs: 1.5, near: 3.9, title: 1.9 };

const clause = 75;
/** Characters between two words that still count as neighbours, for each step they are apart in the query. */
const gap = 7;

interface Term {
  readonly words: Set<string>;
  readonly idf: number;
  readonly isName: boolean;
}

interface Hit {
  readonly term: number;
  readonly start: number;
  readonly end: number;
}

export function scoreMatch(match: Match): number {
  let score = 0;
  for (const measure of Object.keys(weights) as (keyof Match)[]) score += weights[measure] * match[measure];
  return score;
}

/** Prepares a query once for all its passages. */
export function createMatcher(text: string, weighted: readonly WeightedTerm[]): MatchPassage {
  const byStem = new Map<string, number>();
  for (const { word } of weighted) if (!byStem.has(stemOf(word))) byStem.set(stemOf(word), byStem.size);
  const sequence = readSequence(text, byStem);
  const terms = [...byStem].map(([stemmed, term]): Term => {
    const same = weighted.filter(({ word }) => stemOf(word) === stemmed);
    return {
      words: new Set(same.map(({ word }) => fold(word))),
      idf: same[0]?.idf ?? 0,
      isName: sequence.some((place) => place.term === term && place.isName),
    };
  });
  const pattern = toPattern([...byStem.keys()]);
  const total = sum(terms);
  const named = sum(terms.filter((term) => term.isName));
  const pairs = neighbours(sequence, terms);
  const pairTotal = sum(pairs);

  return ({ title, text: passage }, bm25) => {
    const hits = findHits(passage, pattern, byStem);
    const inTitle = findHits(title, pattern, byStem);
    const found = new Set<Term>();
    const exact = new Set<Term>();
    const names = new Set<Term>();
    for (const hit of inTitle) found.add(terms[hit.term] as Term);
    for (const hit of hits) {
      const term = terms[hit.term] as Term;
      found.add(term);
      const isExact = exact.has(term);
      if (isExact && (!term.isName || names.has(term))) continue;
      const written = passage.slice(hit.start, hit.end);
      if (!isExact && term.words.has(fold(written))) exact.add(term);
      if (term.isName && /^[\p{Lu}\p{N}]/u.test(written)) names.add(term);
    }
    return {
      bm25,
      coverage: share(sum(found), total),
      exact: share(sum(exact), total),
      names: share(sum(names), named),
      pairs: share(sum(pairs.filter((pair) => areNeighbours(hits, pair))), pairTotal),
      near: share(bestWindow(hits, terms, clause), total),
      title: share(new Set(inTitle.map((hit) => hit.start)).size, countWords(title)),
    };
  };
}

interface Pair {
  readonly first: number;
  readonly second: number;
  /** How many words the second is after the first in the query. */
  readonly apart: number;
  /** Of both together. */
  readonly idf: number;
}

const longestQuery = 2000;
const mostPairs = 40;
const mostHits = 300;

/** The query's words in order: which term each is, -1 for none. */
function readSequence(text: string, byStem: ReadonlyMap<string, number>): { term: number; isName: boolean }[] {
  const words = text.slice(0, longestQuery).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return words.map((word, at) => ({
    term: byStem.get(stemOf(word)) ?? -1,
    isName: /^\p{N}/u.test(word) || (at > 0 && /^\p{Lu}/u.test(word)),
  }));
}

function neighbours(sequence: readonly { term: number }[], terms: readonly Term[]): Pair[] {
  const places = sequence.map(({ term }, at) => ({ term, at })).filter(({ term }) => term >= 0);
  return places
    .slice(1)
    .map((place, index) => {
      const before = places[index] as { term: number; at: number };
      const idf = (terms[before.term]?.idf ?? 0) + (terms[place.term]?.idf ?? 0);
      return { first: before.term, second: place.term, apart: place.at - before.at, idf };
    })
    .filter(({ first, second }) => first !== second)
    .slice(0, mostPairs);
}

function areNeighbours(hits: readonly Hit[], { first, second, apart }: Pair): boolean {
  return hits.some((hit, at) => {
    if (hit.term !== first) return false;
    for (let next = at + 1; next < hits.length; next++) {
      const other = hits[next] as Hit;
      if (other.start - hit.end > gap * apart) return false;
      if (other.term === second && other.start >= hit.end) return true;
    }
    return false;
  });
}

/** The most idf within so many characters. */
function bestWindow(hits: readonly Hit[], terms: readonly Term[], width: number): number {
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

/** One expression for how a word of any of the stems may begin. */
function toPattern(stems: readonly string[]): RegExp {
  const beginnings = stems.map((stemmed) =>
    isUnspaced(stemmed) ? stemmed : stemmed.slice(0, Math.max(2, stemmed.length - 2)),
  );
  const alternatives = [...new Set(beginnings)].map((beginning) =>
    beginning.replace(/[aceinou]/g, (letter) => `[${letter}${accented[letter]}]`),
  );
  return new RegExp(alternatives.join('|') || '(?!)', 'gi');
}

const accented: Record<string, string> = {
  a: 'àáâãäåā',
  c: 'çćč',
  e: 'èéêëēę',
  i: 'ìíîïī',
  n: 'ñń',
  o: 'òóôõöøō',
  u: 'ùúûüū',
};

function findHits(text: string, pattern: RegExp, byStem: ReadonlyMap<string, number>): Hit[] {
  const hits: Hit[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null && hits.length < mostHits; match = pattern.exec(text)) {
    const start = match.index;
    const unspaced = byStem.get(match[0]);
    if (unspaced !== undefined && isUnspaced(match[0])) {
      hits.push({ term: unspaced, start, end: pattern.lastIndex });
      // Pairs overlap: the next one begins at this one's second character.
      pattern.lastIndex = start + 1;
      continue;
    }
    if (start > 0 && isWordCharacter(text.charCodeAt(start - 1)) && !beginsPart(text, start)) continue;
    const end = wordEnd(text, start);
    const word = text.slice(start, end);
    const term = byStem.get(stemOf(word));
    if (term !== undefined) hits.push({ term, start, end });
    const part = /^(?:[A-Z]?[a-z]+|[A-Z]+(?![a-z]))(?=[A-Z0-9])/.exec(word)?.[0];
    const partTerm = part === undefined ? undefined : byStem.get(stemOf(part));
    if (partTerm !== undefined) hits.push({ term: partTerm, start, end: start + (part?.length ?? 0) });
  }
  return hits;
}

/** Whether an identifier's next part begins here: `Timeout` in `headersTimeout`. */
function beginsPart(text: string, at: number): boolean {
  return /^[a-z0-9][A-Z]|^[A-Z][A-Z][a-z]|^[A-Za-z][0-9]|^[0-9][A-Za-z]/.test(text.slice(at - 1, at + 2));
}

function wordEnd(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && isWordCharacter(text.charCodeAt(end))) end++;
  return end;
}

function isWordCharacter(code: number): boolean {
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
  return code > 0xbf ? /[\p{L}\p{N}\p{M}]/u.test(String.fromCharCode(code)) : code === 0xaa || code === 0xba;
}

const stems = new Map<string, string>();

/** The stem of a word in any case, with or without accents. */
export function stemOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  if (stems.size > 50_000) stems.clear();
  const stemmed = stem(fold(word));
  stems.set(word, stemmed);
  return stemmed;
}

function fold(word: string): string {
  if (/^[a-z0-9]*$/.test(word) || isUnspaced(word)) return word;
  return word
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
}

function countWords(title: string): number {
  return title.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}

function sum(parts: Iterable<{ readonly idf: number }>): number {
  let idf = 0;
  for (const part of parts) idf += part.idf;
  return idf;
}

function share(part: number, whole: number): number {
  return whole > 0 ? Math.min(1, part / whole) : 0;
}
