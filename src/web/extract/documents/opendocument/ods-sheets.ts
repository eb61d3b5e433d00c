/** The sheets of a workbook of OpenDocument (ODF 1.3-3, 9). */
import { readXml } from '../read-xml.ts';
import { shortIsoDate, timeOf } from '../sheets/dates.ts';
import { fixedNumber, plainNumber } from '../sheets/number-format.ts';
import {
  createHiddenColumns,
  createSheetBudget,
  createSheetCells,
  isSpent,
  maxColumn,
  type SheetBudget,
} from '../sheets/sheet-tables.ts';
import type { Sheet } from '../sheets/sheets-extraction.ts';
import type { OdfStyles } from './odf-styles.ts';

type Attributes = Readonly<Record<string, string>>;

/** Set by hand: a row or a cell with text that is repeated more often is not meant to be read. */
const maxRepeated = 1_000;
const maxSheets = 500;
const maxShownChars = 2_100;
/** Merged cells over one row. */
const maxTall = 100;

/** Elements whose text is not part of a cell: remarks, drawings on the sheet, and cells that a merged one covers. */
const unseen: ReadonlySet<string> = new Set([
  'office:annotation',
  'table:shapes',
  'table:covered-table-cell',
  'draw:frame',
  'draw:custom-shape',
  'office:forms',
  'table:tracked-changes',
  'text:ruby-text',
]);

const errors = /^(?:#(?:N\/A|REF!|DIV\/0!|VALUE!|NAME\?|NUM!|NULL!)|Err:\d+)$/i;

/** Reads the visible sheets, with the cells that a person sees. Throws for a file that is nested too deeply. */
export function readOdsSheets(
  bytes: Uint8Array | undefined,
  { hidden }: OdfStyles,
): { sheets: Sheet[]; budget: SheetBudget } {
  const budget = createSheetBudget();
  const sheets: Sheet[] = [];
  let sheet: Sheet | undefined;
  /** Tables inside each other: those in cells are not read. */
  let tables = 0;
  let hiddenDepth = 0;
  let hiddenColumns = createHiddenColumns();
  let nextColumn = 0;
  let row = 0;
  let rowTimes = 1;
  let isRowHidden = false;
  /** The cells of the open row, by their columns. */
  let cells: [column: number, text: string][] = [];
  let cell: Attributes | undefined;
  let column = 0;
  let shown = '';
  let paragraphs = 0;
  /** Merged cells of the open row, and those with text that reach into it and to rows below, with how many rows are left. */
  let wide: [column: number, lastColumn: number][] = [];
  let tall: { readonly column: number; readonly text: string; left: number }[] = [];

  function beginTable(attributes: Attributes): void {
    tables += 1;
    if (tables > 1) return;
    const isHidden = hidden.has(attributes['table:style-name'] ?? '') || sheets.length >= maxSheets;
    sheet = isHidden ? undefined : { name: attributes['table:name'] ?? '', cells: createSheetCells(budget) };
    if (sheet !== undefined) sheets.push(sheet);
    hiddenColumns = createHiddenColumns();
    nextColumn = 0;
    row = 0;
    tall = [];
  }

  function beginColumn(attributes: Attributes): void {
    const times = timesOf(attributes['table:number-columns-repeated']);
    if (isCollapsed(attributes)) hiddenColumns.hide(nextColumn, nextColumn + times - 1);
    nextColumn += times;
  }

  function endCell(attributes: Attributes): void {
    const times = timesOf(attributes['table:number-columns-repeated']);
    const text = textOf(attributes, shown.trim());
    for (let n = 0; text !== '' && n < Math.min(times, maxRepeated) && cells.length < maxColumn; n += 1) {
      const at = column + n;
      if (!hiddenColumns.has(at)) cells.push([at, text]);
    }
    if (text !== '' && times === 1 && !hiddenColumns.has(column)) {
      const columns = timesOf(attributes['table:number-columns-spanned']);
      const rows = timesOf(attributes['table:number-rows-spanned']);
      if (columns > 1) wide.push([column, column + columns - 1]);
      if (rows > 1 && tall.length < maxTall) tall.push({ column, text, left: rows });
    }
    column += times;
  }

  function endRow(): void {
    if (!isRowHidden) {
      for (let n = 0; cells.length > 0 && n < Math.min(rowTimes, maxRepeated) && sheet?.cells.isDone === false; n += 1)
        for (const [at, text] of cells) sheet.cells.set(row + n, at, text);
      for (const [at, last] of wide) sheet?.cells.widen(row, at, last);
      if (rowTimes === 1) for (const { column: at, text } of tall) sheet?.cells.repeat(row, at, text);
      row += rowTimes;
    }
    for (const each of tall) each.left -= rowTimes;
    tall = tall.filter(({ left }) => left > 0);
  }

  readXml(bytes, {
    open(name, attributes) {
      if (hiddenDepth > 0 || unseen.has(name)) {
        hiddenDepth += unseen.has(name) ? 1 : 0;
        if (name === 'table:covered-table-cell' && hiddenDepth === 1 && tables === 1)
          column += timesOf(attributes['table:number-columns-repeated']);
        return;
      }
      if (name === 'table:table') beginTable(attributes);
      else if (tables !== 1) return;
      else if (name === 'table:table-column') beginColumn(attributes);
      else if (name === 'table:table-row') {
        rowTimes = timesOf(attributes['table:number-rows-repeated']);
        isRowHidden = isCollapsed(attributes);
        cells = [];
        wide = [];
        column = 0;
      } else if (name === 'table:table-cell') {
        cell = attributes;
        shown = '';
        paragraphs = 0;
      } else if (name === 'text:p') {
        paragraphs += 1;
        if (paragraphs > 1) shown += ' ';
      } else if (name === 'text:s' || name === 'text:tab' || name === 'text:line-break') shown += ' ';
    },
    text(part) {
      if (hiddenDepth === 0 && tables === 1 && cell !== undefined && shown.length < maxShownChars)
        shown += part.slice(0, maxShownChars);
    },
    close(name) {
      if (hiddenDepth > 0) hiddenDepth -= unseen.has(name) ? 1 : 0;
      else if (name === 'table:table') tables -= 1;
      else if (tables !== 1) return;
      else if (name === 'table:table-row') endRow();
      else if (name === 'table:table-cell' && cell !== undefined) {
        endCell(cell);
        cell = undefined;
      }
    },
    isDone: () => isSpent(budget) && budget.truncated,
  });
  return { sheets, budget };
}

/** How often something is repeated; a workbook of 16,384 columns and 1,048,576 rows says so of its empty ones. */
function timesOf(value: string | undefined): number {
  const times = Number(value ?? 1);
  return Number.isSafeInteger(times) && times > 0 ? Math.min(times, 10_000_000) : 1;
}

function isCollapsed(attributes: Attributes): boolean {
  return /^(?:collapse|filter)$/.test(attributes['table:visibility'] ?? '');
}

/** A cell by its value, as XLSX has it, with the digits and the unit of what is shown; `shown` where a value has no other form. */
function textOf(attributes: Attributes, shown: string): string {
  if (attributes['calcext:value-type'] === 'error' || errors.test(shown)) return '';
  const type = attributes['office:value-type'];
  const value = Number(attributes['office:value'] ?? Number.NaN);
  if (type === 'date') return shortIsoDate(attributes['office:date-value'] ?? shown);
  if (type === 'time') return timeOfDuration(attributes['office:time-value'] ?? '') ?? shown;
  if (type === 'boolean') return attributes['office:boolean-value'] === 'true' ? 'TRUE' : 'FALSE';
  if (type === undefined || type === 'string' || !Number.isFinite(value)) return shown;
  if (shown === '') return type === 'percentage' ? `${plainNumber(value * 100)}%` : plainNumber(value);
  return withPlainDigits(shown, type === 'percentage' ? Number((value * 100).toPrecision(15)) : value) ?? shown;
}

/** `1.234,50 €` as `1234.50 €`, if these are the digits of the value; undefined if they are not. */
function withPlainDigits(shown: string, value: number): string | undefined {
  const digits = /\d(?:[\d.,'’\s\u00a0\u202f]*\d)?/.exec(shown);
  if (digits === null || digits[0].length > 40) return undefined;
  const decimals = /[.,](\d+)$/.exec(digits[0])?.[1]?.length ?? 0;
  const bare = digits[0].replace(/\D/g, '');
  for (const count of decimals === 0 ? [0] : [decimals, 0]) {
    const number = fixedNumber(Math.abs(value), count);
    const isSame = number.replace('.', '') === bare || Number(number.replace('.', '')) === Number(bare);
    if (!isSame || !/^[\d.]+$/.test(number)) continue;
    const padded = number.padStart(bare.length + (count > 0 ? 1 : 0), '0');
    return `${shown.slice(0, digits.index)}${padded}${shown.slice(digits.index + digits[0].length)}`
      .replace(/[\s\u00a0\u202f]+%/, '%')
      .replace('−', '-');
  }
  return undefined;
}

/** `PT14H30M00S` (XML Schema's duration) as `14:30`. */
function timeOfDuration(value: string): string | undefined {
  const [, hours, minutes = '0', seconds = '0'] =
    /^PT(\d{1,6})H(?:(\d{1,2})M)?(?:(\d{1,2})(?:[.,]\d+)?S)?$/.exec(value) ?? [];
  if (hours === undefined) return undefined;
  return timeOf(Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds), Number(seconds) > 0);
}
