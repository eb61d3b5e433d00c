/** Finds the words of a claim in a text, verbatim or word by word: ignoring case, punctuation, whitespace and Markdown. */
import type { Citation } from '../../../protocol/index.ts';
import { referenceMark } from '../../base/text/markers.ts';

/** UTF-16 code units, `end` exclusive. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** The quote's span in the evidence's text, or the span that comes closest to the claim. */
export interface LocatedQuote extends TextSpan {
  readonly support: Citation['support'];
  /** 1 if the words are the same; otherwise the share of the claim that the quote says. */
  readonly score: number;
}

/** The words of a text with their offsets; `joined` is " w1 w2 … " in lower case. */
export interface Words {
  readonly joined: string;
  /** Where each word starts in `joined`. */
  readonly at: readonly number[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** Where the text says exactly this, in whole words. */
export function findExact(claim: string, text: string): LocatedQuote | undefined {
  if (claim.length < 3) return undefined;
  for (let start = text.indexOf(claim); start !== -1; start = text.indexOf(claim, start + 1)) {
    const end = start + claim.length;
    if (!isInWord(text, start) && !isInWord(text, end)) return { start, end, support: 'exact', score: 1 };
  }
  return undefined;
}

/** Whether an offset is inside a word: "red" is not in "hundred". */
function isInWord(text: string, at: number): boolean {
  return (
    /^[\p{L}\p{N}\p{M}][\p{L}\p{N}\p{M}]$/u.test(text.slice(at - 1, at + 1)) &&
    !/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u.test(text.slice(at - 1, at + 1))
  );
}

/** Where the text has the same words in the same order; `raw` is the text itself. */
export function findWords(claim: Words, text: Words, raw: string): LocatedQuote | undefined {
  if (claim.joined.length < 5) return undefined;
  const at = text.joined.indexOf(claim.joined);
  if (at === -1) return undefined;
  const first = wordAt(text, at + 1);
  const last = first + claim.at.length - 1;
  return { ...withMarks(raw, text.starts[first]!, text.ends[last]!), support: 'normalised', score: 1 };
}

/** Images, link targets, tags and reference marks have no words that a claim could repeat; an address in `<…>` has. */
const silent = new RegExp(
  String.raw`!\[[^\]\n]*\]\([^)\n]*\)|\]\([^)\n]*\)|${referenceMark}|<(?![a-z][a-z\d+.-]*:)\/?[a-z][^>\n]*>`,
  'iy',
);
const word = /[\p{L}\p{N}\p{M}]+/uy;

/** The words of a text, without what is not read aloud: targets of links, tags and reference marks. */
export function readWords(text: string): Words {
  const at: number[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let joined = ' ';
  let position = 0;
  while (position < text.length) {
    silent.lastIndex = position;
    word.lastIndex = position;
    const skipped = silent.exec(text);
    const found = skipped === null ? word.exec(text) : null;
    if (found !== null) {
      at.push(joined.length);
      starts.push(position);
      ends.push(position + found[0].length);
      joined += `${found[0].toLowerCase()} `;
    }
    position += Math.max(1, (skipped ?? found)?.[0].length ?? 1);
  }
  return { joined, at, starts, ends };
}

function wordAt(words: Words, position: number): number {
  let low = 0;
  let high = words.at.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (words.at[middle]! < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Marks that close a quote, after a sign such as that of a currency. */
const closing = /^(?:[ \u00a0]?[$€£¥%°])?[.!?…。！？)"'”’»`*_]*/;

/**
 * A quote includes the marks that open and close it, the sign of its last figure, and the rest of a link in which it ends: it reads as
 * in the page.
 */
function withMarks(text: string, from: number, to: number): TextSpan {
  const start = from - (/["'“‘«(`*_[]+$/.exec(text.slice(Math.max(0, from - 4), from))?.[0].length ?? 0);
  const inLink = text.slice(start, to).lastIndexOf('[') > text.slice(start, to).lastIndexOf(']');
  const link = inLink ? (/^[`*_]*\](?:\([^)\n]*\))?/.exec(text.slice(to))?.[0].length ?? 0) : 0;
  const end = to + link;
  return { start, end: end + closing.exec(text.slice(end, end + 8))![0].length };
}
