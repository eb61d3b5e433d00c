/** Cells in their columns, whatever they span: nothing lost, nothing twice, every row as long as the others. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rawText } from '../../../src/web/extract/html/blocks.ts';
import type { HtmlElement } from '../../../src/web/extract/html/html-tree.ts';
import { gridOf } from '../../../src/web/extract/html/table-grid.ts';

const cell = (text: string, colspan?: string, rowspan?: string): HtmlElement => ({
  type: 'tag',
  name: 'td',
  attribs: { ...(colspan === undefined ? {} : { colspan }), ...(rowspan === undefined ? {} : { rowspan }) },
  children: [text],
  parent: undefined,
  depth: 3,
});
const shown = (rows: HtmlElement[][]) =>
  gridOf(rows).map((line) => line.map((each) => (each === undefined ? '' : rawText(each))));

describe('the grid of a table', () => {
  it('leaves empty the places that a cell spans to its right, and has it again below', () => {
    const rows = [
      [cell('a', '2'), cell('b')],
      [cell('c', '1', '2'), cell('d', '2', '2')],
      [],
      [cell('e'), cell('f', '1', '2'), cell('g')],
      [cell('h'), cell('i')],
    ];
    expect(shown(rows)).toEqual([
      ['a', '', 'b'],
      ['c', 'd', ''],
      ['', '', ''],
      ['e', 'f', 'g'],
      ['h', 'f', 'i'],
    ]);
  });

  it('has no columns that only a cell as wide as any table has', () => {
    expect(shown([[cell('title', '100')], [cell('a'), cell('b', '2')], []])).toEqual([
      ['title', ''],
      ['a', 'b'],
      ['', ''],
    ]);
  });

  it('holds every cell of a table once, in order, in rows of one length, whatever the spans', () => {
    const span = fc.constantFrom(undefined, '1', '2', '', '0', '-1', '2.5', 'all');
    const row = fc.array(fc.tuple(span, span), { maxLength: 4 });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 5 }), (rows) => {
        const cells = rows.map((spans, at) => spans.map((each, place) => cell(`${at}.${place}`, ...each)));
        const grid = gridOf(cells);
        const isFirst = (each: HtmlElement | undefined, row: number, place: number) =>
          each !== undefined && grid[row - 1]?.[place] !== each;
        expect(grid.map((line, row) => line.filter((each, place) => isFirst(each, row, place)))).toEqual(cells);
        expect(new Set(grid.map(({ length }) => length)).size).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('limits a table to fifty columns', () => {
    const row = Array.from({ length: 90 }, () => cell('x'));
    expect(shown([row, [cell('a')]]).map(({ length }) => length)).toEqual([50, 50]);
    const wide = [cell('wide', '1000000000', '1000000000'), cell('lost')];
    expect(shown([wide, row])).toEqual([['wide'], ['wide']]);
  });
});
