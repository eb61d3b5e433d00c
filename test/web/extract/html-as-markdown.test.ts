/** What the elements of HTML become, whichever blocks are kept. */
import { describe, expect, it } from 'vitest';
import { segment } from '../../../src/web/extract/html/blocks.ts';
import { parseHtml } from '../../../src/web/extract/html/html-tree.ts';
import { renderMarkdown } from '../../../src/web/extract/html/markdown.ts';
import { pruneHidden } from '../../../src/web/extract/html/prune-hidden.ts';

function read(html: string): string {
  const { root } = parseHtml(html);
  pruneHidden(root);
  return renderMarkdown(segment(root).layout, () => true, 'https://pages.test/');
}

describe('raised text', () => {
  it.each([
    ['1.989×10<sup>30</sup> kg', '1.989×10³⁰ kg'],
    ['6×10<sup>&minus;34</sup> J, <i>x</i><sup>-1</sup>', '6×10⁻³⁴ J, x⁻¹'],
    ['5 km<sup>2</sup>, (a+b)<sup>2 </sup>m', '5 km², (a+b)² m'],
    ['<span>10</span><span><sup>3</sup></span>', '10³'],
    ['Ca<sup>2+</sup>, 2<sup>0.5</sup>', 'Ca²⁺, 2^0.5'],
    ['10<span style="vertical-align: super">6</span>', '10⁶'],
    // A mark of a note that links within the page: its link is not shown, and its number would be part of the year.
    ['in 2019<sup><a href="#n3">3</a></sup>', 'in 2019³'],
  ])('is not part of the number or the word before it: %s', (html, text) => {
    expect(read(`<p>${html}</p>`)).toBe(text);
  });

  it.each([
    ['the 1<sup>st</sup> of H<sub>2</sub>O', 'the 1st of H2O'],
    ['Built<sup>[1]</sup>', 'Built[1]'],
    ['Built<sup><a href="/notes">1</a></sup>', 'Built[1](https://pages.test/notes)'],
    ['Built <sup>1</sup>', 'Built 1'],
    ['2<sup>n</sup>', '2n'],
  ])('stays as it is where it is no power: %s', (html, text) => {
    expect(read(`<p>${html}</p>`)).toBe(text);
  });
});
