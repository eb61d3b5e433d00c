/** The merged cells of a sheet of a workbook (ECMA-376-1, 18.3.1.54), which its file has only after all of its cells. */

export interface MergedCell {
  readonly row: number;
  readonly column: number;
  readonly lastRow: number;
  readonly lastColumn: number;
}

/** Set by hand. */
const maxMerged = 20_000;
/** Bytes after the cells: formats, links and remarks are there as well. Set by hand. */
const maxTailBytes = 4 * 1024 * 1024;

/** By their first rows; none where they are not found. */
export function mergedCells(
  bytes: Uint8Array = new Uint8Array(),
): ReadonlyMap<number, ReadonlyMap<number, MergedCell>> {
  const merged = new Map<number, Map<number, MergedCell>>();
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = file.lastIndexOf('sheetData>');
  if (end < 0) return merged;
  const tail = file.toString('latin1', end, Math.min(file.length, end + maxTailBytes));
  let count = 0;
  for (const [, first = '', last = ''] of tail.matchAll(/mergeCell\s+ref="([A-Z]{1,3}\d{1,7}):([A-Z]{1,3}\d{1,7})"/g)) {
    count += 1;
    if (count > maxMerged) break;
    const cell = {
      row: rowOf(first),
      column: columnOf(first) ?? 0,
      lastRow: rowOf(last),
      lastColumn: columnOf(last) ?? 0,
    };
    const others = merged.get(cell.row);
    if (others === undefined) merged.set(cell.row, new Map([[cell.column, cell]]));
    else if (!others.has(cell.column)) others.set(cell.column, cell);
  }
  return merged;
}

function rowOf(reference: string): number {
  return Number(reference.replace(/\D+/g, ''));
}

/** The number of a column, 1 for `A7`; undefined for text that does not refer to a cell. */
export function columnOf(reference: string): number | undefined {
  const letters = /^\$?([A-Z]{1,3})\$?\d+$/i.exec(reference)?.[1]?.toUpperCase();
  return letters === undefined ? undefined : [...letters].reduce((sum, each) => sum * 26 + each.charCodeAt(0) - 64, 0);
}
