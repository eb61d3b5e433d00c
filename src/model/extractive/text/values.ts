/**
 * Finds values in a text: numbers with their units, dates, names, code and quotations, each with its span. Values are
 * read as written: "300e3", "5,000" and "$1.2 million" are numbers.
 */
import { monthAbbreviations, months } from '../../../base/text/months.ts';
import { multipliers, smallNumbers } from '../../../base/text/numbers.ts';
import { removedPattern } from './clean.ts';

/** Offsets into the text that was searched. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface NumberSpan extends Span {
  /** In the unit as written, with multipliers such as "million" applied. */
  readonly value: number;
  /** `ms`, `s`, `min`, `h`, `day`, `%`, `$`, `byte`, `km` …; '' when it has none. */
  readonly unit: string;
  /** Whether it reads as a year, 1000 to 2099. */
  readonly year: boolean;
  /** Whether it is part of a date. */
  readonly dated: boolean;
}

/** The text with link targets, images, tags, reference marks and URLs replaced by blanks; its length stays. */
export function maskMarkup(raw: string): string {
  return raw.replace(removedPattern, blank).replace(/\bhttps?:\/\/[^\s<>"')\]]+/g, blank);
}

const month = [...months, ...monthAbbreviations].join('|');
const datePattern = new RegExp(
  `\\b(?:\\d{4}-\\d{2}-\\d{2}|(?:the )?\\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:${month})\\.?,? \\d{4}|(?:${month})\\.? \\d{1,2}(?:st|nd|rd|th)?,? \\d{4}|(?:${month})\\.? \\d{4}|\\d{1,2} (?:${month})\\b|(?:${month}) \\d{1,2}\\b(?!,?\\d)|(?:early|mid|late)?[- ]?\\d{3,4}s|(?:the )?(?:early |mid-|late )?\\d{1,2}(?:st|nd|rd|th) century(?: BCE?)?|1\\d{3}|20\\d{2})(?![\\d,]\\d)`,
  'g',
);

/** Dates, years, decades and centuries, in order. */
export function findDates(masked: string): Span[] {
  return findAll(masked, datePattern);
}

const scales: Readonly<Record<string, number>> = { ...multipliers, bn: 1e9, k: 1e3, m: 1e6 };
const numberPattern = new RegExp(
  `([$€£¥]|\\b(?:US\\$|USD|EUR|GBP) ?)?(?<![\\p{L}\\p{N}_.\\-–/]|\\p{N},)(-?\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|-?\\d+(?:_\\d{3})+|-?\\d+(?:\\.\\d+)?(?:e\\d{1,2})?|\\b(?:${smallNumbers.join('|')})\\b)(?![\\p{N}]|[.,:/]\\p{N})(?:[ -]?(${Object.keys(scales).join('|')})\\b)?(?:\\s?(%|percent\\b|per cent\\b)|[\`*]*[ -]?(milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|hours?|hrs?|h|days?|weeks?|months?|years?|bytes?|[KMG]i?B|kilometers?|kilometres?|km|miles?|meters?|metres?|feet|ft|kg|kilograms?|pounds?|tons?|tonnes?|dollars?|USD|euros?|EUR)\\b)?`,
  'giu',
);

/** Numbers in digits and the words for 0 to 20, in order, with their units. */
export function findNumbers(masked: string): NumberSpan[] {
  const dates = findDates(masked);
  const found: NumberSpan[] = [];
  for (const match of masked.matchAll(numberPattern)) {
    const [whole, currency, digits = '', scale, percent, unitName] = match;
    const word = smallNumbers.indexOf(digits.toLowerCase());
    const base = word === -1 ? Number(digits.replace(/[,_]/g, '')) : word;
    // "5 m" is five metres or five million; only a currency decides for the multiplier.
    const factor =
      scale === undefined || (/^[mk]$/i.test(scale) && currency === undefined) ? 1 : scales[scale.toLowerCase()]!;
    const value = Number((base * factor).toPrecision(15));
    if (!Number.isFinite(value)) continue;
    const start = match.index;
    const end = start + whole.trimEnd().length;
    const within = dates.find((date) => date.start < end && date.end > start);
    const unit = percent !== undefined ? '%' : currency !== undefined ? '$' : unitOf(unitName ?? '');
    const year = /^(?:1\d{3}|20\d{2})$/.test(digits) && unit === '' && scale === undefined;
    found.push({
      start,
      end,
      text: masked.slice(start, end),
      value,
      unit,
      year,
      dated: within !== undefined && unit === '',
    });
  }
  return found;
}

/** The canonical unit, `ms` or `km`, of a written one or of a word in a field's name; '' if it is not a unit. */
export function unitOf(written: string): string {
  const word = written.toLowerCase();
  return unitNames.find(([pattern]) => pattern.test(word))?.[1] ?? '';
}

const unitNames: readonly (readonly [RegExp, string])[] = [
  [/^(?:ms|millis|milliseconds?)$/, 'ms'],
  [/^(?:s|secs?|seconds?)$/, 's'],
  [/^(?:mins?|minutes?)$/, 'min'],
  [/^(?:h|hrs?|hours?)$/, 'h'],
  [/^days?$/, 'day'],
  [/^weeks?$/, 'week'],
  [/^months?$/, 'month'],
  [/^years?$/, 'year'],
  [/^(?:percent|percentage|pct|%)$/, '%'],
  [/^(?:usd|dollars?|eur|euros?|gbp|price|cost|\$)$/, '$'],
  [/^bytes?$/, 'byte'],
  [/^kb$/, 'kb'],
  [/^kib$/, 'kib'],
  [/^mb$/, 'mb'],
  [/^mib$/, 'mib'],
  [/^gb$/, 'gb'],
  [/^gib$/, 'gib'],
  [/^(?:km|kilometers?|kilometres?)$/, 'km'],
  [/^miles?$/, 'mile'],
  [/^(?:meters?|metres?)$/, 'm'],
  [/^(?:feet|ft)$/, 'ft'],
  [/^(?:kg|kilograms?)$/, 'kg'],
];

const inBase: Readonly<Record<string, readonly [string, number]>> = {
  ms: ['time', 1],
  s: ['time', 1e3],
  min: ['time', 6e4],
  h: ['time', 3.6e6],
  day: ['time', 8.64e7],
  week: ['time', 6.048e8],
  byte: ['size', 1],
  kb: ['size', 1e3],
  kib: ['size', 1024],
  mb: ['size', 1e6],
  mib: ['size', 1024 ** 2],
  gb: ['size', 1e9],
  gib: ['size', 1024 ** 3],
  km: ['length', 1e3],
  mile: ['length', 1609.344],
  m: ['length', 1],
  ft: ['length', 0.3048],
};

/** A number converted to another unit, unchanged if one of them is ''; undefined if they measure different quantities. */
export function convert(value: number, from: string, to: string): number | undefined {
  if (from === to || to === '' || from === '') return value;
  const [kind, factor] = inBase[from] ?? [];
  const [other, divisor] = inBase[to] ?? [];
  if (kind === undefined || kind !== other) return undefined;
  return Number(((value * factor!) / divisor!).toPrecision(12));
}

/** Runs of capitalised words with the prepositions and articles between them: "Bank of England". */
export function findNames(masked: string): Span[] {
  return findAll(
    masked,
    /\p{Lu}[\p{L}\p{M}\p{N}'’.&-]*(?:(?:\s+(?:of|the|de|la|van|von|der|du|and the|for)){0,2}\s+\p{Lu}[\p{L}\p{M}\p{N}'’.&-]*|\s+\p{N}+(?=[\s,.;)]|$))*/gu,
  ).map(trimName);
}

/** Inline code, and bold text at the beginning of a list item. */
export function findCode(masked: string): Span[] {
  const code = [...masked.matchAll(/`([^`\n]{1,120})`/g)].map((match) => span(match[1]!, match.index + 1));
  const lead = /^\s*(?:\*\*|__)`?([^*_`\n]{1,80})`?(?:\*\*|__)/.exec(masked);
  return lead === null
    ? code
    : [span(lead[1]!, masked.indexOf(lead[1]!)), ...code.filter(({ start }) => start >= lead[0].length - 2)];
}

/** Text between double quotation marks, at most 120 characters. */
export function findQuoted(masked: string): Span[] {
  return [...masked.matchAll(/["“]([^"“”\n]{2,120})["”]/g)].map((match) => span(match[1]!, match.index + 1));
}

function findAll(masked: string, pattern: RegExp): Span[] {
  return [...masked.matchAll(pattern)].map((match) => span(match[0], match.index));
}

function span(text: string, start: number): Span {
  const lead = text.length - text.trimStart().length;
  return { text: text.trim(), start: start + lead, end: start + lead + text.trim().length };
}

function trimName(name: Span): Span {
  const text = name.text.replace(/(?:['’]s?|[.,&-])+$/, '');
  const closed = /\b(?:Jr|Sr|Inc|Ltd|Co|[A-Z])$/.test(text) && name.text.startsWith(`${text}.`) ? `${text}.` : text;
  return { text: closed, start: name.start, end: name.start + closed.length };
}

function blank(match: string): string {
  return ' '.repeat(match.length);
}
