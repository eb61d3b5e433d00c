/**
 * The head of a table of an office document: below names that are merged over several columns there are the names of each of these. No
 * mark tells such rows from others, so they are recognised by what is below them.
 */

import { isValue, isYear } from '../cell-values.ts';

export interface RowWithGroups {
  /** The texts of its cells, by their columns; none is empty. */
  readonly cells: ReadonlyMap<number, string>;
  /** The last columns of the cells that are merged with those to their right. */
  readonly wide: ReadonlyMap<number, number>;
}

/** Rows of a head, and rows below it that are looked at. Set by hand. */
const maxHeadRows = 4;
const sampleRows = 20;

/** One row with the names of the columns, and how many rows of the table these are; undefined for a table without rows. */
export function headWithGroups(rows: readonly RowWithGroups[]): {
  readonly head: RowWithGroups | undefined;
  readonly count: number;
} {
  let head = rows[0];
  let count = 1;
  while (head !== undefined && count < maxHeadRows && count + 1 < rows.length) {
    if (!namesColumns(rows[count]!, head, rows.slice(count + 1, count + 1 + sampleRows))) break;
    head = withGroups(rows[count]!, head);
    count += 1;
  }
  return { head, count };
}

/**
 * Whether a row has names, or years, where merged cells of the row above are, and not only below their beginnings, and nothing of its own
 * below other names. That rows below have values there tells it from the first row of a table of texts.
 */
function namesColumns({ cells }: RowWithGroups, above: RowWithGroups, below: readonly RowWithGroups[]): boolean {
  const within = [...cells].filter(([column]) => overOf(above, column) !== undefined);
  const isSplit = within.some(([column]) => !above.cells.has(column));
  const areNames = within.every(([, text]) => !isValue.test(text) || isYear.test(text));
  if (!isSplit || !areNames) return false;
  const isOther = ([column, text]: [number, string]) =>
    overOf(above, column) === undefined && (above.cells.get(column) ?? text) !== text;
  if ([...cells].some(isOther)) return false;
  return within.every(([column]) => below.some((row) => isValue.test(row.cells.get(column) ?? '')));
}

function withGroups(row: RowWithGroups, above: RowWithGroups): RowWithGroups {
  const columns = [...new Set([...above.cells.keys(), ...row.cells.keys()])];
  const named = columns.map((column): [number, string] => {
    const names = [overOf(above, column) ?? above.cells.get(column) ?? '', row.cells.get(column) ?? ''];
    return [column, [...new Set(names)].filter((name) => name !== '').join(': ')];
  });
  return { cells: new Map(named), wide: row.wide };
}

/** The text of the merged cell of a row that is in a column. */
function overOf({ cells, wide }: RowWithGroups, column: number): string | undefined {
  for (const [first, last] of wide) if (first <= column && column <= last) return cells.get(first);
  return undefined;
}

/** Rows of a table that show where its head ends; set by hand. */
const maxLookedAt = 30;

/** The rows with one head, whose columns have their groups in their names. `wide` has the merged cells of each row. */
export function withNamedColumns(
  rows: readonly string[][],
  wide: readonly ReadonlyMap<number, number>[],
): readonly string[][] {
  if ((wide[0]?.size ?? 0) === 0) return rows;
  const { head, count } = headWithGroups(
    rows.slice(0, maxLookedAt).map((row, at) => ({
      cells: new Map(row.map((text, column): [number, string] => [column, text]).filter(([, text]) => text !== '')),
      wide: wide[at]!,
    })),
  );
  if (head === undefined || count < 2) return rows;
  const width = rows.slice(0, count).reduce((max, { length }) => Math.max(max, length), 0);
  return [Array.from({ length: width }, (_, column) => head.cells.get(column) ?? ''), ...rows.slice(count)];
}
