/** A table of comma-, semicolon- or tab-separated values (RFC 4180) as a Markdown table, read in one pass. */
import { cleanText } from '../clean-text.ts';
import { countWords, type Extraction, maxTextChars } from '../extraction.ts';
import { tidyCell } from './block-list.ts';
import { markdownTable } from './markdown-table.ts';

/** Set by hand: more than a person reads of a cell, and than a page of the index should have. */
const maxCellChars = 2_000;
const maxColumns = 200;
const maxRows = 50_000;

/** The first rows and columns of a table. */
export function extractCsv(source: string): Extraction {
  const delimiter = delimiterOf(source.slice(0, 10_000));
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
  for (let at = 0; at < source.length; at += 1) {
    if (chars > maxTextChars || rows.length >= maxRows) {
      truncated = true;
      break;
    }
    const character = source[at]!;
    if (isQuoted && character === '"' && source[at + 1] === '"') at += 1;
    else if (character === '"' && (isQuoted || cell === '')) {
      isQuoted = !isQuoted;
      continue;
    } else if (!isQuoted && character === delimiter) {
      endCell();
      continue;
    } else if (!isQuoted && character === '\n') {
      endRow();
      continue;
    }
    if (cell.length < maxCellChars) cell += character;
    else truncated = true;
  }
  if (cell !== '' || row.length > 0) endRow();
  const text = cleanText(rows.length === 0 ? '' : markdownTable(rows))
    .slice(0, maxTextChars)
    .toWellFormed();
  return { text, title: '', words: countWords(text), links: [], extractor: 'csv', truncated, warnings: [] };
}

/** The one that is most frequent in the first line. */
function delimiterOf(head: string): string {
  const line = head.split('\n', 1)[0]!;
  const count = (character: string) => line.split(character).length;
  return [',', ';', '\t'].reduce((best, each) => (count(each) > count(best) ? each : best));
}
