/**
 * Finds dates, names, code and quotations in a text, each with its span and as written.
 */
import { monthAbbreviations, months } from '../../../base/text/dates/months.ts';
import { removedPattern } from './clean.ts';

/** Offsets into the text that was searched. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The bracket that opens a link, of which `removedPattern` matches the end. */
const linkOpens = /(?<!!)\[(?=[^[\]\n]{0,300}\]\()/g;

/** The text with links (but for their words), images, tags, reference marks and URLs replaced by blanks; its length stays. */
export function maskMarkup(raw: string): string {
  return raw
    .replace(linkOpens, ' ')
    .replace(removedPattern, blank)
    .replace(/\bhttps?:\/\/[^\s<>"')\]]+/g, blank);
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
