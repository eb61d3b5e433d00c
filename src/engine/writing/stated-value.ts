/**
 * Whether a quote says a value. A number has to be in it, with its magnitude: "12 million" says 12000000 and never 12. A text
 * has to be in it word for word. Yes or no is what a quote about the field decides (decided-value.ts). A quote that does not contain
 * the value may still imply it: a number that it converts or counts, a text of which it says a part in other words.
 */

import { clockTimesIn } from '../../base/text/dates/clock-times.ts';
import { isoDayOf } from '../../base/text/dates/days.ts';
import { splitCamelCase } from '../../base/text/names/camel-case.ts';
import { lowerWordsIn } from '../../base/text/plain-words.ts';
import { statedNumbers } from '../../base/text/stated-numbers.ts';
import { stem } from '../../base/text/stems/stemmer.ts';
import { stopWords } from '../../base/text/stop-words.ts';
import { decides } from './decided-value.ts';
import { entailsDate, readDates } from './support/reading/dates.ts';
import { readTokens } from './support/reading/read-text.ts';
import { formOf } from './support/reading/word-forms.ts';
import { relate } from './support/reading/word-relations.ts';

type Value = string | number | boolean;

export interface ReadValue {
  /** The value, corrected where its magnitude was lost. */
  readonly value: Value;
  /** Whether the quote contains it; otherwise it implies it. */
  readonly isStated: boolean;
}

interface Surroundings {
  /** The words of the field's name. */
  readonly field: readonly string[];
  /** The text around the quote; empty where it is not known to be about the field. */
  readonly around: string;
}

/** The share of a text's words that a quote has to say, in other words, to imply the text. Set by hand. */
const minShared = 1 / 3;

/**
 * Words that a quote must have, set by hand: to count without the field's words around it, in the piece that was named or in
 * another one; and to imply what it does not contain.
 */
const minWords = { named: 2, other: 3, implied: 3 };
/** Factors between units, by which a number may have been converted. */
const unitFactors = [7, 12, 24, 30, 52, 60, 100, 365, 1000, 1024, 1440, 3600, 86_400, 1e6, 1e9, 1.609344, 0.3048, 2.54];
/** "3/4", but not a date. */
const fraction = /(?<![\d/.,])(\d{1,3})\/(\d{1,3})(?![\d/])/g;
const slashed = /\d{1,2}\/\d{1,2}\/\d{4}/g;
/** Small numbers that have words of their own. */
const counts: readonly (readonly [number, RegExp])[] = [
  [0, /\b(?:no|none|nobody|nothing|never|without|zero|kein\w*|nicht|ohne|aucune?|sans|ningun[ao]?|sin)\b/i],
  [1, /\b(?:one|once|single|sole)\b/i],
  [2, /\b(?:both|twice|pair|couple|double)\b/i],
  [3, /\b(?:thrice|triple|trio)\b/i],
  [12, /\bdozen\b/i],
];

/** What a quote says of a value; undefined if it does not support it. */
export function readValue(value: Value, quote: string, { field, around }: Surroundings): ReadValue | undefined {
  const said = lowerWordsIn(quote);
  const words = said.filter((word) => !stopWords.has(word));
  const isAboutField = shares(field, words) || (around !== '' && shares(field, lowerWordsIn(around)));
  if (!isAboutField && words.length < (around === '' ? minWords.other : minWords.named)) return undefined;
  const mayImply = words.length >= minWords.implied;
  if (typeof value === 'number') return readNumber(value, quote, field);
  if (typeof value === 'boolean')
    return decides(quote, field, around) === value ? { value, isStated: false } : undefined;
  const wanted = lowerWordsIn(value);
  if (wanted.length > 0 && ` ${said.join(' ')} `.includes(` ${wanted.join(' ')} `)) return { value, isStated: true };
  if (saysTime(value, quote)) return { value, isStated: true };
  // Names and figures are never implied.
  const named = value.match(/\p{Lu}[\p{L}\p{N}]*|\p{N}+/gu) ?? [];
  const held = new Set(said);
  const isNew = named.some((word) => !held.has(word.toLowerCase()) && !isFirstWord(value, word));
  const isMixed = named.length > 1 && !isInOrder(named, said);
  return isNew || isMixed || !mayImply || !sharesMeaning(value, quote) ? undefined : { value, isStated: false };
}

/** The words of the last key of a path, without units: "/bridge/span_m" is about "span". */
export function fieldWords(path: string): string[] {
  const key = path.split('/').findLast((each) => !/^\d*$/.test(each)) ?? '';
  const words =
    splitCamelCase(key)
      .toLowerCase()
      .match(/\p{L}{2,}/gu) ?? [];
  return words.filter((word) => !stopWords.has(word) && !units.has(word));
}

const units = new Set(
  'km cm mm kg mg ms sec secs seconds minutes hours days usd eur gbp percent pct count number total value amount is has name'.split(
    ' ',
  ),
);

function readNumber(value: number, quote: string, field: readonly string[]): ReadValue | undefined {
  const numbers = statedNumbers(quote);
  if (numbers.some((each) => isSame(each.value, value))) return { value, isStated: true };
  const cut = numbers.find((each) => isSame(each.digits, value));
  if (cut !== undefined) {
    const factor = cut.value / cut.digits;
    // The field may ask for millions.
    const isAsked = field.some((word) => isSame(statedNumbers(`2 ${word}`)[0]?.value ?? 0, 2 * factor));
    return { value: isAsked ? value : cut.value, isStated: true };
  }
  const isConverted = numbers.some(({ value: said }) =>
    unitFactors.some((factor) => isSame(said * factor, value) || isSame(said / factor, value)),
  );
  const isShare = [...quote.matchAll(fraction)].some(([, part, all]) => isSame(Number(part) / Number(all), value));
  return isConverted || isShare || (numbers.length === 0 && isCounted(value, quote))
    ? { value, isStated: false }
    : undefined;
}

/** Whether a quote without numbers still says how many: "twice", "none", or by naming each of them. */
function isCounted(value: number, quote: string): boolean {
  if (counts.some(([count, words]) => count === value && words.test(quote))) return true;
  const items = quote.split(/,\s(?:and\s|or\s)?|\s(?:and|or|und|et|y)\s/i).filter((item) => /\p{L}/u.test(item));
  return items.length > 1 && items.length === value;
}

/** Whether the quote says enough of a text in other words, and the opposite of none of it. */
function sharesMeaning(value: string, quote: string): boolean {
  const wanted = contentStems(value);
  const said = contentStems(quote);
  const related = wanted.map((word) => said.map((each) => relate(word, each)));
  const isSaid = (kinds: (typeof related)[number]) => kinds.includes('same') || kinds.includes('wider');
  if (related.some((kinds) => kinds.includes('opposite') && !isSaid(kinds))) return false;
  return related.filter(isSaid).length >= Math.max(1, minShared * wanted.length);
}

function contentStems(text: string): string[] {
  return lowerWordsIn(text)
    .map(formOf)
    .flatMap(({ kind, stem: found }) => (kind === 'function' ? [] : [found]));
}

/**
 * Whether a quote says a date or time of ISO 8601: "1931-05-14" is said by "14. Mai 1931" and by "14/5/1931", "19:30:00" by "7.30 pm".
 * No other value is said that way, nor is a zone.
 */
function saysTime(value: string, quote: string): boolean {
  const found = /^(?:(\d{4})-(\d\d)(?:-(\d\d))?)?(?:(?:^|(?<=\d)T)(\d\d:\d\d)(:\d\d)?)?$/.exec(value.trim());
  if (found === null || value.trim() === '') return false;
  const [, year, month, day, clock, seconds = ':00'] = found;
  if (clock !== undefined && !clockTimesIn(quote).includes(`${clock}${seconds}`)) return false;
  if (year === undefined) return true;
  const said = {
    year: Number(year),
    month: Number(month),
    ...(day === undefined ? {} : { day: Number(day) }),
    from: 0,
    to: 0,
  };
  if (readDates(readTokens(quote, 0, quote.length)).some((date) => entailsDate(date, said))) return true;
  return (quote.match(slashed) ?? []).some((date) => isoDayOf(date) === `${year}-${month}-${day}`);
}

/** Whether the words that both have come in the same order. */
function isInOrder(named: readonly string[], said: readonly string[]): boolean {
  let at = -1;
  return named.every((word) => {
    const next = said.indexOf(word.toLowerCase(), at + 1);
    if (next === -1) return !said.includes(word.toLowerCase());
    at = next;
    return true;
  });
}

/** The first word of a sentence, rather than of a name. */
function isFirstWord(text: string, word: string): boolean {
  return text.trimStart().startsWith(word) && /^\s*\p{Lu}\p{Ll}*\s+\p{Ll}/u.test(text);
}

function shares(field: readonly string[], words: readonly string[]): boolean {
  const stems = new Set(words.map(stem));
  return field.some((word) => stems.has(stem(word)));
}

/** Whole numbers are compared exactly: a number of an account differs in its last digit. */
function isSame(one: number, other: number): boolean {
  if (Number.isSafeInteger(one) && Number.isSafeInteger(other)) return one === other;
  return Math.abs(one - other) <= 1e-9 * Math.max(Math.abs(one), Math.abs(other));
}
