/**
 * Finds the quote that supports a claim: the stretch of the evidence that says what the answer says before a marker. First
 * verbatim, then word by word (ignoring case, punctuation, whitespace and Markdown), then by shared words above a
 * threshold, with every number of the claim in the quote. A claim that none of these finds is not cited.
 */

import type { Citation } from '../../../protocol/index.ts';
import type { Evidence } from '../ports/snapshot.ts';

/** A claim of the answer and its quote. All offsets are UTF-16 code units, `end` exclusive. */
export interface LocatedClaim {
  /** The claim's span in the answer. */
  readonly claimStart: number;
  readonly claimEnd: number;
  /** The quote's span in the evidence's text. */
  readonly start: number;
  readonly end: number;
  readonly support: Citation['support'];
  /** 1 if the words are the same; otherwise the share of the claim's words that the quote has. */
  readonly score: number;
}

export type LocatedQuote = Omit<LocatedClaim, 'claimStart' | 'claimEnd'>;

export interface QuoteLocator {
  /** The quote in `piece` for the text `answer.slice(from, to)`, or for its last sentence. */
  locateClaim(answer: string, from: number, to: number, piece: Evidence): LocatedClaim | undefined;
  /** Where `piece` says `quoted`, verbatim or word by word; a paraphrase does not count. */
  locateQuote(quoted: string, piece: Evidence): LocatedQuote | undefined;
}

/** The words of a text with their offsets; `joined` is " w1 w2 … " in lower case. */
interface Words {
  readonly joined: string;
  /** Where each word starts in `joined`. */
  readonly at: readonly number[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** The smallest share of a claim's words that a paraphrase must have in common with its quote; set by hand. */
const minShared = 0.6;

/** A locator for one answer; reads the words of each piece of evidence only once. */
export function createQuoteLocator(evidence: readonly Evidence[]): QuoteLocator {
  const words = new Map<number, Words>();
  const wordsOf = (piece: Evidence): Words => {
    const known = words.get(piece.n);
    if (known !== undefined) return known;
    const fresh = readWords(piece.text);
    words.set(piece.n, fresh);
    return fresh;
  };

  return {
    locateClaim(answer, from, to, piece) {
      if (!evidence.includes(piece)) return undefined;
      const whole = claimBefore(answer, from, to);
      const sentence = lastSentence(answer, whole.start, whole.end);
      for (const { start, end } of sentence.start === whole.start ? [whole] : [whole, sentence]) {
        const claim = answer.slice(start, end);
        const found = findExact(claim, piece.text) ?? findWords(readWords(claim), wordsOf(piece), piece.text);
        if (found !== undefined) return { claimStart: start, claimEnd: end, ...found };
      }
      const claim = answer.slice(sentence.start, sentence.end);
      const found = findLoosely(readWords(claim), wordsOf(piece), piece.text);
      return found && { claimStart: sentence.start, claimEnd: sentence.end, ...found };
    },

    locateQuote(quoted, piece) {
      const text = quoted.trim();
      return findExact(text, piece.text) ?? findWords(readWords(text), wordsOf(piece), piece.text);
    },
  };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The part of a paragraph, list item or code block that ends at `to`, without whitespace and stray punctuation around it. */
function claimBefore(answer: string, from: number, to: number): Span {
  const end = from + answer.slice(from, to).trimEnd().length;
  const text = answer.slice(from, end);
  let start = 0;
  if (/(?:^|\n) {0,3}(?:```|~~~)$/.test(text)) {
    start = Math.max(0, text.lastIndexOf('\n```', text.length - 5), text.lastIndexOf('\n~~~', text.length - 5));
  } else {
    for (const gap of text.matchAll(/\n[ \t]*\n|\n(?=[ \t]*(?:[-*+]|\d+[.)]) )/g)) start = gap.index + gap[0].length;
  }
  const lead = /^[\s.,;:!?)]*/.exec(text.slice(start))?.[0].length ?? 0;
  return { start: from + Math.min(start + lead, text.length), end };
}

function lastSentence(answer: string, start: number, end: number): Span {
  let last = start;
  for (const gap of answer.slice(start, end).matchAll(/[.!?…]["'”’)\]]*\s+(?=\S)|[。！？]/g)) {
    const next = start + gap.index + gap[0].length;
    if (next < end) last = next;
  }
  return { start: last, end };
}

function findExact(claim: string, text: string): LocatedQuote | undefined {
  const start = claim.length < 3 ? -1 : text.indexOf(claim);
  return start === -1 ? undefined : { start, end: start + claim.length, support: 'exact', score: 1 };
}

function findWords(claim: Words, text: Words, raw: string): LocatedQuote | undefined {
  if (claim.joined.length < 5) return undefined;
  const at = text.joined.indexOf(claim.joined);
  if (at === -1) return undefined;
  const first = wordAt(text, at + 1);
  const last = first + claim.at.length - 1;
  return { ...withMarks(raw, text.starts[first]!, text.ends[last]!), support: 'normalised', score: 1 };
}

/** The one to three consecutive sentences that share the largest part of the claim's words; all numbers must be there. */
function findLoosely(claim: Words, text: Words, raw: string): LocatedQuote | undefined {
  const wanted = new Set(wordList(claim).filter((word) => word.length > 3 || /\d/.test(word)));
  if (wanted.size < 2) return undefined;
  const sentences = readSentences(raw);
  let best: { quote: LocatedQuote; worth: number } | undefined;
  for (let from = 0; from < sentences.length; from += 1) {
    for (let to = from; to < Math.min(from + 3, sentences.length); to += 1) {
      const { start } = sentences[from]!;
      const { end } = sentences[to]!;
      const held = new Set(wordList(text).filter((_, i) => text.starts[i]! >= start && text.ends[i]! <= end));
      const shared = [...wanted].filter((word) => held.has(word));
      const numbersHeld = [...wanted].every((word) => !/\d/.test(word) || held.has(word));
      const score = numbersHeld ? shared.length / wanted.size : 0;
      // A longer quote must be worth its length; the penalty is set by hand.
      const worth = score - 0.1 * (to - from);
      if (score >= minShared && worth > (best?.worth ?? 0))
        best = { quote: { start, end, support: 'fuzzy', score }, worth };
    }
  }
  return best?.quote;
}

function readSentences(text: string): Span[] {
  const spans: Span[] = [];
  for (const match of text.matchAll(
    /\S[\s\S]*?(?:[.!?…]["'”’)\]]*(?=\s|$)|[。！？]|(?=\n\s*\n|\n[ \t]*(?:[-*+]|\d+[.)]) )|$)/g,
  )) {
    spans.push({ start: match.index, end: match.index + match[0].trimEnd().length });
  }
  return spans;
}

/** Images, link targets, tags and reference marks have no words that a claim could repeat. */
const silent =
  /!\[[^\]\n]*\]\([^)\n]*\)|\]\([^)\n]*\)|\\?\[(?:\d{1,4}(?:\s?[,–-]\s?\d{1,4})*|[a-z]|note \d+|nb \d+|\^[^\]\n]+|citation needed|clarification needed|who\?|when\?)\\?\]|<\/?[a-zA-Z][^>\n]*>/iy;
const word = /[\p{L}\p{N}\p{M}]+/uy;

function readWords(text: string): Words {
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

function wordList(words: Words): string[] {
  return words.joined.trim().split(' ');
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

/** A quote includes the marks that open and close it, and the rest of a link in which it ends: it reads as in the page. */
function withMarks(text: string, from: number, to: number): Span {
  const start = from - (/["'“‘«(`*_[]+$/.exec(text.slice(Math.max(0, from - 4), from))?.[0].length ?? 0);
  const inLink = text.slice(start, to).lastIndexOf('[') > text.slice(start, to).lastIndexOf(']');
  const link = inLink ? (/^[`*_]*\](?:\([^)\n]*\))?/.exec(text.slice(to))?.[0].length ?? 0) : 0;
  const end = to + link;
  return { start, end: end + (/^[.!?…。！？)"'”’»`*_]+/.exec(text.slice(end, end + 8))?.[0].length ?? 0) };
}
