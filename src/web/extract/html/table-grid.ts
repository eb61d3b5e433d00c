/**
 * The cells of a table in their columns. A cell that spans rows is in each of them, because a row is read and found without those above
 * it; the places that it covers to its right are empty.
 */
import type { HtmlElement } from './html-tree.ts';

/** Set by hand. */
const maxColumns = 50;
const maxRows = 1_000;

/** A line for each row of cells, all equally long, without empty columns at the end, with max. 50 columns. */
export function gridOf(rows: readonly (readonly HtmlElement[])[]): (HtmlElement | undefined)[][] {
  /** For each column, the first row that no cell above spans into, and the cell that does. */
  const freeFrom: number[] = [];
  const above: (HtmlElement | undefined)[] = [];
  const lines = rows.map((cells, row) => {
    const line: (HtmlElement | undefined)[] = [];
    const skipCovered = () => {
      while ((freeFrom[line.length] ?? 0) > row) line.push(cells.length === 0 ? undefined : above[line.length]);
    };
    for (const cell of cells) {
      skipCovered();
      const height = spanOf(cell, 'rowspan', maxRows);
      const width = Math.min(spanOf(cell, 'colspan', maxColumns), maxColumns - line.length);
      for (let place = 0; place < width; place += 1) {
        freeFrom[line.length] = row + height;
        above[line.length] = place === 0 ? cell : undefined;
        line.push(above[line.length]);
      }
    }
    skipCovered();
    return line;
  });
  // A cell that is to be as wide as the table often says that it spans a hundred columns, in most of which there is nothing.
  const width = lines.reduce((max, line) => Math.max(max, line.findLastIndex((cell) => cell !== undefined) + 1), 0);
  return lines.map((line) => [
    ...line.slice(0, width),
    ...Array<undefined>(Math.max(0, width - line.length)).fill(undefined),
  ]);
}

/** How many columns or rows a cell spans. */
export function spanOf({ attribs: attributes }: HtmlElement, name: 'colspan' | 'rowspan', max: number): number {
  const span = Number.parseInt(attributes[name] ?? '', 10);
  return span > 1 ? Math.min(span, max) : 1;
}
