/** Which of its values a statement says of a field: "The office is closed on Sundays" says "closed", of "open" and "closed". */

import { splitCamelCase } from '../../../base/text/names/camel-case.ts';
import { plainWordsIn } from '../../../base/text/plain-words.ts';
import type { Span } from '../text/values.ts';

export interface Choice {
  /** As the field has it. */
  readonly value: string;
  readonly span: Span;
}

interface Choices {
  /** Values by their words, in lower case. */
  readonly byWords: ReadonlyMap<string, string>;
  /** How many words they have, most first. */
  readonly lengths: readonly number[];
}

// Set by hand.
/** Words; a longer value is a sentence, which no document says word for word. */
const maxWords = 12;
/** Characters between two words of a value: a space, a hyphen, a comma and a space. */
const maxGap = 3;
/** Characters before a value in which a denial turns it around. */
const deniedWithin = 24;
const denial =
  /(?<![\p{L}\p{N}])(?:no|not|never|neither|nor|without|nicht|kein\p{L}*|pas|non)(?![\p{L}\p{N}])[^.,;:]*$|n['’]t\b[^.,;:]*$/iu;
const known = new WeakMap<readonly unknown[], Choices>();

/**
 * The values that a text has, as whole words, in any case and with spaces or punctuation between them: "in stock" says "in_stock".
 * Where two begin alike, the longer one counts. What is denied is not said.
 */
export function findChoices(text: string, values: readonly (string | number | boolean)[]): Choice[] {
  const { byWords, lengths } = known.get(values) ?? readChoices(values);
  const words = [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map(({ 0: said, index }) => ({ said, index }));
  const found: Choice[] = [];
  for (let at = 0; at < words.length; ) {
    const length = lengths.find((count) => at + count <= words.length && byWords.has(joined(words, at, count))) ?? 0;
    const start = words[at]!.index;
    const last = words[at + length - 1] ?? words[at]!;
    const span = { start, end: last.index + last.said.length };
    if (length > 0 && isSaid(text, span)) {
      const value = byWords.get(joined(words, at, length))!;
      found.push({ value, span: { ...span, text: text.slice(span.start, span.end) } });
    }
    at += Math.max(1, length);
  }
  return found;
}

/** Whether a value is there as a word of its own ("refundable" does not match "non-refundable"), in one piece, and is not denied. */
function isSaid(text: string, { start, end }: { readonly start: number; readonly end: number }): boolean {
  const gaps = text.slice(start, end).match(/[^\p{L}\p{N}\p{M}]+/gu) ?? [];
  return (
    gaps.every((gap) => gap.length <= maxGap && !gap.includes('\n')) &&
    !/[\p{L}\p{N}]-$/u.test(text.slice(Math.max(0, start - 2), start)) &&
    !denial.test(text.slice(Math.max(0, start - deniedWithin), start))
  );
}

function readChoices(values: readonly (string | number | boolean)[]): Choices {
  const texts = values.filter((value): value is string => typeof value === 'string');
  // "inStock" and "in_stock" have two words each.
  const read = texts.map((value) => ({ value, words: plainWordsIn(splitCamelCase(value)) }));
  const short = read.filter(({ words }) => words.length > 0 && words.length <= maxWords);
  const choices = {
    byWords: new Map(short.map(({ value, words }) => [words.join(' ').toLowerCase(), value])),
    lengths: [...new Set(short.map(({ words }) => words.length))].sort((a, b) => b - a),
  };
  known.set(values, choices);
  return choices;
}

function joined(words: readonly { readonly said: string }[], at: number, count: number): string {
  const said = words.slice(at, at + count).map((word) => word.said);
  return said.join(' ').toLowerCase();
}
