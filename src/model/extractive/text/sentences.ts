/**
 * Splits Markdown into units that an answer can cite: sentences, list items, table rows and code blocks. Units do not
 * overlap, are in order, and have exact offsets into the text. A heading is not a unit but the `section` of the units
 * below it, and the first row of a table the `header` of the others. Every step is linear in the length of the text.
 */

import { areShort, isPlainText, readEntries } from '../../../base/text/lines/plain-lines.ts';
import { sentenceEnds } from '../../../base/text/sentences/sentence-ends.ts';
import { type Block, type Heading, linesOf, readBlocks } from './blocks.ts';
import { splitAtLeads } from './bold-leads.ts';
import { cleanMarkdown } from './clean.ts';
import { endOfOpening } from './letter-opening.ts';

export interface Unit {
  readonly kind: 'sentence' | 'item' | 'row' | 'code';
  /** UTF-16 offsets into the text that was split. */
  readonly start: number;
  readonly end: number;
  /** As an answer shows it: without links, images, emphasis, bullets and reference marks. */
  readonly text: string;
  /** The same line by line, where it has several that are not wrapped text: those of an address. */
  readonly lines?: readonly string[];
  /** Whether it begins on such a line of its own. */
  readonly startsLine?: boolean;
  /** The nearest heading above it in the text, or ''. */
  readonly section: string;
  /** Units of one paragraph or list item share a number. */
  readonly block: number;
  /** Indentation of a list item or code block, in columns. */
  readonly indent: number;
  /** The column headings of a table row, "Name | Phone"; '' for other units, and where the table has none. */
  readonly header: string;
  /** What the unit is a value of, "Weight" of "3.4 kg", where a label of its own or the bold words before it say so; else ''. */
  readonly label: string;
  /**
   * The mark of a list item, which its sentences share: "-" or its number, "2.", and the box of a task, "- [x]"; '' for other units.
   */
  readonly bullet: string;
}

/** Whether it is an item of a list, or a sentence of one. */
export function isListed({ bullet }: Pick<Unit, 'bullet'>): boolean {
  return bullet !== '';
}

/** Whether a task is done, by the box in its mark; undefined for another item. */
export function boxOf({ bullet }: Pick<Unit, 'bullet'>): 'open' | 'done' | undefined {
  const [, box] = /\[([ xX])\]$/.exec(bullet) ?? [];
  return box === undefined ? undefined : box === ' ' ? 'open' : 'done';
}

/**
 * Characters; a longer list item is prose, and split into sentences. One of more than `minProseLength` is if its first sentence
 * does not name what the others are about. Set by hand: about 40 words, and 17.
 */
const maxItemLength = 240;
const minProseLength = 100;
/** Names what the rest is about: emphasis, a link, a label as in "Sheds: …", code. */
const topicOfItem = /^(?:[*_[]|https?:|[^.:!?\n]{1,40}:\s)|`/;

/** The units of a Markdown text, in order. `columns` is the head, "| Name | Phone |", of the table that the text begins within. */
export function splitUnits(text: string, columns = ''): Unit[] {
  const units: Unit[] = [];
  let section = '';
  let header = cleanMarkdown(showRow(columns));
  let number = 0;
  /** The heading above a label, which is the section again after the value. */
  let outer: string | undefined;
  /** The bold words before the paragraph, which name its sentences below that heading. */
  let lead: string | undefined;
  /** How many units there were at the last label. */
  let labelled: number | undefined;
  const isPlain = isPlainText(text);
  const isFaq = askedInFaq.test(text);
  /** The items, outermost first, that name those below them, with the heading above each. */
  const names: { readonly indent: number; readonly above: string }[] = [];
  const blocks = splitAtLeads(text, [...readBlocks(text)]);
  for (const [at, block] of blocks.entries()) {
    const isWithin = (name: { readonly indent: number }) =>
      !('heading' in block) && (block.kind === 'item' || block.kind === 'code') && block.indent > name.indent;
    while (names.length > 0 && !isWithin(names.at(-1)!)) section = names.pop()!.above;
    if ('heading' in block) {
      const heading = cleanMarkdown(block.heading).replace(block.isOfValue ? /:$/ : '', '');
      outer = block.isOfValue ? (outer ?? section) : undefined;
      section = block.isLabel && labelled === units.length ? `${section}, ${heading}` : heading;
      labelled = block.isLabel ? units.length : undefined;
      continue;
    }
    if (block.kind === 'rule') {
      header = units.at(-1)?.kind === 'row' ? units.pop()!.text : '';
      continue;
    }
    if (block.lead !== undefined) {
      outer ??= section;
      lead = cleanMarkdown(block.lead);
      section = outer === '' ? lead : `${outer}, ${lead}`;
    }
    if (block.kind !== 'row') header = '';
    number += 1;
    const lines = block.kind === 'prose' ? linesOf(text, block) : [];
    const written = lines.map(([start, end]) => text.slice(start, end));
    const entries = readEntries(written, isPlain);
    const { heading = 'none' } = entries ?? {};
    const lineStarts = new Set(
      isPlain && (entries !== undefined || areShort(written)) ? lines.map(([start]) => start) : [],
    );
    const headed = section;
    const heads = heading === 'none' ? 0 : 1;
    if (heading !== 'none') section = cleanMarkdown(text.slice(...lines.shift()!).replace(/:$/, ''));
    const whole = block.kind !== 'prose' && (block.kind !== 'item' || isWholeItem(text, block));
    const spans = whole
      ? [[block.start, block.end] as const]
      : entries === undefined
        ? splitSentences(text, block.start, block.end)
        : lines.flatMap((line) => (entries.isEntry(text.slice(...line)) ? [line] : splitSentences(text, ...line)));
    const inner = new Set(
      entries === undefined ? [] : lines.flatMap(([start], i) => (entries.inner.has(i + heads) ? [start] : [])),
    );
    for (const [from, end] of spans) {
      const start =
        from + (isFaq && block.kind === 'prose' ? (faqMark.exec(text.slice(from, end))?.[0].length ?? 0) : 0);
      if (inner.has(from)) {
        section = cleanMarkdown(text.slice(start, end));
        continue;
      }
      const kind = block.kind === 'prose' || !whole ? 'sentence' : block.kind;
      const raw = text.slice(start, end);
      const shown = kind === 'code' ? showCode(raw, block.indent) : cleanMarkdown(kind === 'row' ? showRow(raw) : raw);
      if (!/[\p{L}\p{N}]/u.test(shown)) continue;
      // The heading of a card or of an entry in a list.
      if (kind === 'item' && /^#{1,6}\s/.test(raw)) {
        section = shown.replace(/^#{1,6}\s+/, '');
        continue;
      }
      units.push({
        kind,
        start,
        end,
        text: shown,
        ...(lineStarts.has(start) ? { startsLine: true } : {}),
        ...(lineStarts.size > 0 && raw.includes('\n') ? { lines: cleanLines(raw) } : {}),
        section,
        block: number,
        indent: block.indent,
        header,
        label: lead ?? (outer === undefined ? '' : section),
        bullet: block.bullet ?? '',
      });
    }
    section = outer ?? (heading === 'columns' ? headed : section);
    outer = undefined;
    lead = undefined;
    const named = units.at(-1);
    if (named?.block === number && namesNext(named, blocks[at + 1])) {
      names.push({ indent: block.indent, above: section });
      section = named.text.replace(/:$/, '');
    }
  }
  return units;
}

function cleanLines(raw: string): string[] {
  return raw
    .split('\n')
    .map(cleanMarkdown)
    .filter((line) => line !== '');
}

/** What marks a question and the answer below it: "A: Twelve pitches have electricity." */
const faqMark = /^(?:\*\*)?(?:A(?:nswer|ntwort)?|Q(?:uestion)?|F(?:rage)?):(?:\*\*)?\s+(?=\S)/;

/** A question so marked; "F: failed" in a list of grades, or a fax number, is none. */
const askedInFaq = /^(?:\*\*)?(?:Q(?:uestion)?|F(?:rage)?):[^\n]*\?/m;

/** Whether an item is one unit. */
function isWholeItem(text: string, { start, end }: Block): boolean {
  if (end - start > maxItemLength) return false;
  if (end - start <= minProseLength) return true;
  const [first, ...others] = splitSentences(text, start, end);
  return others.length === 0 || topicOfItem.test(text.slice(...first!));
}

/** Words of an item that names those below it, as a heading does; set by hand. */
const maxNameWords = 5;

/** Whether an item only names the items below it: "Worktop", above "oak, 38 mm". */
function namesNext({ kind, text, indent }: Unit, next: Block | Heading | undefined): boolean {
  if (kind !== 'item' || next === undefined || 'heading' in next || next.kind !== 'item') return false;
  return (
    next.indent > indent &&
    text.split(/\s+/).length <= maxNameWords &&
    /[\p{L}\p{N})]:?$/u.test(text) &&
    !/:\s/.test(text)
  );
}

/** Offsets into `text` of the sentences between `from` and `to`: start and end without surrounding blanks, in order. */
export function splitSentences(text: string, from: number, to: number): (readonly [number, number])[] {
  const spans: (readonly [number, number])[] = [];
  let start = from;
  const close = (end: number) => {
    const raw = text.slice(start, end);
    const trimmed = raw.trimEnd();
    const lead = trimmed.length - trimmed.trimStart().length;
    if (trimmed.length > lead) spans.push([start + lead, start + trimmed.length]);
    start = end;
  };
  for (let end = endOfOpening(text, start, to); end !== undefined; end = endOfOpening(text, start, to)) close(end);
  for (const end of sentenceEnds(text, start, to)) close(end);
  return spans;
}

/** A fenced block without indentation and with a closing fence; '' if it contains a fence, which would end it early. */
function showCode(raw: string, indent: number): string {
  const lines = raw.split('\n').map((line, i) => (i === 0 ? line : dedent(line, indent)));
  const fence = /^(`{3,}|~{3,})/.exec(lines[0]!)![1]!;
  const closed = lines.length > 1 && lines.at(-1)!.trim() === fence;
  const inner = lines.slice(1, closed ? -1 : undefined);
  if (inner.some((line) => /^\s*(?:```|~~~)/.test(line))) return '';
  return [lines[0]!, ...inner, fence].join('\n');
}

function dedent(line: string, indent: number): string {
  const bare = line.replace(/^\s*(?:>\s?)+/, '');
  const blanks = bare.length - bare.trimStart().length;
  return bare.slice(Math.min(blanks, indent)).trimEnd();
}

/** "| a | b |" as "a | b"; a bar within a cell is "\|". */
function showRow(raw: string): string {
  return raw.replace(/^\s*\||(?<!\\)\|\s*$/g, '').replace(/\s*(?<!\\)\|\s*/g, ' | ');
}
