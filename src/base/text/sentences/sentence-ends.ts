/** Whether a mark ends a sentence, by what is around it. */
import { isOrdinal } from '../ordinals.ts';
import { abbreviation, beforeNumber } from './abbreviations.ts';

/** Whether a text ends with a sentence: a mark, with what may close after it. */
export function endsSentence(text: string): boolean {
  return /[.!?…。！？]["'”’»)\]*_]{0,3}$/u.test(text);
}

/**
 * Whether the mark at `stop` ends a sentence that begins at `from`. `end` is where what closes after it ends, and `to` where the text does
 * that is read; all are offsets into `text`.
 */
export function isSentenceEnd(text: string, from: number, stop: number, end: number, to: number): boolean {
  if (end >= to || /[。！？]/.test(text[stop]!)) return true;
  const next = text.slice(end, end + 12).trimStart();
  if (next === '') return true;
  if (/^[\p{Ll}]/u.test(next)) return false;
  return endsByItself(text, from, stop, next) && !inCode(text, from, stop) && !inParentheses(text, from, stop);
}

/** Whether it does by the words around it, of which `next` follow. */
function endsByItself(text: string, from: number, stop: number, next: string): boolean {
  if (text[stop] !== '.' || text[stop + 1] === '.') return true;
  const before = text.slice(Math.max(from, stop - 14), stop);
  if (isOrdinal(before, next) || (beforeNumber.test(before) && /^\d/.test(next))) return false;
  if (!abbreviation.test(before)) return true;
  // "… in the U.S. The council" and "… World War I. The …" are two sentences; "J. R. R. Tolkien" and "Dr. Watson" are not.
  return (
    /(?:\.[A-Z]|etc|Inc|Ltd|Corp|\p{L}{2} I)$/u.test(before) &&
    /^(?:The|A|An|In|He|She|It|They|This|These|On|At|By|For|After|Although|But|Despite|During|His|Her|However|Their|When)\b/.test(
      next,
    )
  );
}

/** Whether `to` is within parentheses that open after `from` and close within 120 characters: "(part no. A-3)". */
function inParentheses(text: string, from: number, to: number): boolean {
  const before = text.slice(from, to);
  return before.lastIndexOf('(') > before.lastIndexOf(')') && /^[^()\n]*\)/.test(text.slice(to, to + 120));
}

/** Whether `to` is within inline code that opens after `from` and closes within 200 characters. */
function inCode(text: string, from: number, to: number): boolean {
  let odd = false;
  for (let i = from; i < to; i += 1) if (text[i] === '`') odd = !odd;
  if (!odd) return false;
  const close = text.indexOf('`', to);
  return close !== -1 && close - to < 200;
}
