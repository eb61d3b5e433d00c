/** The cells of a table in their columns: the other places that a spanning cell covers are empty. */
import type { HtmlElement } from './html-tree.ts';

/** Set by hand. */
const maxColumns = 50;
const maxRows = 1_000;

/** A line for each row of cells, all equally long, with max. 50 columns. */
export function gridOf(rows: readonly (readonly HtmlElement[])[]): (HtmlElement | undefined)[][] {
  /** For each column, the first row that no cell above spans into. */
  const freeFrom: number[] = [];
  const lines = rows.map((cells, row) => {
    const line: (HtmlElement | undefined)[] = [];
    const skipCovered = () => {
      while ((freeFrom[line.length] ?? 0) > row) line.push(undefined);
    };
    for (const cell of cells) {
      skipCovered();
      const height = spanOf(cell, 'rowspan', maxRows);
      const width = Math.min(spanOf(cell, 'colspan', maxColumns), maxColumns - line.length);
      for (let place = 0; place < width; place += 1) {
        freeFrom[line.length] = row + height;
        line.push(place === 0 ? cell : undefined);
      }
    }
    skipCovered();
    return line;
  });
  const width = lines.reduce((max, { length }) => Math.max(max, length), 0);
  return lines.map((line) => [...line, ...Array<undefined>(width - line.length).fill(undefined)]);
}

function spanOf({ attribs: attributes }: HtmlElement, name: 'colspan' | 'rowspan', max: number): number {
  const span = Number.parseInt(attributes[name] ?? '', 10);
  return span > 1 ? Math.min(span, max) : 1;
}
