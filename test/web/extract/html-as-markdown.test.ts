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

describe('a formula', () => {
  const mathml = '<mrow><mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></mrow>';
  const tex = (source: string) => `<annotation encoding="application/x-tex">${source}</annotation>`;

  it.each([
    ['MathML', `<math>${mathml}</math>`, 'E=mc^2'],
    ['MathML with a source', `<math><semantics>${mathml}${tex('E=mc^{2}')}</semantics></math>`, 'E=mc^2'],
    ['MathML with a text', `<math alttext="E=m\\cdot c^{2}">${mathml}</math>`, 'E=m\\cdot c^2'],
    ['MathML with a prefix', '<m:math><m:mi>x</m:mi><m:mo>&lt;</m:mo><m:mn>5</m:mn></m:math>', 'x<5'],
    [
      'MathML of fractions, roots and sums',
      '<math><mfrac><mn>1</mn><mn>2</mn></mfrac><mo>+</mo><msqrt><mi>a</mi><mo>+</mo><mi>b</mi></msqrt><mo>+</mo><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><msub><mi>x</mi><mi>i</mi></msub></math>',
      '1/2+√(a+b)+∑_(i=1)^nx_i',
    ],
    [
      'MediaWiki',
      `<span class="mwe-math-element"><span class="mwe-math-mathml-inline" style="display: none;"><math alttext="{\\displaystyle E=mc^{2}}"><semantics>${mathml}${tex('{\\displaystyle E=mc^{2}}')}</semantics></math></span><img class="mwe-math-fallback-image-inline" alt="{\\displaystyle E=mc^{2}}"></span>`,
      'E=mc^2',
    ],
    [
      'MediaWiki with a picture only',
      '<span class="mwe-math-element"><img class="mwe-math-fallback-image-inline" alt="{\\displaystyle x_{1}}"></span>',
      'x_1',
    ],
    [
      'KaTeX',
      `<span class="katex"><span class="katex-mathml"><math><semantics>${mathml}${tex('E=\\frac{1}{2}m')}</semantics></math></span><span class="katex-html" aria-hidden="true"><span>E</span><span>=21m</span></span></span>`,
      'E=\\frac{1}{2}m',
    ],
    [
      'MathJax',
      `<mjx-container class="MathJax"><mjx-math aria-hidden="true"><mjx-mi></mjx-mi></mjx-math><mjx-assistive-mml><math>${mathml}</math></mjx-assistive-mml></mjx-container>`,
      'E=mc^2',
    ],
  ])('is a part of its sentence, once: %s', (_, html, text) => {
    expect(read(`<p>It is ${html} in all places.</p>`)).toBe(`It is ${text} in all places.`);
  });

  it('that a style sheet gives a line of its own stands apart from the words beside it', () => {
    expect(read('<p>It is<math display="block"><mi>x</mi></math>here.</p>')).toBe('It is x here.');
  });

  it('hides no text of a page that is marked like one', () => {
    expect(read('<div class="katex"><p>All of the text.</p><math><mi>x</mi></math></div>')).toBe(
      'All of the text.\n\nx',
    );
  });
});

describe('code', () => {
  it.each([
    [
      'in divs',
      '<pre><code class="language-python"><div>def f(x):</div><div>    if x:</div><div>        return 1</div></code></pre>',
      '```python\ndef f(x):\n    if x:\n        return 1\n```',
    ],
    [
      'in divs with line breaks',
      '<pre><div>a\n</div><div>\n</div><div>b<br></div><div>c</div></pre>',
      '```\na\n\nb\nc\n```',
    ],
    ['in divs on lines of the source', '<pre>\n  <div>a</div>\n  <div>  b</div>\n</pre>', '```\na\n  b\n```'],
    ['in paragraphs', '<pre>a<p>b</p>c</pre>', '```\na\nb\nc\n```'],
    ['in items', '<pre><ol><li><span>a</span></li><li>  b</li></ol></pre>', '```\na\n  b\n```'],
    [
      'in rows',
      '<pre><table><tr><td></td><td>  a</td></tr><tr><td>2</td><td>b</td></tr></table></pre>',
      '```\n  a\n2 b\n```',
    ],
    ['in lines', '<pre><span>a</span>\n\n<span>  b</span>\n</pre>', '```\na\n\n  b\n```'],
  ])('keeps its lines: %s', (_, html, text) => {
    expect(read(html)).toBe(text);
  });
});

describe('the numbers of its lines', () => {
  it.each([
    ['Pygments', '<pre><span class="linenos">1</span>a\n<span class="linenos">2</span>b\n</pre>', '```\na\nb\n```'],
    ['Chroma', '<pre><code><span class="line"><span class="ln">1</span>a\n</span></code></pre>', '```\na\n```'],
    [
      'tables',
      '<table><tr><td class="linenos"><div class="linenodiv"><pre>1\n2</pre></div></td><td><pre>a\nb</pre></td></tr></table>',
      '```\na\nb\n```',
    ],
    [
      'Rouge',
      '<pre><code><table><tr><td class="rouge-gutter gl"><pre class="lineno">1\n</pre></td><td><pre>a\n</pre></td></tr></table></code></pre>',
      '```\na\n```',
    ],
  ])('are no part of code: %s', (_, html, text) => {
    expect(read(html)).toBe(text);
  });

  it('are kept where they are words or values', () => {
    expect(read('<pre><span class="ln">x1</span> = 2</pre>')).toBe('```\nx1 = 2\n```');
    expect(read('<p>Bus <span class="line-number">42</span> goes to the harbour.</p>')).toBe(
      'Bus 42 goes to the harbour.',
    );
    expect(read('<pre><code class="language-text line-numbers">42</code></pre>')).toContain('42');
    expect(
      read(
        '<table><tr><th>Line</th><th>To</th></tr><tr><td class="line-number">42</td><td>Pier <code>HB</code></td></tr></table>',
      ),
    ).toContain('| 42 | Pier `HB` |');
    const rows = '<tr><th>Line</th><th>To</th></tr><tr><td class="line-number">42</td><td>Harbour</td></tr>';
    expect(read(`<table>${rows}</table>`)).toContain('| 42 | Harbour |');
  });
});

describe('a heading of a wiki', () => {
  it('has no link that edits its section', () => {
    const edit = '<span class="mw-editsection">[<a href="/e">edit</a>]</span>';
    expect(read(`<h2>Crew${edit}</h2><div><h3>Ann</h3>${edit}</div><p>Rows.</p>`)).toBe('## Crew\n\n### Ann\n\nRows.');
  });
});

describe('a table', () => {
  const head = '<thead><tr><th>Boat</th><th>Crew</th></tr></thead>';
  const crew = '<tr><td>Grebe</td><td><ul><li>Ann</li><li>Bob</li></ul></td></tr>';

  it.each([
    ['with a head', `${head}<tbody>${crew}</tbody>`],
    ['whose first row names the columns', `<tr><th>Boat</th><th>Crew</th></tr>${crew}`],
    ['with buttons', `${head}<tr><td>Grebe</td><td><button>Ann Bob</button></td></tr>`],
  ])('stays one %s', (_, rows) => {
    expect(read(`<table>${rows}</table>`)).toBe('| Boat | Crew |\n| --- | --- |\n| Grebe | Ann Bob |');
  });

  it('that only lays out a page is its content', () => {
    expect(read(`<table>${crew}${crew}</table>`)).toBe('Grebe\n\n- Ann\n- Bob\n\nGrebe\n\n- Ann\n- Bob');
    expect(read(`<table><tr><th colspan="2">Boats</th></tr>${crew}</table>`)).toContain('- Ann\n- Bob');
  });

  const groups =
    '<tr><th rowspan="2">Room</th><th colspan="2">Summer</th><th colspan="2">Winter</th></tr>' +
    '<tr><th>Single</th><th>Double</th><th>Single</th><th>Double</th></tr>';
  const lake = '<tr><td>Lake</td><td>80</td><td>120</td><td>60</td><td>90</td></tr>';
  const named =
    '| Room | Summer: Single | Summer: Double | Winter: Single | Winter: Double |\n| --- | --- | --- | --- | --- |\n' +
    '| Lake | 80 | 120 | 60 | 90 |';

  it.each([
    ['in a head', `<thead>${groups}</thead><tbody>${lake}</tbody>`],
    ['without one', groups + lake],
    ['of cells like others, in a head', `<thead>${groups.replaceAll('th', 'td')}</thead>${lake}`],
  ])('names each column with its group: rows of names %s', (_, rows) => {
    expect(read(`<table>${rows}</table>`)).toBe(named);
  });

  it('has the names and the units of its columns in one line', () => {
    const rows = '<tr><th>Boat</th><th>Length</th></tr><tr><th></th><th>m</th></tr>';
    const body = '<tr><td>Grebe</td><td>9</td></tr>';
    expect(read(`<table><thead>${rows}</thead>${body}</table>`)).toBe(
      '| Boat | Length: m |\n| --- | --- |\n| Grebe | 9 |',
    );
    // Without a head, a second row of such cells may be a part of the table that has names for its rows.
    expect(read(`<table>${rows}${body}</table>`)).toBe('| Boat | Length |\n| --- | --- |\n|  | m |\n| Grebe | 9 |');
  });

  it('has the title that is its first row in the names of its columns, or before it if it is long', () => {
    const titled = (title: string) => {
      const rows = `<tr><th colspan="2">${title}</th></tr><tr><th>Boat</th><th>Length</th></tr>`;
      return read(`<table>${rows}<tr><td>Grebe</td><td>9</td></tr></table>`);
    };
    expect(titled('Boats of 2024')).toBe(
      '| Boats of 2024: Boat | Boats of 2024: Length |\n| --- | --- |\n| Grebe | 9 |',
    );
    const long = 'Boats of 2024 that were measured in the harbour, with their crews';
    expect(titled(long)).toBe(`${long}\n\n| Boat | Length |\n| --- | --- |\n| Grebe | 9 |`);
  });

  it('keeps totals and the names of parts among its rows', () => {
    const total = '<thead><tr><th>Item</th><th>Sum</th></tr><tr><th>Total</th><th>900 €</th></tr></thead>';
    expect(read(`<table>${total}<tr><td>Rent</td><td>500 €</td></tr></table>`)).toBe(
      '| Item | Sum |\n| --- | --- |\n| Total | 900 € |\n| Rent | 500 € |',
    );
    const parts =
      '<tr><th>Item</th><th colspan="2">Price</th></tr><tr><th>Fruit</th><th></th><th></th></tr>' +
      '<tr><td>Apple</td><td>2 €</td><td>each</td></tr>';
    expect(read(`<table>${parts}</table>`)).toBe(
      '| Item | Price |  |\n| --- | --- | --- |\n| Fruit |  |  |\n| Apple | 2 € | each |',
    );
  });

  it('keeps the headings of its parts, and rows that have a name of their own, among its rows', () => {
    const part = '<tr><th colspan="2">Weekdays</th></tr><tr><td>Open</td><td>9</td></tr>';
    expect(read(`<table><tr><th>Hours</th><th>From</th></tr>${part}</table>`)).toBe(
      '| Hours | From |\n| --- | --- |\n| Weekdays |  |\n| Open | 9 |',
    );
    const facts = '<tr><th colspan="2">Bridge</th></tr><tr><th>Length</th><td>412 m</td></tr>';
    expect(read(`<table>${facts}<tr><th>Piers</th><td>4</td></tr></table>`)).toBe(
      '| Bridge |  |\n| --- | --- |\n| Length | 412 m |\n| Piers | 4 |',
    );
    const onlyNames = '<tr><th colspan="2">A</th></tr><tr><th>B</th><th>C</th></tr>';
    expect(read(`<table>${onlyNames}</table>`)).toBe('| A |  |\n| --- | --- |\n| B | C |');
  });

  it('has its caption before it', () => {
    expect(
      read(`<table><caption>Prices in <b>euros</b></caption>${head}<tr><td>Grebe</td><td>2</td></tr></table>`),
    ).toBe('Prices in euros\n\n| Boat | Crew |\n| --- | --- |\n| Grebe | 2 |');
  });
});

describe('a list', () => {
  it('has the numbers that its items say', () => {
    expect(read('<ol><li>a</li><li value="5">b</li><li>c</li></ol>')).toBe('1. a\n5. b\n6. c');
    expect(read('<ol start="0"><li>a</li><li>b</li></ol>')).toBe('0. a\n1. b');
  });
});

describe('words', () => {
  it('have no reading within them', () => {
    expect(read('<p><ruby>東京<rp>(</rp><rt>とうきょう</rt><rp>)</rp></ruby>に住む。</p>')).toBe('東京に住む。');
  });

  it.each([
    ['<del>$50.00</del> <ins>$39.00</ins>', '$39.00'],
    ['<p>Now <s>EUR 50</s> EUR 39</p>', 'Now EUR 39'],
    ['<p><span style="text-decoration: line-through">50 €</span> 39 €</p>', '39 €'],
    ['<p><del>$50.00</del></p>', '~~$50.00~~'],
    ['<p>On <del>Monday</del> <ins>Tuesday</ins> at 8.</p>', 'On ~~Monday~~ Tuesday at 8.'],
    ['<p>The <s> old </s>rule</p>', 'The ~~old~~ rule'],
  ])('that are struck out are marked, and prices that others replace are left out: %s', (html, text) => {
    expect(read(html)).toBe(text);
  });
});
