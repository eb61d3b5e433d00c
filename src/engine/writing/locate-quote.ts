/**
 * Finds the quote that supports a claim: the stretch of the evidence that says what the answer says before a marker. First
 * verbatim, then word by word (ignoring case, punctuation, whitespace and Markdown), then by the check of its meaning
 * (support/check-claim.ts), which also looks at what is said around a verbatim part of a sentence.
 */

import type { Citation } from '../../../protocol/index.ts';
import { startOfFencedEnd } from '../../base/text/lines/fences.ts';
import { sentenceEnds } from '../../base/text/sentences/sentence-ends.ts';
import type { Evidence } from '../ports/snapshot.ts';
import { findExact, findWords, type LocatedQuote, readWords, type TextSpan, type Words } from './match-quote.ts';
import { checkClaim, readSource } from './support/check-claim.ts';
import { claimStart } from './support/claim-span.ts';
import type { SourceText } from './support/closest-sentences.ts';
import { readSentences, type Sentence } from './support/reading/read-text.ts';

/** A claim of the answer and its quote. All offsets are UTF-16 code units, `end` exclusive. */
export interface LocatedClaim extends LocatedQuote {
  /** The claim's span in the answer. */
  readonly claimStart: number;
  readonly claimEnd: number;
  readonly verdict: NonNullable<Citation['verdict']>;
  /** Whether it may be cited, unless a judge says otherwise. */
  readonly isCitable: boolean;
}

export interface QuoteLocator {
  /** The quote in `piece` for the text `answer.slice(from, to)`, or for its last sentence. */
  locateClaim(answer: string, from: number, to: number, piece: Evidence): LocatedClaim | undefined;
  /** The sentence that a marker at `to` is about, without the words that lead to it; empty if there is none. */
  spanOf(answer: string, from: number, to: number): { readonly start: number; readonly end: number };
  /** Where `piece` says `quoted`, verbatim or word by word; a paraphrase does not count. */
  locateQuote(quoted: string, piece: Evidence): LocatedQuote | undefined;
}

/** A locator for one answer; reads the words of each piece of evidence only once. */
export function createQuoteLocator(evidence: readonly Evidence[]): QuoteLocator {
  const words = new Map<number, Words>();
  const sources = new Map<number, SourceText>();
  const wordsOf = ({ n, text }: Evidence) => remember(words, n, () => readWords(text));
  const sourceOf = ({ n, text, title, headings }: Evidence) =>
    remember(sources, n, () => readSource(text, title, headings));
  const findVerbatim = (text: string, piece: Evidence) =>
    findExact(text, piece.text) ?? findWords(readWords(text), wordsOf(piece), piece.text);

  function locate(answer: string, from: number, to: number, piece: Evidence): LocatedClaim | undefined {
    const whole = claimBefore(answer, from, to);
    const sentence = lastSentence(answer, whole.start, whole.end);
    const claim = withoutLead(answer, sentence);
    // A list or several paragraphs are one claim only where the page has them in these words.
    const all = { start: from + endOfRow.exec(answer.slice(from, whole.end))![0].length, end: whole.end };
    const isList = answer.slice(all.start, all.end).includes('\n');
    for (const { start, end } of [isList ? all : whole, whole, sentence, claim].filter(isNew)) {
      const said = answer.slice(start, end);
      const found = findVerbatim(said, piece);
      if (found === undefined || !(isFencedCode(said) || isWhole(found, piece.text))) continue;
      return { claimStart: start, claimEnd: end, ...found, verdict: 'supported', isCitable: true };
    }
    const said = answer.slice(claim.start, claim.end);
    const checked = checkClaim(said, sourceOf(piece));
    if (checked === undefined) return undefined;
    const { start, end, score, verdict, isCitable } = checked;
    // The words themselves are the better quote, if what is around them does not say otherwise.
    const found = (isCitable ? findVerbatim(said, piece) : undefined) ?? { start, end, support: 'fuzzy', score };
    return { claimStart: claim.start, claimEnd: claim.end, ...found, verdict, isCitable };
  }

  /**
   * By piece, start and words, with the character before them. A marker may be looked at more than once, and text that is surveyed before
   * its markers are added has other words at the same offsets.
   */
  const located = new Map<string, LocatedClaim | undefined>();

  return {
    locateClaim(answer, from, to, piece) {
      if (!evidence.includes(piece)) return undefined;
      const key = `${piece.n} ${from} ${answer.slice(Math.max(0, from - 1), to)}`;
      if (!located.has(key)) located.set(key, locate(answer, from, to, piece));
      return located.get(key);
    },

    spanOf(answer, from, to) {
      const whole = claimBefore(answer, from, to);
      return withoutLead(answer, lastSentence(answer, whole.start, whole.end));
    },

    locateQuote: (quoted, piece) => findVerbatim(quoted.trim(), piece),
  };
}

/** Blanks, and the rest of the previous table row after its marker. */
const endOfRow = /^\s*(?:\|[^\S\n]*\n\s*)?/;

function remember<Value>(known: Map<number, Value>, key: number, read: () => Value): Value {
  const value = known.get(key) ?? read();
  known.set(key, value);
  return value;
}

function isNew(span: TextSpan, at: number, spans: readonly TextSpan[]): boolean {
  return spans.findIndex(({ start, end }) => start === span.start && end === span.end) === at;
}

function withoutLead(answer: string, { start, end }: TextSpan): TextSpan {
  return { start: start + claimStart(answer.slice(start, end)), end };
}

/** Code has no sentences that could deny it. */
function isFencedCode(claim: string): boolean {
  return /^(`{3,}|~{3,})[^\n]*\n[\s\S]*\1$/.test(claim);
}

/** The target of a link at the end of a quote, which has none of its words; and how many characters are searched for one. */
const linkAtEnd = /\]\([^()\s]*\)[^\p{L}\p{N}]*$/u;
const maxTarget = 300;
/** Characters: the quote may include the marks around its words. */
const nearby = 6;

/** Whether a quote is whole sentences, items or rows: a part of one may be denied, doubted or conditional there. */
function isWhole({ start, end }: TextSpan, text: string): boolean {
  let [starts, ends] = [false, false];
  const target = linkAtEnd.exec(text.slice(Math.max(start, end - maxTarget), end))?.[0].length ?? 0;
  const last = end - target - nearby;
  // Only what may begin or end where the quote does.
  const isWanted = (from: number, to: number) => (from <= start + nearby && to >= start) || (from <= end && to >= last);
  for (const { tokens } of sentencesAround({ start, end }, text, isWanted)) {
    const spoken = tokens.filter(({ kind }) => kind !== 'mark');
    const [first, final] = [spoken[0], spoken.at(-1)];
    starts ||= first !== undefined && first.start >= start && first.start <= start + nearby;
    ends ||= final !== undefined && final.end <= end && final.end >= last;
  }
  return starts && ends;
}

/**
 * The sentences of the paragraphs that a span touches: reading the whole piece for each quote was a fifth of what a search of
 * an index costs the thread that streams. A blank line ends a sentence everywhere but in fenced code.
 */
function sentencesAround(
  { start, end }: TextSpan,
  text: string,
  isWanted: (start: number, end: number) => boolean,
): readonly Sentence[] {
  if (/^ {0,3}(?:```|~~~)/m.test(text)) return readSentences(text, 0, text.length, isWanted);
  const gap = text.indexOf('\n\n', end);
  const to = gap === -1 ? text.length : gap;
  return readSentences(text, Math.max(0, text.lastIndexOf('\n\n', start)), to, isWanted);
}

const marks = String.raw`\s.,;:!?)|。，、；：！？）،؛؟`;
const marksBefore = new RegExp(`^[${marks}]*`);
/** The mark or number of an item as well, but not the day of "14. Mai 1931". */
const itemOrMarks = new RegExp(
  String.raw`^(?:[${marks}>]|(?:[-*+•]|\d{1,3}[.)](?!\s+\p{Lu}\p{L}{2,9}\.? \d{4}))[ \t]+)*`,
  'u',
);

/** The part of a paragraph, list item, row of a table or code block that ends at `to`, without whitespace and stray punctuation around it. */
function claimBefore(answer: string, from: number, to: number): TextSpan {
  const end = from + answer.slice(from, to).trimEnd().length;
  const text = answer.slice(from, end);
  let start = 0;
  const code = startOfFencedEnd(text);
  if (code !== undefined) start = code;
  else {
    const gaps =
      /\n[ \t]*\n|\n(?=[ \t]*(?:[-*+]|\d+[.)]) )|\n(?=[ \t]*\|)|(?:^|\n) {0,3}(?:#{1,6} |`{3}|~{3})[^\n]*\n/g;
    for (const gap of text.matchAll(gaps)) start = gap.index + gap[0].length;
  }
  const isLineStart = start > 0 || from === 0 || answer[from - 1] === '\n';
  const lead = (isLineStart ? itemOrMarks : marksBefore).exec(text.slice(start, start + 200))?.[0].length ?? 0;
  return { start: from + Math.min(start + lead, text.length), end };
}

function lastSentence(answer: string, start: number, end: number): TextSpan {
  let last = start;
  for (const at of sentenceEnds(answer, start, end)) if (at < end) last = at;
  return { start: end - answer.slice(last, end).trimStart().length, end };
}
