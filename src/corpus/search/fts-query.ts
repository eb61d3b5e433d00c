/**
 * Natural-language text → an FTS5 expression: any of its telling words. Asking for all of them (FTS5's own default)
 * finds almost nothing; asking for stop words too costs ten times as much and finds no more.
 */
import { stopWords } from '../../base/text/stop-words.ts';
import { isUnspaced, wordsOfQuery } from '../index/words.ts';

const longestText = 40_000;
const mostTerms = 32;
const mostWeighed = 300;

/**
 * The words to search for, in the text's order, at most 32: those in the fewest passages, by `countPassages`. Only stop
 * words when there is nothing else; none at all for a text without a letter or digit.
 */
export function tellingTerms(text: string, countPassages: (term: string) => number): string[] {
  const words = wordsOfQuery(text.slice(0, longestText));
  const telling = words.filter((word) => !stopWords.has(word));
  const terms = telling.length > 0 ? telling : words;
  if (terms.length <= mostTerms) return terms;
  const kept = terms
    .slice(0, mostWeighed)
    .map((term) => ({ term, count: countPassages(term) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.count - b.count)
    .slice(0, mostTerms);
  const chosen = new Set(kept.map(({ term }) => term));
  return terms.filter((term) => chosen.has(term));
}

/** Every term is a quoted string of letters, digits and marks: there is no syntax left for a text to inject. */
export function matchAny(terms: readonly string[]): string {
  return terms.map(matchTerm).join(' OR ');
}

/**
 * Any of the terms, but in no more passages than `most` (or those with the rarest term): where frequent terms would
 * bring more, a passage must have one of the rarer, and the frequent ones only add to its rank.
 */
export function matchWithin(terms: readonly string[], count: (term: string) => number, most: number): string {
  const byRarity = [...terms].sort((a, b) => count(a) - count(b));
  let rows = 0;
  const rare = byRarity.filter((term, at) => (rows += count(term)) <= most || at === 0);
  if (rare.length === terms.length) return matchAny(terms);
  const frequent = byRarity.slice(rare.length);
  return `(${matchAny(rare)}) AND (${matchAny(rare)} OR ${matchAny(frequent)})`;
}

/** One character of a script without spaces matches every pair that it begins. */
export function matchTerm(term: string): string {
  return isUnspaced(term) && [...term].length === 1 ? `"${term}" *` : `"${term}"`;
}
