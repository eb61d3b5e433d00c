/**
 * Where sentences end, by the marks and by what is around them. Prose is meant, with capitals at the beginning of sentences: prompts are
 * typed without them, and are split at every mark. Every step is linear in the length of the text.
 */
import { months } from '../dates/months.ts';
import { isOrdinal } from '../ordinals.ts';
import { abbreviation, beforeNumber, lastBeforeCapital, maybeLast } from './abbreviations.ts';

/** Marks with what closes after them: quotes, brackets, emphasis, and marks of references such as "[3]" and "[citation needed]". */
const endMarks = /(?<![.!?…])[.!?…]+(?:["'”’»)\]*_]|\[\^?[\p{L}\p{N}_ ?–-]{1,40}\])*(?=\s|$)|[。！？]+[」』”]?/gu;
/** Characters: what is longer ends at the next mark, whatever is around it. Set by hand. */
const longestSentence = 2_000;

/** Whether a text ends with a sentence: a mark, with what may close after it. */
export function endsSentence(text: string): boolean {
  return /[.!?…。！？]["'”’»)\]*_]{0,3}$/u.test(text);
}

/** Characters after a mark that decide whether it ends a sentence: these, and more of them after a parenthesis or a mark of code. */
const nextLength = 12;
const closingParenthesis = 120;
const closingCode = 200;

/** Where the sentences between two offsets end, in order: after what closes them, the last one at `to`. */
export function* sentenceEnds(text: string, from: number, to: number): Generator<number> {
  const part = text.slice(from, to);
  let start = 0;
  for (const { index, 0: mark } of part.matchAll(endMarks)) {
    const end = index + mark.length;
    if (end >= part.length || !isSentenceEnd(part, start, index, end, part.length)) continue;
    yield from + end;
    start = end;
  }
  yield to;
}

/** The sentences of a text, without the blanks around them; none of them is empty. */
export function sentencesOf(text: string): string[] {
  let start = 0;
  return [...sentenceEnds(text, 0, text.length)].flatMap((end) => {
    const sentence = text.slice(start, end).trim();
    start = end;
    return sentence === '' ? [] : [sentence];
  });
}

/** How many characters must follow a sentence before it is certain that it ends there, in a text of which more may come. */
export function charactersAfter(sentence: string): number {
  return /[(`]/.test(sentence) ? closingCode : nextLength;
}

/**
 * Whether the mark at `stop` ends a sentence that begins at `from`. `end` is where what closes after it ends, and `to` where the text does
 * that is read; all are offsets into `text`.
 */
export function isSentenceEnd(text: string, from: number, stop: number, end: number, to: number): boolean {
  if (end >= to || end - from >= longestSentence || /[。！？]/.test(text[stop]!)) return true;
  const next = text.slice(end, end + nextLength).trimStart();
  if (next === '') return true;
  if (/^[\p{Ll}]/u.test(next)) return false;
  return endsByItself(text, from, stop, end, next) && !inCode(text, from, stop) && !inParentheses(text, from, stop);
}

/** Begins a sentence rather than a name. */
const firstWord =
  /^(?:The|A|An|In|He|She|It|They|This|These|On|At|By|For|After|Although|But|Despite|During|His|Her|However|Their|When)\b/;
/** Follows a time of day: "4 p.m. Monday", "4 p.m. May 3", "4 p.m. EST". */
const afterTime = new RegExp(
  String.raw`^(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|${months.join('|')}|[A-Z]{2,4})(?!\p{L})`,
  'u',
);

/** Says when something is, and not what: "On Friday at 7 p.m. Miro Selander reads …". */
const onlyTime = /^\s*(?:[Oo]n|[Aa]t|[Ff]rom|[Uu]ntil|[Bb]y|[Ss]ince|[Aa]fter|[Bb]efore|[Bb]etween)\s[^,;:]{1,36}$/u;

/** Whether it does by the words around it, of which `next` follow. */
function endsByItself(text: string, from: number, stop: number, end: number, next: string): boolean {
  if (text[stop] !== '.' || text[stop + 1] === '.') return true;
  const before = text.slice(Math.max(from, stop - 14), stop);
  if (isOrdinal(before, next) || (beforeNumber.test(before) && /^\d/.test(next))) return false;
  // "by Acme Inc.” Nobody …": a quote that closes ends what it quotes.
  if (!abbreviation.test(before) || /["'”’»]/.test(text.slice(stop + 1, end))) return true;
  if (lastBeforeCapital.test(before))
    return (
      /^\p{Lu}/u.test(next) && !afterTime.test(next) && !onlyTime.test(text.slice(from, Math.min(stop, from + 50)))
    );
  // "… in the U.S. The council" and "… World War I. The …" are two sentences; "J. R. R. Tolkien" and "Dr. Watson" are not.
  return maybeLast.test(before) && firstWord.test(next);
}

/** Whether `to` is within parentheses that open after `from` and close soon after: "(part no. A-3)". */
function inParentheses(text: string, from: number, to: number): boolean {
  const before = text.slice(from, to);
  return (
    before.lastIndexOf('(') > before.lastIndexOf(')') && /^[^()\n]*\)/.test(text.slice(to, to + closingParenthesis))
  );
}

/** Whether `to` is within inline code that opens after `from` and closes soon after. */
function inCode(text: string, from: number, to: number): boolean {
  let odd = false;
  for (let i = from; i < to; i += 1) if (text[i] === '`') odd = !odd;
  return odd && text.slice(to, to + closingCode).includes('`');
}
