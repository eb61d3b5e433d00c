/** The cells of a sheet as tables: what a person sees as several tables, titles and remarks of one sheet. */

import { isValue } from '../../cell-values.ts';
import { maxTextChars } from '../../extraction.ts';
import { createCellRepeater } from '../../repeated-cells.ts';
import { type BlockList, tidyCell } from '../block-list.ts';
import { headWithGroups, type RowWithGroups } from '../column-groups.ts';

/** Set by hand, as for CSV: more than a person reads of a cell, and than a page of the index should have. */
const maxCellChars = 2_000;
const maxColumns = 200;
/** Rows with text of all sheets of a file, and their cells. */
const maxRows = 50_000;
const maxCells = 500_000;

/** How much of a file may still be read; all its sheets share it. */
export interface SheetBudget {
  rows: number;
  cells: number;
  /** Characters of text. */
  chars: number;
  truncated: boolean;
}

/** The budget of one file. */
export function createSheetBudget(): SheetBudget {
  return { rows: maxRows, cells: maxCells, chars: maxTextChars, truncated: false };
}

/** Whether no more cells can be read. */
export function isSpent({ rows, cells, chars }: SheetBudget): boolean {
  return rows <= 0 || cells <= 0 || chars <= 0;
}

export interface SheetCells {
  /** Puts text into a cell; rows come in their order. Nothing for an empty text. */
  set(row: number, column: number, text: string): void;
  /** Puts the text of a merged cell above into a row that has others; nothing if that is not the last row, or its place is taken. */
  repeat(row: number, column: number, text: string): void;
  /** Says that a cell of the last row reaches to a further column. */
  widen(row: number, column: number, lastColumn: number): void;
  /** Whether nothing more can be put in, and something was left out because of that. */
  readonly isDone: boolean;
  readonly isEmpty: boolean;
  /** Adds the tables to the blocks of a document. */
  writeTo(list: BlockList): void;
}

interface Row extends RowWithGroups {
  readonly at: number;
  readonly cells: Map<number, string>;
  readonly wide: Map<number, number>;
}

/** An empty sheet. Rows and columns that a person does not see are to be left out, and not counted in the numbers of rows. */
export function createSheetCells(budget: SheetBudget): SheetCells {
  const rows: Row[] = [];
  const repeated = createCellRepeater();
  return {
    get isDone() {
      return isSpent(budget) && budget.truncated;
    },
    get isEmpty() {
      return rows.length === 0;
    },
    set(row, column, text) {
      const shown = tidyCell(text.slice(0, maxCellChars));
      if (shown === '') return;
      if (isSpent(budget)) {
        budget.truncated = true;
        return;
      }
      let last = rows.at(-1);
      if (last?.at !== row) {
        last = { at: row, cells: new Map(), wide: new Map() };
        rows.push(last);
        budget.rows -= 1;
      }
      if (!last.cells.has(column)) last.cells.set(column, shown);
      budget.cells -= 1;
      budget.chars -= shown.length + 3;
      if (text.length > maxCellChars) budget.truncated = true;
    },
    repeat(row, column, text) {
      const last = rows.at(-1);
      if (last?.at !== row || last.cells.has(column) || isSpent(budget)) return;
      const shown = repeated(tidyCell(text));
      if (shown === '') return;
      last.cells.set(column, shown);
      budget.cells -= 1;
      budget.chars -= shown.length + 3;
    },
    widen(row, column, lastColumn) {
      const last = rows.at(-1);
      if (last?.at === row && last.cells.has(column) && last.wide.size < maxColumns) last.wide.set(column, lastColumn);
    },
    writeTo(list) {
      let above: readonly Row[] = [];
      for (const found of tablesOf(rows)) {
        const table = withNamedColumns(found);
        const isMore = goesOn(table, above);
        writeTable(isMore ? [above[0]!, ...table] : table, list, budget);
        if (!isMore) above = bodyOf(table);
      }
    },
  };
}

/** An empty row divides two tables. */
function tablesOf(rows: readonly Row[]): Row[][] {
  const tables: Row[][] = [];
  for (const row of rows) {
    if (row.at === (tables.at(-1)?.at(-1)?.at ?? Number.NaN) + 1) tables.at(-1)!.push(row);
    else tables.push([row]);
  }
  return tables;
}

/** The rows without those with one cell above a table, which are its title, or say what it is about. */
function bodyOf(rows: readonly Row[]): readonly Row[] {
  const titles = rows.findIndex(({ cells }) => cells.size > 1);
  const isTable = titles >= 0 || rows.length >= minListRows;
  return isTable ? rows.slice(Math.max(0, titles)) : [];
}

/** The rows with one head, whose columns have their groups in their names. */
function withNamedColumns(rows: readonly Row[]): readonly Row[] {
  const body = bodyOf(rows);
  const { head, count } = headWithGroups(body);
  if (head === undefined || count < 2) return rows;
  return [
    ...rows.slice(0, rows.length - body.length),
    { at: body[count - 1]!.at, cells: new Map(head.cells), wide: new Map(head.wide) },
    ...body.slice(count),
  ];
}

/**
 * Whether rows after an empty one have no head of their own: their first one has numbers where the rows of the table above have
 * some.
 */
function goesOn(rows: readonly Row[], above: readonly Row[]): boolean {
  const [head, ...others] = above;
  const first = rows[0]!;
  if (head === undefined || first.cells.size < 2 || [...first.cells.keys()].some((each) => !head.cells.has(each)))
    return false;
  const sample = others.slice(0, 20);
  const valued = [...head.cells].filter(
    ([column, name]) => !isValue.test(name) && sample.some(({ cells }) => isValue.test(cells.get(column) ?? '')),
  );
  const shown = valued.flatMap(([column]) => first.cells.get(column) ?? []);
  return shown.length > 0 && shown.every((text) => isValue.test(text));
}

function writeTable(rows: readonly Row[], list: BlockList, budget: SheetBudget): void {
  const body = rows.length - bodyOf(rows).length;
  for (const { cells } of rows.slice(0, body)) for (const text of cells.values()) list.add(text.replaceAll('\\|', '|'));
  const rest = rows.slice(body);
  const used = [...new Set(rest.flatMap(({ cells }) => [...cells.keys()]))].sort((one, other) => one - other);
  if (used.length > maxColumns) budget.truncated = true;
  const columns = used.slice(0, maxColumns);
  // Rows are filled up to the widest one: beyond this many of them, the table is longer than a page may be.
  const table = rest.slice(0, Math.ceil(maxTextChars / (3 * Math.max(1, columns.length))));
  if (table.length < rest.length) budget.truncated = true;
  if (table.length > 0) list.addTable(table.map(({ cells }) => columns.map((column) => cells.get(column) ?? '')));
}

/** This many rows of one cell each are a list with a head, not lines of text. Set by hand. */
const minListRows = 3;

/** Columns of a sheet of Excel (and of LibreOffice). */
export const maxColumn = 16_384;
/** Ranges of hidden columns of a sheet; set by hand. */
const maxRanges = 1_000;

export interface HiddenColumns {
  /** Hides columns, both included. */
  hide(first: number, last: number): void;
  has(column: number): boolean;
}

/** The columns of a sheet that a person does not see: none at first. */
export function createHiddenColumns(): HiddenColumns {
  const hidden = new Uint8Array(maxColumn + 1);
  let ranges = 0;
  return {
    hide(first, last) {
      ranges += 1;
      if (ranges <= maxRanges && first >= 0) hidden.fill(1, first, last + 1);
    },
    has: (column) => hidden[column] === 1,
  };
}
