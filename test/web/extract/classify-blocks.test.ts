/** What is kept once every block has its odds, whatever the forests say: laws of the choice, not of the weights. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keep } from '../../../src/web/extract/classify/classify-blocks.ts';
import { liftComments } from '../../../src/web/extract/classify/comments.ts';
import { contextFeatureNames, contextFeaturesOf } from '../../../src/web/extract/classify/context-features.ts';
import { bestPrefix, probability, type Weighed } from '../../../src/web/extract/classify/expected-f1.ts';
import { countWords } from '../../../src/web/extract/extraction.ts';
import { segment } from '../../../src/web/extract/html/blocks.ts';
import { parseHtml } from '../../../src/web/extract/html/html-tree.ts';

/** The page's blocks in order, each with the odds given for it, the last for the rest. */
function weigh(html: string, ...logOdds: number[]): Weighed[] {
  return segment(parseHtml(html).root).blocks.map((block, at) => ({
    block,
    words: countWords(block.text),
    logOdds: logOdds[at] ?? logOdds.at(-1)!,
  }));
}

const keptOf = (weighed: readonly Weighed[]) => [...keep(weighed)].map(({ index }) => index).sort((a, b) => a - b);
const sentence = (name: string) => `${name} stands here with as many words as a short sentence has.`;

describe('the set of blocks that is kept', () => {
  it('keeps the set of blocks with the highest expected F1 of all sets', () => {
    const block = fc.record({
      words: fc.integer({ min: 1, max: 60 }),
      logOdds: fc.double({ min: -6, max: 6, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 8 }), (blocks) => {
        const weighed = blocks.map((each) => ({ ...each, block: weigh('<p>x</p>', 0)[0]!.block }));
        const expected = weighed.map(({ words, logOdds }) => words * probability(logOdds));
        const total = expected.reduce((sum, each) => sum + each, 0);
        const f1Of = (isIn: (at: number) => boolean) => {
          const among = [...weighed.keys()].filter(isIn);
          const words = among.reduce((sum, at) => sum + weighed[at]!.words, 0);
          return (2 * among.reduce((sum, at) => sum + expected[at]!, 0)) / (words + total);
        };
        const best = Math.max(
          ...Array.from({ length: 2 ** blocks.length - 1 }, (_, set) => f1Of((at) => ((set + 1) >> at) % 2 === 1)),
        );
        expect(bestPrefix(weighed).f1).toBeCloseTo(best, 9);
      }),
    );
  });

  it('keeps no block if no content is expected, although one block is the most likely', () => {
    const menus = (count: number) => `<ul>${`<li>${sentence('Menu')}</li>`.repeat(count)}</ul>`;
    expect(keptOf(weigh(`<p>${sentence('Cookie')}</p>${menus(5)}`, -3.5, -6))).toEqual([]);
    expect(keptOf(weigh(`<p>${sentence('Cookie')}</p>${menus(5)}`, 2, -6))).toEqual([0]);
    expect(keptOf(weigh(`<p>${sentence('Cookie')}</p>${menus(1)}`, -3.5, -6))).toEqual([0]);
  });

  it('keeps a heading with what it heads, unless it is unlikely', () => {
    const page = `<nav>Menu</nav><h2>Opening hours</h2><p>${sentence('Monday')} ${sentence('Friday')}</p>`;
    expect(keptOf(weigh(page, -6, -0.6, 4))).toEqual([1, 2]);
    expect(keptOf(weigh(page, -6, -3, 4))).toEqual([2]);
  });

  it('keeps an unlikely heading between kept text and the text of its section, and with it those above its own', () => {
    const page = `<h1>Site</h1><p>${sentence('First')}</p><h2>Pages</h2><h3>Size</h3><p>${sentence('Second')}</p>`;
    expect(keptOf(weigh(page, -2, 4, 0.5, -2, 4))).toEqual([1, 2, 3, 4]);
    expect(keptOf(weigh(page, -2, 4, -2, -2, 4))).toEqual([1, 3, 4]);
    expect(keptOf(weigh(page, -2, 4, -2, -6, 4))).toEqual([1, 4]);
  });

  it('keeps no such heading whose text is dropped', () => {
    const page = `<p>${sentence('First')}</p><h2>Related</h2><p>${sentence('Teaser')}</p><h2>Next</h2><p>${sentence('Second')}</p>`;
    expect(keptOf(weigh(page, 4, -2, -4, -2, 4))).toEqual([0, 3, 4]);
  });

  it('keeps the unlikely entries of a definition list between kept text, all or none', () => {
    const entries = `<dl><dt>-a<dd>${sentence('Append')}<dt>-b<dd>${sentence('Before')}</dl>`;
    const page = `<p>${sentence('First')}</p>${entries}<p>${sentence('Last')}</p>`;
    expect(keptOf(weigh(page, 4, -1.5, -1, -1.5, -1, 4))).toEqual([0, 1, 2, 3, 4, 5]);
    expect(keptOf(weigh(page, 4, -1.5, -1, -1.5, -4, 4))).toEqual([0, 5]);
    expect(keptOf(weigh(entries.concat(`<p>${sentence('Last')}</p>`), -1.5, -1, -1.5, -1, 4))).toEqual([4]);
    const figures = page.replaceAll(/<dd>[^<]*/g, '<dd>2019');
    expect(keptOf(weigh(figures, 4, -1.5, -1, -1.5, -1, 4))).toEqual([0, 5]);
    const items = page.replaceAll(/<(\/?)d[ltd]>/g, (_, end) => (end === '/' ? '' : '<p>'));
    expect(keptOf(weigh(items, 4, -1.5, -1, -1.5, -1, 4))).not.toContain(1);
  });

  it('keeps the paragraphs that continue the bare text before them in their element', () => {
    const page = `<nav>Menu</nav><div>${sentence('First')}<p>${sentence('Second')}</p></div><p>${sentence('Advert')}</p>`;
    expect(keptOf(weigh(page, -6, 4, -1.5, -1.5))).toEqual([1, 2]);
    expect(keptOf(weigh(page, -6, 4, -4, -1.5))).toEqual([1]);
  });

  it('keeps all rows of a table or none', () => {
    const rows = ['Length | 4 m', 'Width | 2 m', 'Draught | 1 m'].map((row) => `<tr><td>${row.replace(' | ', '<td>')}`);
    expect(keptOf(weigh(`<p>${sentence('The boat')}</p><table>${rows.join('')}</table>`, 4, 3, -0.5, 3))).toEqual([
      0, 1, 2, 3,
    ]);
  });
});

describe('code', () => {
  const code = '<pre>const tide = await read(harbour);</pre>';

  it('keeps code with the text before it, also inside its own frame', () => {
    for (const framed of [code, `<div><figure>${code}</figure></div>`])
      expect(keptOf(weigh(`<article><p>${sentence('First')}</p>${framed}</article>`, 4, -4))).toEqual([0, 1]);
  });

  it('does not keep code for text that is elsewhere or is dropped itself', () => {
    const elsewhere = `<div><p>${sentence('First')}</p></div><section>${code}</section>`;
    expect(keptOf(weigh(elsewhere, 4, -4))).toEqual([0]);
    const page = `<p>${sentence('First')}</p><div><p>${sentence('Advert')}</p>${code}</div>`;
    expect(keptOf(weigh(page, 4, -4, -4))).toEqual([0]);
  });
});

describe('replies', () => {
  const reply = (name: string) => `<li class="comment"><p>${sentence(name)}</p></li>`;
  const replies = `<ul>${reply('One')}${reply('Two')}${reply('Three')}</ul>`;
  const kept = (html: string, ...logOdds: number[]) =>
    [...keep(liftComments(weigh(html, ...logOdds)))].map(({ index }) => index).sort((a, b) => a - b);

  it('keeps the comments of a page that has nothing else, unlikely as they are', () => {
    expect(kept(`<nav>Menu</nav>${replies}`, -7, -3, -2.5, -3.2)).toEqual([1, 2, 3]);
  });

  it('leaves the odds of comments as they are beside likely or much other text', () => {
    expect(kept(`<p>${sentence('Story')}</p>${replies}`, 3, -3)).toEqual([0]);
    const much = weigh(`<div>${`<p>${sentence('Menu')}</p>`.repeat(4)}</div>${replies}`, -3);
    expect(liftComments(much)).toEqual(much);
  });
});

describe('what a page shows twice', () => {
  const card = ['Anna', 'Bert', 'Cleo'].map((name) => `<p>${sentence(name)}</p>`).join('');

  it('keeps repeated blocks once, where they come first', () => {
    expect(keptOf(weigh(`<div>${card}</div><div class="clone">${card}</div>`, 3))).toEqual([0, 1, 2]);
  });

  it('keeps every repetition of short blocks and of code', () => {
    const chorus = `<p>Oh, the sea</p>`;
    expect(keptOf(weigh(`<p>${sentence('First')}</p>${chorus}<p>${sentence('Second')}</p>${chorus}`, 3))).toEqual([
      0, 1, 2, 3,
    ]);
    const code = '<pre>const tide = await read(harbour, { at: noon });</pre>'.repeat(3);
    expect(keptOf(weigh(`<div>${code}</div><div>${code}</div>`, 3))).toHaveLength(6);
  });
});

describe('context features', () => {
  it('gives every block a row of finite context features, one for each name', () => {
    const tag = fc.constantFrom('p', 'h2', 'li', 'div', 'pre', 'td');
    const html = fc.array(fc.record({ tag, text: fc.string({ maxLength: 30 }) }), { maxLength: 30 });
    const odds = fc.array(fc.double({ min: -12, max: 12, noNaN: true }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(html, odds, (parts, logOdds) => {
        const weighed = weigh(parts.map(({ tag: name, text }) => `<${name}>${text}</${name}>`).join(''), ...logOdds);
        const rows = contextFeaturesOf(weighed);
        expect(rows).toHaveLength(weighed.length);
        for (const row of rows) {
          expect(row).toHaveLength(contextFeatureNames.length);
          expect(row.every(Number.isFinite)).toBe(true);
        }
      }),
    );
  });
});
