/**
 * The names of the columns of a table whose head has several rows: those of a group stand above those of its columns, and a row is read
 * without either, so each column has both in one line.
 */
import { isValue, isYear } from '../cell-values.ts';
import { rawText } from './blocks.ts';
import type { HtmlElement } from './html-tree.ts';
import { spanOf } from './table-grid.ts';

/** Rows of a head; set by hand: more are a table of nothing but headings. */
const maxHeadRows = 4;

export interface TableHead {
  /** A row above the names of the columns that is one cell as wide as the table, which is the title of all of it. */
  readonly title: HtmlElement | undefined;
  /** The cells that name each column, from the outermost. */
  readonly columns: readonly (readonly HtmlElement[])[];
  /** How many rows these are, with the title. */
  readonly rows: number;
}

/** The head of a table, from its rows of cells and their grid (see `gridOf`), which has a row at least. */
export function headOf(
  rows: readonly (readonly HtmlElement[])[],
  grid: readonly (readonly (HtmlElement | undefined)[])[],
): TableHead {
  const count = headRowsIn(rows, grid[0]!.length);
  const [first] = rows[0]!;
  const title = count > 1 && isWhole(rows[0]!, grid[0]!.length) ? first : undefined;
  const named = grid.slice(title === undefined ? 0 : 1, count);
  const columns = grid[0]!.map((_, column) => [
    ...new Set(named.flatMap((line) => (count === 1 ? line[column] : cellOver(line, column)) ?? [])),
  ]);
  return { title, columns, rows: count };
}

/** How many rows above the values have nothing but names: 1 where it is not sure that there are more. */
function headRowsIn(rows: readonly (readonly HtmlElement[])[], width: number): number {
  const end = rows.findIndex((cells, row) => !isHead(cells) || (row > 0 && (isWhole(cells, width) || isPart(cells))));
  if (end < 2 || end > maxHeadRows) return 1;
  const upper = rows.slice(0, end - 1).flat();
  const isGrouped = upper.some((cell) => spanOf(cell, 'colspan', width) > 1 || spanOf(cell, 'rowspan', end) > 1);
  return isGrouped || (rows.slice(0, end).every(isInHead) && !rows.slice(1, end).some(hasValues)) ? end : 1;
}

function isHead(cells: readonly HtmlElement[]): boolean {
  return cells.length > 0 && (isInHead(cells) || cells.every(({ name }) => name === 'th'));
}

/** Whether a row only heads those below it: of several cells, only the first has text. */
function isPart(cells: readonly HtmlElement[]): boolean {
  return cells.length > 1 && cells.slice(1).every((cell) => rawText(cell).trim() === '');
}

/** Whether a row has values, such as totals above those of which they are the sums. */
function hasValues(cells: readonly HtmlElement[]): boolean {
  return cells.map((cell) => rawText(cell).trim()).some((text) => isValue.test(text) && !isYear.test(text));
}

function isInHead(cells: readonly HtmlElement[]): boolean {
  return cells[0]?.parent?.parent?.name === 'thead';
}

function isWhole(cells: readonly HtmlElement[], width: number): boolean {
  return cells.length === 1 && width > 1 && spanOf(cells[0]!, 'colspan', width) === width;
}

/** The cell of a row that is in a column or reaches into it from the left. */
function cellOver(line: readonly (HtmlElement | undefined)[], column: number): HtmlElement | undefined {
  for (let at = column; at >= 0; at -= 1) {
    const cell = line[at];
    if (cell !== undefined) return at + spanOf(cell, 'colspan', line.length) > column ? cell : undefined;
  }
  return undefined;
}
