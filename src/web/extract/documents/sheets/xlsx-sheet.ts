/** One sheet of a workbook (ECMA-376-1, 18.3). */
import { isTrue, localName, readXml } from '../read-xml.ts';
import { shortIsoDate } from './dates.ts';
import { plainNumber, type ShowNumber } from './number-format.ts';
import { createStringReader, unescaped } from './shared-strings.ts';
import { createHiddenColumns, maxColumn, type SheetCells } from './sheet-tables.ts';

const maxValueChars = 2_100;

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
      if (name !== 'c' || cell === undefined) return;
      value = cell.type === 'str' ? value : value.trim();
      cells.set(row.at - hiddenRows, cell.column, textOf(cell));
      cell = undefined;
    },
    isDone: () => cells.isDone,
  });
}

/** The number of a column, 1 for `A7`; undefined for text that does not refer to a cell. */
function columnOf(reference: string): number | undefined {
  const letters = /^\$?([A-Z]{1,3})\$?\d+$/i.exec(reference)?.[1]?.toUpperCase();
  return letters === undefined ? undefined : [...letters].reduce((sum, each) => sum * 26 + each.charCodeAt(0) - 64, 0);
}
