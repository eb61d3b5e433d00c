/** A table of values separated by commas, semicolons, tabs or bars (RFC 4180) as a Markdown table, read in one pass. */
import { cleanText } from '../../../base/text/encoding/clean-text.ts';
import { countWords, type Extraction, maxTextChars } from '../extraction.ts';
import { tidyCell } from './block-list.ts';
import { markdownTable } from './markdown-table.ts';

/** Set by hand: more than a person reads of a cell, and than a page of the index should have. */
const maxCellChars = 2_000;
const maxColumns = 200;
const maxRows = 50_000;
/** As many characters as a cell of Excel has; a quotation mark that ends later is none that begins a cell. */
const maxQuotedChars = 32_767;
/** Lines that show which the delimiter is; set by hand. */
const sampleLines = 20;
const delimiters = [',', ';', '\t', '|'] as const;

/** The first rows and columns of a table, below the lines above it. */
export function extractCsv(source: string): Extraction {
  // Excel's own line, which only says what the delimiter is.
  const said = /^"?sep=([^\r\n"])"?(?:\r\n?|\n|$)/i.exec(source);
  const delimiter = said?.[1] ?? delimiterOf(source.slice(0, 20_000));
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let chars = 0;
  let isQuoted = false;
  let truncated = false;
  const endCell = () => {
    if (row.length < maxColumns) {
      const shown = tidyCell(cell);
      row.push(shown);
      chars += shown.length + 3;
    } else truncated = true;
    cell = '';
  };
  const endRow = () => {
    endCell();
    if (row.some((each) => each !== '')) rows.push(row);
    row = [];
  };
  for (let at = said?.[0].length ?? 0; at < source.length; at += 1) {
    if (chars > maxTextChars || rows.length >= maxRows) {
      truncated = true;
      break;
    }
    const character = source[at]!;
    if (isQuoted && character === '"' && source[at + 1] === '"') at += 1;
    else if (character === '"' && (isQuoted || (isBlank(cell) && isClosed(source, at, delimiter)))) {
      if (!isQuoted) cell = '';
      isQuoted = !isQuoted;
      continue;
    } else if (!isQuoted && character === delimiter) {
      endCell();
      continue;
    } else if (!isQuoted && (character === '\n' || character === '\r')) {
      if (character === '\r' && source[at + 1] === '\n') at += 1;
      endRow();
      continue;
    }
    if (cell.length < maxCellChars) cell += character;
    else truncated = true;
  }
  if (cell !== '' || row.length > 0) endRow();
  const head = headOf(rows);
  const above = rows.slice(0, head).map((cells) => cells.filter((each) => each !== '').join(' '));
  const text = cleanText([...above, ...(rows.length === 0 ? [] : [markdownTable(rows.slice(head))])].join('\n\n'))
    .slice(0, maxTextChars)
    .toWellFormed();
  return { text, title: '', words: countWords(text), links: [], extractor: 'csv', truncated, warnings: [] };
}

/** The one that is in most lines equally often; empty for a single column. */
function delimiterOf(source: string): string {
  const lines = source
    .replace(/"[^"\r\n]*"/g, '""')
    .split(/\r\n?|\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, sampleLines);
  const candidates = delimiters.map((delimiter) => ({ delimiter, ...mostFrequentCount(lines, delimiter) }));
  const best = candidates.reduce((one, other) => {
    if (other.lines !== one.lines) return other.lines > one.lines ? other : one;
    // Commas that only divide decimals, as in `1,5;2,5`, are none.
    if (one.delimiter === ',' && other.lines > 0 && !/(?:^|\D),|,(?!\d)/m.test(lines.join('\n'))) return other;
    return other.count > one.count ? other : one;
  });
  return best.lines === 0 ? '' : best.delimiter;
}

/** How many delimiters most of the lines that have some have, and how many lines these are. */
function mostFrequentCount(lines: readonly string[], delimiter: string): { lines: number; count: number } {
  const counts = lines.map((line) => line.split(delimiter).length - 1);
  // A column of names such as "Vogel, Ada" is one column.
  if (
    counts[0] === 0 &&
    lines.every((line) =>
      line
        .split(delimiter)
        .slice(1)
        .every((part) => part.startsWith(' ')),
    )
  )
    return { lines: 0, count: 0 };
  const times = new Map<number, number>();
  for (const count of counts) if (count > 0) times.set(count, (times.get(count) ?? 0) + 1);
  const [count = 0, found = 0] = [...times].sort(([, one], [, other]) => other - one)[0] ?? [];
  return { lines: found, count };
}

/** Whether there is nothing before a quotation mark but blanks, as in `Crane, "40, with cable"`. */
function isBlank(cell: string): boolean {
  return cell === '' || /^ +$/.test(cell);
}

/** Whether the quotation mark at `at` is followed by another one that ends the cell. */
function isClosed(source: string, at: number, delimiter: string): boolean {
  const end = Math.min(source.length, at + maxQuotedChars);
  for (let next = at + 1; next < end; next += 1) {
    if (source[next] !== '"') continue;
    let after = source[next + 1];
    for (let blank = next + 1; after === ' ' && blank < end; ) after = source[(blank += 1)];
    if (source[next + 1] !== '"') return after === undefined || after === delimiter || after === '\n' || after === '\r';
    next += 1;
  }
  return false;
}

/** Which row is the head: the first one that is as wide as most; the rows before it are titles and remarks. */
function headOf(rows: readonly string[][]): number {
  const widths = rows.slice(0, 1_000).map((cells) => cells.findLastIndex((cell) => cell !== '') + 1);
  const times = new Map<number, number>();
  for (const width of widths) times.set(width, (times.get(width) ?? 0) + 1);
  const [most = 1] = [...times].sort(([wide, one], [wider, other]) => other - one || wider - wide)[0] ?? [];
  // A column without a name may be the last one.
  const head = widths.findIndex((width) => width >= most || (width > 2 && width === most - 1));
  return Math.max(0, head);
}
