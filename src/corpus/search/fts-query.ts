/**
 * Natural-language text → an FTS5 expression that matches any of its significant words. Requiring all of them (FTS5's default)
 * finds almost nothing; including stop words is ten times slower and finds no more.
 */
import { identifiersIn } from '../../base/text/names/identifiers.ts';
import { stopWords } from '../../base/text/stop-words.ts';
import { foldWord, isSingle, wordsOfQuery } from '../index/words.ts';

/** Max. characters of a query, terms searched for, and terms whose frequency is looked up; set by hand. */
const maxChars = 40_000;
const maxTerms = 32;
const maxCounted = 300;

/**
 * Up to 32 words to search for, in the text's order: those in the fewest passages, by `countPassages`. Stop words only when
 * there is nothing else; empty for a text without letters or digits.
 */
export function selectTerms(text: string, countPassages: (term: string) => number): string[] {
  const terms = termsToCount(text);
  if (terms.length <= maxTerms) return terms;
  const kept = terms
    .map((term) => ({ term, count: countPassages(term) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.count - b.count)
    .slice(0, maxTerms);
  const chosen = new Set(kept.map(({ term }) => term));
  return terms.filter((term) => chosen.has(term));
}

/** The words that `selectTerms` chooses from, at most 300, in the text's order; with "too" and "many" of `too_many_searches`. */
export function termsToCount(text: string): string[] {
  const read = text.slice(0, maxChars);
  const words = wordsOfQuery(read);
  const ofNames = new Set(identifiersIn(read).flatMap((name) => (name.includes('_') ? wordsOfQuery(name) : [])));
  const significant = words.filter((word) => !stopWords.has(word) || ofNames.has(word));
  return (significant.length > 0 ? significant : words).slice(0, maxCounted);
}

/**
 * The terms in at most `max` passages altogether, at least the rarest, and the more frequent ones; both by their rarity. `count`
 * returns the number of passages with a term.
 */
export function splitByRarity<Term>(
  terms: readonly Term[],
  count: (term: Term) => number,
  max: number,
): { readonly rare: Term[]; readonly frequent: Term[] } {
  const byRarity = [...terms].sort((a, b) => count(a) - count(b));
  let rows = 0;
  const rare = byRarity.filter((term, at) => (rows += count(term)) <= max || at === 0);
  return { rare, frequent: byRarity.slice(rare.length) };
}

/**
 * Whether a text may be answered in other words than its own, as a question may, even one with a single word besides its stop words
 * ("How heavy is it?"). A word alone looks for that word.
 */
export function isPhrase(text: string): boolean {
  return /\S\s+\S/.test(text);
}

/** Matches any of the terms. Each becomes a quoted string of letters, digits and marks, so a query cannot inject syntax. */
export function matchAny(terms: readonly string[]): string {
  return terms.map(matchTerm).join(' OR ');
}

/**
 * Matches any of the terms in at most `max` passages (or in all with the rarest term): if frequent terms would match more,
 * a passage must contain one of the rarer terms, and the frequent ones only raise its rank. `count` returns the number of
 * passages with a term.
 */
export function matchWithin(terms: readonly string[], count: (term: string) => number, max: number): string {
  const { rare, frequent } = splitByRarity(terms, count, max);
  if (frequent.length === 0) return matchAny(terms);
  return `(${matchAny(rare)}) AND (${matchAny(rare)} OR ${matchAny(frequent)})`;
}

/** Matches one term; a single character of a script without spaces matches every pair that begins with it. */
export function matchTerm(term: string): string {
  return isSingle(term) ? `"${term}" *` : `"${foldWord(term)}"`;
}
