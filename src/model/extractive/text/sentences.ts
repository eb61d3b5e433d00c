/**
 * Splits Markdown into units that an answer can cite: sentences, list items, table rows and code blocks. Units do not
 * overlap, are in order, and have exact offsets into the text. A heading is not a unit but the `section` of the units
 * below it, and the first row of a table the `header` of the others. Every step is linear in the length of the text.
 */
import { monthAbbreviations } from '../../../base/text/months.ts';
import { cleanMarkdown } from './clean.ts';

export interface Unit {
  readonly kind: 'sentence' | 'item' | 'row' | 'code';
  /** UTF-16 offsets into the text that was split. */
  readonly start: number;
  readonly end: number;
  /** As an answer shows it: without links, images, emphasis, bullets and reference marks. */
  readonly text: string;
  /** The nearest heading above it in the text, or ''. */
  readonly section: string;
  /** Units of one paragraph or list item share a number. */
  readonly block: number;
  /** Indentation of a list item or code block, in columns. */
  readonly indent: number;
  /** The column headings of a table row, "Name | Phone"; '' for other units, and where the table has none. */
  readonly header: string;
  /** The mark of a list item, "-" or its number, "2."; '' for other units. */
  readonly bullet: string;
}

interface Line {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Block {
  /** A rule is the line between the headings of a table and its rows. */
  kind: 'prose' | 'item' | 'row' | 'code' | 'rule';
  start: number;
  end: number;
  indent: number;
  bullet?: string;
}

const itemPattern = /^(\s*(?:>\s*)*)(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?(?=\S)/;
/** Characters; a longer list item is prose, and split into sentences. Set by hand: about 40 words. */
const maxItemLength = 240;

/** Characters of a heading of plain text, below the width at which text is wrapped by hand. */
const maxHeadingLength = 50;

/** The units of a Markdown text, in order. */
export function splitUnits(text: string): Unit[] {
  const units: Unit[] = [];
  let section = '';
  let header = '';
  let number = 0;
  for (const block of readBlocks(text)) {
    if ('heading' in block) {
      section = cleanMarkdown(block.heading);
      continue;
    }
    if (block.kind === 'rule') {
      header = units.at(-1)?.kind === 'row' ? units.pop()!.text : '';
      continue;
    }
    if (block.kind !== 'row') header = '';
    number += 1;
    const whole = block.kind !== 'prose' && (block.kind !== 'item' || block.end - block.start <= maxItemLength);
    const spans = whole ? [[block.start, block.end] as const] : splitSentences(text, block.start, block.end);
    for (const [start, end] of spans) {
      const kind = block.kind === 'prose' || !whole ? 'sentence' : block.kind;
      const raw = text.slice(start, end);
      const shown = kind === 'code' ? showCode(raw, block.indent) : cleanMarkdown(kind === 'row' ? showRow(raw) : raw);
      if (!/[\p{L}\p{N}]/u.test(shown)) continue;
      units.push({
        kind,
        start,
        end,
        text: shown,
        section,
        block: number,
        indent: block.indent,
        header,
        bullet: block.bullet ?? '',
      });
    }
  }
  return units;
}

/** Offsets into `text` of the sentences between `from` and `to`: start and end without surrounding blanks, in order. */
export function splitSentences(text: string, from: number, to: number): (readonly [number, number])[] {
  const spans: (readonly [number, number])[] = [];
  const ends = /[.!?…]+(?:["'”’»)\]*_]|\[\^?[\w ]{1,20}\])*(?=\s|$)|[。！？]+[」』”]?/gu;
  ends.lastIndex = from;
  let start = from;
  const close = (end: number) => {
    const raw = text.slice(start, end);
    const trimmed = raw.trimEnd();
    const lead = trimmed.length - trimmed.trimStart().length;
    if (trimmed.length > lead) spans.push([start + lead, start + trimmed.length]);
    start = end;
  };
  for (let match = ends.exec(text); match !== null && match.index < to; match = ends.exec(text)) {
    const end = Math.min(to, match.index + match[0].length);
    if (isSentenceEnd(text, start, match.index, end, to)) close(end);
  }
  close(to);
  return spans;
}

const abbreviation = new RegExp(
  String.raw`(?:^|[\s("'“‘[])(?:Mr|Mrs|Ms|Dr|Prof|Rev|Fr|St|Sr|Jr|Gen|Col|Capt|Lt|Sgt|Maj|Gov|Sen|Rep|Hon|Pres|Mt|Ft|No|Nos|Vol|vol|pp?|Fig|fig|Figs|Eq|Sec|Ch|ch|vs?|cf|ca?|e\.g|i\.e|etc|al|approx|Inc|Ltd|Co|Corp|Bros|Op|Ph\.D|[BM]\.Sc|Ave|Blvd|Rd|max|min|incl|excl|resp|tel|Tel|ext|dept|bzw|evtl|ggf|inkl|zzgl|bspw|Nr|Str|Abs|Mme|Mlle|Sra?|env|núm|pág|nº|dott|sig|bijv|mr|dhr|mevr|${monthAbbreviations.join('|')}|r|b|d|fl|lit|trans|ed|eds|est|[A-Z]|(?:[A-Za-z]\.)+[A-Za-z])$`,
);

function isSentenceEnd(text: string, from: number, stop: number, end: number, to: number): boolean {
  if (end >= to || /[。！？]/.test(text[stop]!)) return true;
  const next = text.slice(end, end + 12).trimStart();
  if (next === '') return true;
  if (inCode(text, from, stop)) return false;
  if (/^[\p{Ll}]/u.test(next)) return false;
  if (text[stop] !== '.' || text[stop + 1] === '.') return true;
  const before = text.slice(Math.max(from, stop - 14), stop);
  if (!abbreviation.test(before)) return true;
  // "… in the U.S. The council" is two sentences; "J. R. R. Tolkien" and "Dr. Watson" are not.
  return (
    /(?:\.[A-Z]|etc|Inc|Ltd|Corp)$/.test(before) &&
    /^(?:The|A|An|In|He|She|It|They|This|These|On|At|By|For)\b/.test(next)
  );
}

/** Whether `to` is within inline code that opens after `from` and closes within 200 characters. */
function inCode(text: string, from: number, to: number): boolean {
  let odd = false;
  for (let i = from; i < to; i += 1) if (text[i] === '`') odd = !odd;
  if (!odd) return false;
  const close = text.indexOf('`', to);
  return close !== -1 && close - to < 200;
}

function* readBlocks(text: string): Generator<Block | { heading: string }> {
  let open: Block | undefined;
  let fence: string | undefined;
  let previous: Line | undefined;
  const from = endOfCutCode(text);
  for (const line of readLines(text)) {
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
    const item = itemPattern.exec(line.text);
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
      if (open !== undefined) yield open;
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
      const bullet = /\d+[.)]/.exec(item[0])?.[0] ?? '-';
      open = { kind: 'item', start: line.start + item[0].length, end: line.end, indent: item[1]!.length, bullet };
    } else if (open !== undefined) {
      if (previous !== undefined && open.kind === 'prose' && isTextHeading(text, open, previous, line)) {
        yield { heading: previous.text.trim() };
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
 * Whether the one line of an open paragraph is a heading of plain text: short, without an end mark, and above a line that
 * begins and reads like a sentence. The lines of an address or a poem are short themselves.
 */
function isTextHeading(text: string, open: Block, previous: Line, line: Line): boolean {
  if (open.start !== previous.start + leadOf(previous) || open.end !== previous.end) return false;
  const [above, below] = [text.slice(open.start, open.end), line.text.trim()];
  return (
    above.length <= maxHeadingLength &&
    /^[\p{Lu}\p{N}]/u.test(above) &&
    /[\p{L}\p{N})]$/u.test(above) &&
    /^[\p{Lu}\p{N}¿¡"“„«]/u.test(below) &&
    below.length > above.length &&
    (below.length > maxHeadingLength || /[.!?:]$/.test(below))
  );
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

/** "| a | b |" as "a | b". */
function showRow(raw: string): string {
  return raw.replace(/^\s*\||\|\s*$/g, '').replace(/\s*\|\s*/g, ' | ');
}
