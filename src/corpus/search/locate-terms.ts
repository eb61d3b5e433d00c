/**
 * Locates a query's words in a text by their stems, without splitting the whole text into words: one regular expression
 * finds words that begin like one of them, and only those are compared. Parts of identifiers count as words.
 */
import { detach } from '../../base/text/detach.ts';
import { patternOf, symbolOfWord, wordOfSymbol } from '../../base/text/names/symbol-names.ts';
import { isPair, patternOfFolded } from '../../base/text/stems/fold.ts';
import { stem } from '../../base/text/stems/stemmer.ts';
import { foldWord, isUnspaced } from '../index/words.ts';

export interface Hit {
  /** The index of the term. */
  readonly term: number;
  readonly start: number;
  readonly end: number;
}

/** Hits of one text; set by hand. */
const maxHits = 300;

/** How words of some stems may begin: regular expressions with the flags gi. */
export interface Beginnings {
  readonly withAccents: RegExp;
  /** For a text in which no letter has an accent, which is faster. */
  readonly plain: RegExp;
}

/** How a word of any of the stems may begin. */
export function readBeginnings(stems: readonly string[]): Beginnings {
  const patterns = stems.map((stemmed) => {
    const symbol = symbolOfWord(stemmed);
    if (symbol !== undefined) return { plain: patternOf(symbol), withAccents: patternOf(symbol) };
    const plain = isUnspaced(stemmed) ? stemmed : beginningOf(stemmed);
    return { plain, withAccents: isUnspaced(stemmed) ? plain : patternOfFolded(plain) };
  });
  return {
    withAccents: anyOf(patterns.map(({ withAccents }) => withAccents)),
    plain: anyOf(patterns.map(({ plain }) => plain)),
  };
}

function anyOf(patterns: readonly string[]): RegExp {
  return new RegExp([...new Set(patterns)].join('|') || '(?!)', 'gi');
}

/** Any letter but those of ASCII, and some others. */
const beyondAscii = /[\xc0-\u1fff\u2c00-\uffff]/;

/** What the words of a stem begin with, never half of two letters that may be written as one. */
function beginningOf(stemmed: string): string {
  const length = Math.max(2, stemmed.length - 2);
  return stemmed.slice(0, isPair(stemmed.slice(length - 1, length + 1)) ? length - 1 : length);
}

/**
 * The first 300 hits in a text; `byStem` maps a stem to its term. A word counts twice when both it and its first part are
 * terms.
 */
export function findHits(text: string, beginnings: Beginnings, byStem: ReadonlyMap<string, number>): Hit[] {
  const hits: Hit[] = [];
  const pattern = beyondAscii.test(text) ? beginnings.withAccents : beginnings.plain;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null && hits.length < maxHits; match = pattern.exec(text)) {
    const start = match.index;
    const unspaced = byStem.get(match[0]);
    if (unspaced !== undefined && isUnspaced(match[0])) {
      hits.push({ term: unspaced, start, end: pattern.lastIndex });
      // Pairs overlap: the next one begins at this one's second character.
      pattern.lastIndex = start + 1;
      continue;
    }
    if (hasMark.test(match[0])) {
      const symbol = byStem.get(wordOfSymbol(match[0].replaceAll('\\|', '|')));
      const isWhole = !isNamePart(text.charAt(start - 1)) && !isNamePart(text.charAt(pattern.lastIndex));
      if (symbol !== undefined && isWhole) hits.push({ term: symbol, start, end: pattern.lastIndex });
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

const hasMark = /[!-/:-@[-`{-~]/;

/** Whether it may belong to a name without letters: no blank, quote, bracket around it or emphasis. */
function isNamePart(character: string): boolean {
  return character !== '' && /[^\s`"'“”()*|,.:;]/u.test(character);
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
  const own = detach(word);
  const stemmed = stem(foldWord(own));
  stems.set(own, stemmed);
  return stemmed;
}
