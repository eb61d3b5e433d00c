/**
 * An answer that a model put in an object, as small models do that were asked for JSON a moment ago: `{"answer": "…"}`, with its
 * status before or after it, and possibly in a fence. Its text passes as it comes, and its status as the line that was asked for.
 */

export interface JsonAnswerFilter {
  /** The text of a piece, and of what waited, without the object around it. */
  push(piece: string): string;
  /** Returns the rest. */
  finish(): string;
}

const verdict = String.raw`\s*(?:\*{0,2}STATUS:\*{0,2}\s*\w{1,20}\*{0,2}\s+)?`;
const fence = String.raw`(?:\x60{3,}(?:json)?\s*)?`;
const status = String.raw`"status"\s*:\s*"(?<status>\w{1,20})"`;
const opening = new RegExp(
  String.raw`^(?<verdict>${verdict})${fence}\{\s*(?:${status}\s*,\s*)?"(?:answer|final_answer)"\s*:\s*"`,
  'i',
);
/** A text that may still become one. */
const mayOpen = new RegExp(
  String.raw`^(?:\s*\*{0,2}(?:S|ST|STA|STAT|STATU|STATUS(?::.{0,30})?)?|${verdict}(?:\x60{1,3}(?:j(?:son?)?)?|${fence}(?:\{[^]*)?))$`,
  'i',
);
const laterStatus = new RegExp(status, 'i');
/** What follows the quotation mark that ends the text, and what may still become that. */
const end = /^\s{0,99}(?:\}|,\s{0,99}"\w{1,30}"\s{0,9}:)/;
const unknownEnd = /^\s{0,99}(?:,\s{0,99}(?:"\w{0,30}(?:"\s{0,9})?)?)?$/;
/** The rest of an object whose other values are no objects, and the fence around it. */
const closing = /^(?:[^{}"]|"(?:[^"\\]|\\.)*")*\}/s;
const closingFence = /^\s*`*\s*$/;
/** Characters, set by hand: no opening is longer, and nothing after the text is read further. */
const longest = 200;
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '', b: '', f: '' };

/** A filter for one answer. Text of any other kind passes unchanged. */
export function createJsonAnswerFilter(): JsonAnswerFilter {
  let state: 'opening' | 'other' | 'text' | 'after' | 'closed' = 'opening';
  let waiting = '';

  /** The text in `waiting` up to its closing quotation mark; an escape that is not complete waits. */
  function readText(): string {
    let text = '';
    for (const { 0: part, index } of waiting.matchAll(/\\(?:u[\da-f]{4}|[^u])|[^\\"]+|"|\\u?[\da-f]{0,3}$/gis)) {
      // Models forget to escape quotation marks: one that ends the text has the rest of an object after it.
      if (part === '"' && unknownEnd.test(waiting.slice(index + 1))) {
        waiting = waiting.slice(index);
        return text;
      }
      if (part === '"' && end.test(waiting.slice(index + 1))) {
        state = 'after';
        waiting = waiting.slice(index + 1);
        return text;
      }
      if (part.startsWith('\\') && index + part.length === waiting.length && /^\\(?:u[\da-f]{0,3})?$/i.test(part)) {
        waiting = part;
        return text;
      }
      text += part.startsWith('\\') ? unescaped(part) : part;
    }
    waiting = '';
    return text;
  }

  /** The status of what follows the text in its object, once all of that has come. */
  function readRest(): string {
    const rest = closing.exec(waiting)?.[0];
    if (rest === undefined) {
      waiting = waiting.slice(0, longest);
      return '';
    }
    state = 'closed';
    waiting = waiting.slice(rest.length);
    const found = laterStatus.exec(rest);
    return (found === null ? '' : `\n${statusLine(found.groups!.status!)}`) + passText();
  }

  /** What a model writes below the object, without the fence that ends it. */
  function passText(): string {
    if (waiting.length <= longest && closingFence.test(waiting)) return '';
    state = 'other';
    return `\n\n${waiting.replace(/^\s*`{3,}\s*/, '').trimStart()}`;
  }

  function push(piece: string): string {
    if (state === 'other') return piece;
    waiting += piece;
    if (state === 'after') return readRest();
    if (state === 'closed') return passText();
    if (state === 'text') return readText();
    const found = opening.exec(waiting);
    if (found !== null) {
      state = 'text';
      waiting = waiting.slice(found[0].length);
      const { verdict = '', status } = found.groups!;
      return verdict + (status === undefined ? '' : statusLine(status)) + readText();
    }
    if (waiting.length <= longest && mayOpen.test(waiting)) return '';
    state = 'other';
    return waiting;
  }

  return {
    push,
    finish() {
      if (state === 'opening') return waiting;
      const found = state === 'after' ? laterStatus.exec(waiting) : null;
      return found === null ? '' : `\n${statusLine(found.groups!.status!)}`;
    },
  };
}

function statusLine(word: string): string {
  return `STATUS: ${word}\n\n`;
}

function unescaped(sequence: string): string {
  const sign = sequence[1]!;
  return /^\\u/i.test(sequence) ? String.fromCharCode(parseInt(sequence.slice(2), 16)) : (escapes[sign] ?? sign);
}
