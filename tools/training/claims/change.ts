/** What a change of a sentence is, and what several changes need. */
import type { Random } from '../../../bench/support/random.ts';

export interface Changed {
  /** As in bench/questions/claims. */
  readonly way: string;
  readonly claim: string;
}

/** A change of one sentence; the texts of the same article supply other values. */
export type Change = (sentence: string, around: Around, random: Random) => Changed[];

/** What may be put in the place of something. */
export interface Around {
  /** Names of the page and of its article that the sentence does not have. */
  readonly names: readonly string[];
  /** Other sentences of the page. */
  readonly sentences: readonly string[];
  /** Verbs in the past, as they are written in the article. */
  readonly verbs: readonly string[];
}

export const months = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** A name of one to four words; the first word of a sentence is not taken for one unless it is followed by another. */
export const nameRun = /(?:\p{Lu}[\p{L}'’.-]*\p{L}(?: (?:of the|of|de|van|von) (?=\p{Lu}))? ?){1,5}/gu;

/** The names in a text that are not only the first word of a sentence. */
export function namesIn(text: string): string[] {
  return [...text.matchAll(nameRun)].flatMap(({ 0: found, index }) => {
    const name = found.trim();
    const isFirst = index === 0 || /[.!?]["”]? $/.test(text.slice(0, index));
    if (isFirst && !name.includes(' ')) return [];
    return months.includes(name) || /^(?:I|The|In|It|He|She|A|An|As|At|On|After|When|This)\b/.test(name) ? [] : [name];
  });
}

/** The claim as a change, tidied; empty if there is none, or it is the sentence itself. */
export function once(way: string, sentence: string, claim: string | undefined): Changed[] {
  return claim === undefined || claim === sentence ? [] : [{ way, claim: tidy(claim) }];
}

/** A sentence with single spaces, a capital at its start and a mark at its end. */
export function tidy(claim: string): string {
  const text = claim
    .replace(/\s+/g, ' ')
    .replace(/\s+([,.;])/g, '$1')
    .replace(/,(?=[,.])/g, '')
    .trim()
    .replace(/[,;:]$/, '');
  const end = /[.!?]$/.test(text) ? text : `${text}.`;
  return `${end[0]!.toUpperCase()}${end.slice(1)}`;
}

/** `text` with `by` in place of `length` characters from `at`. */
export function replaceAt(text: string, at: number, length: number, by: string): string {
  return text.slice(0, at) + by + text.slice(at + length);
}

/** `text` as it reads inside of a sentence: an article or pronoun at its start in lower case. */
export function lowerFirst(text: string): string {
  return /^(?:The|A|An|It|He|She|They|This|In|On|As|His|Her|Its|Their|Some|Many|Most)\b/.test(text)
    ? `${text[0]!.toLowerCase()}${text.slice(1)}`
    : text;
}
