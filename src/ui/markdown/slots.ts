/**
 * Places in a Markdown text that have to be found again once it is drawn: where a marker stands, where a quote begins.
 * They are written into the text as signs that Markdown leaves alone and takes for punctuation, and read off again where
 * text is drawn, be it prose, a table or code.
 */

/** `text.slice(at, until)` gives way to it; the two are the same where nothing does. */
export interface Slot {
  readonly at: number;
  readonly until: number;
}

const [opening, closing] = ['⸨', '⸩'] as const;
const signs = /⸨(\d+)⸩/;

/** The text with a sign for each slot, by its place in the list. Signs that were in the text are gone. */
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

/** Text and the slots in it, by turns: text at even places, the slot's place in the list at odd ones. */
export function readSlots(text: string): string[] {
  return text.includes(opening) ? text.split(signs) : [text];
}

export function withoutSlots(text: string): string {
  return text.replace(new RegExp(signs, 'g'), '');
}

const blockPrefix = /(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])|#{1,6}(?=[ \t])|\[[ xX]\](?=[ \t])|\|))*[ \t]*/y;
const fence = /^[ \t]*(?:```|~~~)/;

/**
 * A stretch of the text, its ends moved inwards to where a sign changes no heading, list, table or fence into something
 * else. Undefined when nothing is left of it.
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
