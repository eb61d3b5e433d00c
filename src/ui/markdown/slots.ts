/**
 * Positions in a Markdown text that must be found again after rendering, such as a marker or the start of a quote. They are
 * written into the text as signs that Markdown treats as punctuation, and read again wherever text is rendered: in prose,
 * tables or code.
 */

/** Replaces `text.slice(at, until)`; `at` equals `until` for a pure insertion. */
export interface Slot {
  readonly at: number;
  readonly until: number;
}

const [opening, closing] = ['⸨', '⸩'] as const;
const signs = /⸨(\d+)⸩/;

/** The text with a sign for each slot that carries its index. Such signs in the original text become parentheses. */
export function writeSlots(text: string, slots: readonly Slot[]): string {
  const plain = text.replaceAll(opening, '(').replaceAll(closing, ')');
  const inOrder = slots.map((slot, index) => ({ ...slot, index })).sort((a, b) => a.at - b.at || a.index - b.index);
  let written = '';
  let from = 0;
  for (const { at, until, index } of inOrder) {
    written += `${plain.slice(from, at)}${opening}${index}${closing}`;
    from = Math.max(from, until);
  }
  return written + plain.slice(from);
}

/** Splits text at its slots: text at even indexes, the index of a slot at odd ones. */
export function readSlots(text: string): string[] {
  return text.includes(opening) ? text.split(signs) : [text];
}

export function withoutSlots(text: string): string {
  return text.replace(new RegExp(signs, 'g'), '');
}

const blockPrefix = /(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])|#{1,6}(?=[ \t])|\[[ xX]\](?=[ \t])|\|))*[ \t]*/y;
const fence = /^[ \t]*(?:```|~~~)/;

/**
 * A span of the text with its ends moved inwards, so that a sign there does not break a heading, list, table or fence.
 * Undefined when nothing is left of it.
 */
export function safeStretch(text: string, start: number, end: number): { start: number; end: number } | undefined {
  const from = safeStart(text, start);
  const to = safeEnd(text, end);
  return from < to ? { start: from, end: to } : undefined;
}

function safeStart(text: string, start: number): number {
  const line = text.lastIndexOf('\n', start - 1) + 1;
  if (fence.test(text.slice(line, start + 3))) {
    const next = text.indexOf('\n', start);
    return next === -1 ? text.length : next + 1;
  }
  blockPrefix.lastIndex = line;
  blockPrefix.exec(text);
  const from = Math.max(start, blockPrefix.lastIndex);
  return from + (/^\s*/.exec(text.slice(from, from + 80))?.[0].length ?? 0);
}

function safeEnd(text: string, end: number): number {
  const line = text.lastIndexOf('\n', end - 1) + 1;
  const to = fence.test(text.slice(line, end)) ? line : end;
  return to - (/[\s|]*$/.exec(text.slice(Math.max(0, to - 80), to))?.[0].length ?? 0);
}
