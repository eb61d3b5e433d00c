/** One sheet of a workbook (ECMA-376-1, 18.3). */
import { isTrue, localName, readXml } from '../read-xml.ts';
import { shortIsoDate } from './dates.ts';
import { plainNumber, type ShowNumber } from './number-format.ts';
import { createStringReader, unescaped } from './shared-strings.ts';
import { createHiddenColumns, maxColumn, type SheetCells } from './sheet-tables.ts';
import { columnOf, type MergedCell, mergedCells } from './xlsx-merged.ts';

const maxValueChars = 2_100;
/** Merged cells over one row; set by hand. */
const maxOpen = 100;

interface Cell {
  readonly column: number;
  readonly type: string;
  readonly style: number;
}

/** Puts the cells that a person sees into `cells`; those of hidden rows and columns and errors are left out. */
export function readXlsxSheet(
  bytes: Uint8Array | undefined,
  { strings, formats, cells }: { strings: readonly string[]; formats: readonly ShowNumber[]; cells: SheetCells },
): void {
  const hiddenColumns = createHiddenColumns();
  let row = { at: 0, isHidden: false };
  let hiddenRows = 0;
  let column = 0;
  let cell: Cell | undefined;
  let value = '';
  let isValue = false;
  const inline = createStringReader();
  const merged = mergedCells(bytes);
  /** The merged cells with text that reach below their first row. */
  let open: (MergedCell & { readonly text: string })[] = [];

  function addCell({ column: at }: Cell, text: string): void {
    cells.set(row.at - hiddenRows, at, text);
    const area = text === '' ? undefined : merged.get(row.at)?.get(at);
    if (area === undefined) return;
    if (area.lastColumn > at) cells.widen(row.at - hiddenRows, at, area.lastColumn);
    if (area.lastRow > row.at && open.length < maxOpen) open.push({ ...area, text });
  }

  function endRow(): void {
    if (open.length === 0 || row.isHidden) return;
    open = open.filter(({ lastRow }) => lastRow >= row.at);
    for (const { row: first, column: at, text } of open)
      if (first < row.at) cells.repeat(row.at - hiddenRows, at, text);
  }

  function beginRow({ r, hidden }: Readonly<Record<string, string>>): void {
    const at = /^\d{1,7}$/.test(r ?? '') ? Number(r) : row.at + 1;
    row = { at: Math.max(at, row.at), isHidden: isTrue(hidden) };
    if (row.isHidden) hiddenRows += 1;
    column = 0;
  }

  function beginCell({ r = '', t: type = 'n', s: style = '' }: Readonly<Record<string, string>>): void {
    column = columnOf(r) ?? column + 1;
    const isHidden = row.isHidden || hiddenColumns.has(column);
    cell = isHidden || column > maxColumn ? undefined : { column, type, style: Number(style) };
    value = '';
    inline.begin();
  }

  function textOf({ type, style }: Cell): string {
    if (type === 's') return strings[Number(value)] ?? '';
    if (type === 'inlineStr') return inline.end();
    if (type === 'str') return unescaped(value);
    if (type === 'b') return value === '' ? '' : isTrue(value) ? 'TRUE' : 'FALSE';
    if (type === 'd') return shortIsoDate(value);
    const number = Number(value);
    if (type !== 'n' || value === '') return '';
    return Number.isFinite(number) ? (formats[style] ?? plainNumber)(number) : value;
  }

  readXml(bytes, {
    open(element, attributes) {
      const name = localName(element);
      if (name === 'col' && isTrue(attributes.hidden))
        hiddenColumns.hide(Number(attributes.min), Number(attributes.max));
      else if (name === 'row') beginRow(attributes);
      else if (name === 'c') beginCell(attributes);
      isValue = name === 'v' && cell !== undefined;
      inline.open(name, attributes);
    },
    text(part) {
      if (isValue && value.length < maxValueChars) value += part.slice(0, maxValueChars);
      else inline.add(part);
    },
    close(element) {
      const name = localName(element);
      isValue = false;
      inline.close(name);
      if (name === 'row') endRow();
      if (name !== 'c' || cell === undefined) return;
      value = cell.type === 'str' ? value : value.trim();
      addCell(cell, textOf(cell));
      cell = undefined;
    },
    isDone: () => cells.isDone,
  });
}
