/**
 * The blocks of a Markdown text: paragraphs, list items, rows of tables and code, and the headings between them. The label of an
 * entry is a heading as well: see entry-labels.ts. Plain text has headings without a mark and lists without bullets: see
 * plain-lines.ts.
 */
import { startOfMessage } from '../../../base/text/lines/chat-lines.ts';
import { isEntryLabel, isValueLabel } from '../../../base/text/lines/entry-labels.ts';
import { headsLine, headsParagraph, isPlainText, isRankedName } from '../../../base/text/lines/plain-lines.ts';
import { isOrdinal } from '../../../base/text/ordinals.ts';

interface Line {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A stretch of the text, by its offsets; `bullet` and `indent` are those of a list item. */
export interface Block {
  /** A rule is the line between the headings of a table and its rows. */
  kind: 'prose' | 'item' | 'row' | 'code' | 'rule';
  start: number;
  end: number;
  indent: number;
  bullet?: string;
}

const itemPattern = /^(\s*(?:>\s*)*)(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?(?=\S)/;

/** Whether a line begins with a day, "14. März", whose number is that of no item. */
function isGermanDate(line: string): boolean {
  const [, day, rest] = /^\s*(\d{1,2})\.\s+(.*)$/.exec(line) ?? [];
  return day !== undefined && isOrdinal(day, rest!);
}

/** A heading; labels that follow each other directly are one, as they are of one entry. */
export interface Heading {
  readonly heading: string;
  readonly isLabel?: boolean;
  /** Whether it names the next block alone, a value. */
  readonly isOfValue?: boolean;
}

/** Blocks and headings in order; together they read each line once. */
export function* readBlocks(text: string): Generator<Block | Heading> {
  let open: Block | undefined;
  let fence: string | undefined;
  let previous: Line | undefined;
  const from = endOfCutCode(text);
  const lines = [...readLines(text)];
  const isPlain = isPlainText(text);
  for (const [at, line] of lines.entries()) {
    if (line.start < from) continue;
    const bare = line.text.replace(/^(?:\s*>)+ ?/, '').trim();
    if (fence !== undefined && open !== undefined) {
      if (bare !== '') open.end = line.end;
      if (bare.startsWith(fence) && /^(`+|~+)$/.test(bare)) {
        yield open;
        open = undefined;
        fence = undefined;
      }
      continue;
    }
    const started = /^(`{3,}|~{3,})/.exec(bare)?.[1];
    const isOfName = isRankedName(line.text, lines[at - 1]?.text, lines[at + 1]?.text);
    const item = isOfName || isGermanDate(line.text) ? null : itemPattern.exec(line.text);
    const message = startOfMessage(line.text);
    if (started !== undefined) {
      if (open !== undefined) yield open;
      const indent = line.text.indexOf(started);
      open = { kind: 'code', start: line.start + indent, end: line.end, indent };
      fence = started;
    } else if (/^(?:=+|-{2,})$/.test(bare) && open?.kind === 'prose' && previous?.end === open.end) {
      // A setext heading: its text is the previous line.
      if (previous.start > open.start) yield { ...open, end: text.slice(0, previous.start).trimEnd().length };
      open = undefined;
      yield { heading: previous.text.trim() };
    } else if (
      bare === '' ||
      /^(?:[-*_]\s*){3,}$/.test(bare) ||
      /^\[[^\]]{1,200}\]:\s/.test(bare) ||
      /^<!--.*-->$/.test(bare)
    ) {
      if (open !== undefined && bare === '' && isPlain && isLoneHeading(text, open, previous, lines, at))
        yield { heading: text.slice(open.start, open.end) };
      else if (open !== undefined && bare === '' && isOfValue(text, open, lines, at))
        yield { heading: text.slice(open.start, open.end), isOfValue: true };
      else if (open !== undefined && bare === '' && isLabel(text, open, lines, at))
        yield { heading: text.slice(open.start, open.end), isLabel: true };
      else if (open !== undefined) yield open;
      open = undefined;
    } else if (/^#{1,6}\s/.test(bare)) {
      if (open !== undefined) yield open;
      open = undefined;
      yield { heading: bare.replace(/^#{1,6}\s+/, '').replace(/\s#+$/, '') };
    } else if (/^\|/.test(bare)) {
      if (open !== undefined) yield open;
      open = undefined;
      const kind = /^[\s|:-]+$/.test(bare) ? 'rule' : 'row';
      yield { kind, start: line.start + line.text.indexOf('|'), end: line.end, indent: 0 };
    } else if (item !== null) {
      if (open !== undefined) yield open;
      const mark = /\d+[.)]/.exec(item[0])?.[0] ?? '-';
      const bullet = `${mark}${/\s\[[ xX]\]/.exec(item[0])?.[0] ?? ''}`;
      open = { kind: 'item', start: line.start + item[0].length, end: line.end, indent: item[1]!.length, bullet };
    } else if (message !== undefined) {
      if (open !== undefined) yield open;
      open = { kind: 'item', start: line.start + message, end: line.end, indent: 0, bullet: '-' };
    } else if (open !== undefined) {
      if (previous !== undefined && isTextHeading(text, open, previous, line)) {
        yield { heading: text.slice(open.start, open.end) };
        open = { kind: 'prose', start: line.start + leadOf(line), end: line.end, indent: 0 };
      } else open.end = line.end;
    } else {
      open = { kind: 'prose', start: line.start + leadOf(line), end: line.end, indent: 0 };
    }
    previous = line;
  }
  if (open !== undefined) yield open;
}

/** A line that opens or closes code, and one that ends as lines of code do. */
const fenceLine = /^[ \t>]*(?:`{3,}|~{3,})[^\n]*$/gm;
const codeLine = /[;{}()[\],=>]\s*$|^\s{2,}\S|^\s*(?:#|\$|<\w)|(?:^|\s)\/\/\s/;

/**
 * Where the code ends that a passage begins in, because a long block was cut; else 0. Read from its end on, the rest of the passage
 * would be code and its code prose. An odd number of fences, the first without a language, is what such a passage has; a line of
 * code before it tells it from one whose end was cut.
 */
function endOfCutCode(text: string): number {
  const fences = [...text.matchAll(fenceLine)];
  const [first] = fences;
  if (first === undefined || fences.length % 2 === 0 || /\w/.test(first[0])) return 0;
  const above = text.slice(0, first.index).trimEnd().split('\n').at(-1)!;
  return codeLine.test(above) ? first.index + first[0].length + 1 : 0;
}

function leadOf(line: Line): number {
  return line.text.length - line.text.trimStart().length;
}

/**
 * Whether the one line of an open paragraph, or of an item that has a number, is a heading of plain text. The lines of an address or a
 * poem are short themselves, and the other lines of an item are indented.
 */
function isTextHeading(text: string, open: Block, previous: Line, line: Line): boolean {
  const isNumbered = open.kind === 'item' && !isDashed(open) && open.indent === 0 && leadOf(line) === 0;
  if (open.kind !== 'prose' && !isNumbered) return false;
  if (open.start < previous.start || open.end !== previous.end) return false;
  return headsLine(text.slice(open.start, open.end), line.text.trim());
}

/** Whether an item has no number. */
function isDashed({ bullet = '' }: Block): boolean {
  return bullet.startsWith('-');
}

/** Whether an open paragraph or item is one line that heads what comes after the blank line at index `at`. */
function isLoneHeading(
  text: string,
  open: Block,
  previous: Line | undefined,
  lines: readonly Line[],
  at: number,
): boolean {
  if (open.kind !== 'prose' && (open.kind !== 'item' || isDashed(open) || open.indent > 0)) return false;
  if (previous === undefined || open.start < previous.start || open.end !== previous.end) return false;
  return headsParagraph(text.slice(open.start, open.end), open.kind === 'item', lineBelow(lines, at)?.text);
}

/** Whether an open paragraph is the label of what comes after the blank line at index `at`. */
function isLabel(text: string, { kind, start, end }: Block, lines: readonly Line[], at: number): boolean {
  return kind === 'prose' && isEntryLabel(text.slice(start, end), lineBelow(lines, at)?.text);
}

/** Whether an open paragraph names the value after the blank line at index `at`, which is a paragraph of one line. */
function isOfValue(text: string, { kind, start, end }: Block, lines: readonly Line[], at: number): boolean {
  if (kind !== 'prose' || !/^[*_]{2}/.test(text.slice(start, start + 2))) return false;
  const below = indexBelow(lines, at);
  return (
    (lines[below + 1]?.text.trim() ?? '') === '' && isValueLabel(text.slice(start, end), lines[below]?.text.trim())
  );
}

/** The first line with text from index `at` on. */
function lineBelow(lines: readonly Line[], at: number): Line | undefined {
  return lines[indexBelow(lines, at)];
}

function indexBelow(lines: readonly Line[], at: number): number {
  let below = at;
  while (lines[below] !== undefined && lines[below]!.text.trim() === '') below += 1;
  return below;
}

/** The lines of a paragraph, trimmed, by their offsets into the text. */
export function linesOf(text: string, { start, end }: Block): (readonly [number, number])[] {
  return [...readLines(text.slice(start, end))].map((line) => [start + line.start + leadOf(line), start + line.end]);
}

function* readLines(text: string): Generator<Line> {
  let start = 0;
  while (start < text.length) {
    const next = text.indexOf('\n', start);
    const stop = next === -1 ? text.length : next;
    const line = text.slice(start, stop);
    yield { start, end: start + line.trimEnd().length, text: line };
    start = stop + 1;
  }
}
