/** Growing Markdown, and positions in it that are found again: properties that hold for any text, split anywhere. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Citation } from '../../../protocol/index.ts';
import { findClaims } from '../../../src/ui/chat/answer/cited-claims.ts';
import { createPieceRenderer } from '../../../src/ui/chat/answer/piece-renderer.ts';
import { createSplitter, splitMarkdown } from '../../../src/ui/markdown/block-splitter.ts';
import { coloursOf, languageName } from '../../../src/ui/markdown/code-colours.ts';
import { renderMarkdown, webAddress } from '../../../src/ui/markdown/render.tsx';
import { readSlots, safeStretch, writeSlots } from '../../../src/ui/markdown/slots.ts';

const line = fc.constantFrom(
  'Plain words of a paragraph.',
  'More *words* with **strong** ones',
  '# A heading',
  '- an item',
  '  that goes on',
  '* another',
  '1. first',
  '2. second',
  '2',
  '> quoted',
  '```js',
  'let x = [1];',
  '```',
  '| a | b |',
  '|---|---|',
  '| 1 | 2 |',
  '===',
  '---',
  '<b>tag</b>',
  '    indented',
  '[link](https://example.org)',
  '',
  '',
);
const markdown = fc.array(line, { minLength: 1, maxLength: 14 }).map((lines) => lines.join('\n'));

describe('hostile Markdown', () => {
  const bits = ['> ', '- ', '1. ', '**a ', '_a ', '[', '](', '![', '`', '<', '&', '|', 'a.', '\\', '\n', '\t'];
  const pairs = bits.flatMap((a) => bits.map((b) => a + b));

  it.each([...bits, '> - 1. ', '**_~~', '> > ', '<a ', '<!--'])('renders any number of repetitions of %j', (bit) => {
    const text = bit.repeat(20_000 / bit.length);
    const whole = splitMarkdown(text);
    for (const { start, raw } of whole) expect(raw).toBe(text.slice(start, start + raw.length));
    for (const { raw } of whole) expect(renderMarkdown(raw, { hideLayout: true }).nodes).toBeDefined();
  });

  it('nests no deeper than a page can', () => {
    for (const pair of pairs) {
      for (const { raw } of splitMarkdown(pair.repeat(400))) {
        expect(depthOf(renderMarkdown(raw).nodes)).toBeLessThan(400);
      }
    }
  });
});

describe('tags in Markdown', () => {
  const readme = [
    '<div align="center">',
    '  <h1>Marlow</h1>',
    '  <img src="https://example.org/badge.svg" alt="Build passing" width="80">',
    '</div>',
    '',
    'Press <kbd>F5</kbd>, or use `<div>` and <marlow-map>.',
  ].join('\n');

  it('are shown as text', () => {
    expect(textOf(renderMarkdown(readme).nodes)).toContain('<h1>Marlow</h1>');
  });

  it('are hidden where they only lay out a page, and leave what images say', () => {
    const text = textOf(renderMarkdown(readme, { hideLayout: true }).nodes)
      .replace(/\s+/g, ' ')
      .trim();
    expect(text).toBe('Marlow Build passing Press F5, or use <div> and <marlow-map>.');
  });

  it('keep the positions of what is hidden', () => {
    const at = readme.indexOf('align');
    const until = readme.indexOf('passing');
    const slots = [
      { at, until: at, wrap: (text: string) => text },
      { at: until, until, wrap: undefined },
    ];
    expect(renderMarkdown(readme, { hideLayout: true, slots }).isWhole).toBe(true);
  });
});

describe('growing Markdown', () => {
  it('ends with the blocks of the whole text, however it arrived', () => {
    fc.assert(
      fc.property(markdown, fc.array(fc.nat(8), { minLength: 1, maxLength: 60 }), (text, steps) => {
        const splitter = createSplitter();
        let length = 0;
        for (const step of steps) splitter.update(text.slice(0, (length += step)));
        expect(splitter.update(text)).toEqual(splitMarkdown(text));
      }),
      { numRuns: 500 },
    );
  });

  it('renders blocks at the positions they name', () => {
    fc.assert(
      fc.property(markdown, (text) => {
        for (const { start, raw } of splitMarkdown(text)) expect(text.slice(start, start + raw.length)).toBe(raw);
      }),
    );
  });

  it('keeps the objects of all blocks before the last two', () => {
    const splitter = createSplitter();
    const before = splitter.update('One.\n\nTwo.\n\nThree.\n\nFour');
    const after = splitter.update('One.\n\nTwo.\n\nThree.\n\nFour and more');
    expect(after.slice(0, 3).every((piece, place) => piece === before[place])).toBe(true);
    expect(after[3]).not.toBe(before[3]);
  });

  it('starts over with another text', () => {
    const splitter = createSplitter();
    splitter.update('One.\n\nTwo.\n\nThree.\n\nFour.');
    expect(splitter.update('Another.')).toEqual([{ start: 0, raw: 'Another.' }]);
  });
});

describe('an answer of 2,000 deltas', () => {
  const paragraph = 'The tower is 46 metres high and painted in red and white bands. [1]';
  const paragraphs = Array.from({ length: 100 }, () => paragraph);
  const text = paragraphs.join('\n\n');
  const cited = paragraphs.map((_, place) => {
    const start = place * (paragraph.length + 2);
    return citation(`cit_${place}`, start, start + paragraph.length - 4);
  });

  it('renders one block per delta, and one more when a marker arrives', () => {
    let drawn = 0;
    const pieces = createPieceRenderer(() => (drawn += 1));
    const step = Math.ceil(text.length / 2_000);
    let deltas = 0;
    for (let length = step; length < text.length + step; length += step) {
      const shown = text.slice(0, length);
      pieces({ id: 'b1', text: shown, citations: cited.filter(({ end }) => end <= length), isDone: false });
      deltas += 1;
    }
    pieces({ id: 'b1', text, citations: cited, isDone: true });
    expect(deltas).toBeGreaterThan(1_500);
    expect(drawn).toBeLessThanOrEqual(deltas + 2 * paragraphs.length + 1);
  });
});

describe('positions in a text', () => {
  it('finds positions in a text again after rendering', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.nat(), fc.nat(), (text, a, b) => {
        const [at, until] = [a % (text.length + 1), b % (text.length + 1)].sort((x, y) => x - y) as [number, number];
        const [before, index, after] = readSlots(writeSlots(text, [{ at, until }]));
        const plain = text.replaceAll('⸨', '(').replaceAll('⸩', ')');
        expect([before, index, after]).toEqual([plain.slice(0, at), '0', plain.slice(until)]);
      }),
    );
  });

  it('never extends a marked span beyond the requested one', () => {
    fc.assert(
      fc.property(markdown, fc.nat(), fc.nat(), (text, a, b) => {
        const [start, end] = [a % (text.length + 1), b % (text.length + 1)].sort((x, y) => x - y) as [number, number];
        const safe = safeStretch(text, start, end);
        if (safe === undefined) return;
        expect(safe.start).toBeGreaterThanOrEqual(start);
        expect(safe.end).toBeLessThanOrEqual(end);
      }),
    );
  });

  it.each([
    ['a list', '- one item\n- two'],
    ['a heading', '# Heading\n\ntext'],
    ['a table', '| a | b |\n|---|---|\n| 1 | 2 |'],
    ['code', '```\nlet x = 1;\n```'],
    ['emphasis', '**All of it.**'],
  ])('leaves %s intact around a marked span', (_, text) => {
    const { start, end } = safeStretch(text, 0, text.length)!;
    const slots = [
      { at: start, until: start, wrap: (words: string) => `<${words}>` },
      { at: end, until: end, wrap: undefined },
    ];
    const marked = renderMarkdown(text, { slots });
    expect(marked.isWhole).toBe(true);
    expect(tagsOf(marked.nodes)).toEqual(tagsOf(renderMarkdown(text).nodes));
  });
});

describe('citation markers', () => {
  it('leaves a code block before a citation marker intact, and refers to it', () => {
    const text = 'Like this:\n\n```js\nlet x;\n```\n[1]\n\nAnd on.';
    const pieces = createPieceRenderer((piece, claims) => [piece.raw, claims.map(({ at }) => at - piece.start)]);
    expect(pieces({ id: 'b1', text, citations: [citation('a', 12, 28)], isDone: true })).toEqual([
      ['Like this:', []],
      ['```js\nlet x;\n```\n', [17]],
      ['[1]', [0]],
      ['And on.', []],
    ]);
  });

  it('finds citation markers after the text that they support, once they have arrived', () => {
    const text = 'One thing. [1][2] Another thing. [1]';
    const citations = [citation('a', 0, 10), citation('b', 0, 10, 2), citation('c', 18, 32)];
    expect(findClaims(text, citations)).toMatchObject([
      { id: 'a', start: 0, end: 10, at: 10, until: 17, markers: [{ n: 1 }, { n: 2 }] },
      { id: 'c', start: 18, at: 32, until: 36, markers: [{ n: 1 }] },
    ]);
    expect(findClaims('One thing.', citations)).toEqual([]);
    const code = '```js\nlet x;\n```\n[1]';
    expect(findClaims(code, [citation('a', 0, 16)])).toMatchObject([{ start: 0, end: 16, at: 17, until: 20 }]);
    expect(findClaims('One thing. [3]', [citation('a', 0, 10)])).toMatchObject([{ markers: [] }]);
  });
});

describe('webAddress', () => {
  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    '//x',
    '',
    'vbscript:x',
  ])('rejects %s', (text) => expect(webAddress(text)).toBeUndefined());
  it('keeps an http or https URL', () =>
    expect(webAddress('https://example.org/a?b#c')).toBe('https://example.org/a?b#c'));
});

function citation(id: string, start: number, end: number, n = 1): Citation {
  return {
    ...{ id, n, start, end, source_id: `src_${n}`, url: 'https://example.org/', block: 'b1', quote: 'q' },
    ...{ source_start: 0, source_end: 1, snapshot: 's', support: 'exact', score: 1 },
  };
}

/** The kinds of the elements, in order. */
function tagsOf(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(tagsOf);
  if (typeof node !== 'object' || node === null) return [];
  const { type, props } = node as { type: unknown; props: { children?: unknown } };
  return [...(typeof type === 'string' ? [type] : []), ...tagsOf(props.children)];
}

/** The text of elements, without that of blocks of code. */
function textOf(node: unknown): string {
  if (typeof node === 'string') return node;
  if (Array.isArray(node)) return node.map(textOf).join('');
  if (typeof node !== 'object' || node === null) return '';
  return textOf((node as { props: { children?: unknown } }).props.children);
}

/** The nesting depth of elements. */
function depthOf(nodes: unknown): number {
  if (Array.isArray(nodes)) return Math.max(0, ...nodes.map(depthOf));
  if (typeof nodes !== 'object' || nodes === null || !('props' in nodes)) return 0;
  return 1 + depthOf((nodes.props as { children?: unknown }).children);
}

describe('blocks of code', () => {
  const code = 'const a = `b$' + '{c}`; // d\n\n/* e\nf */ let g = "h" + 1.5;\n';

  it.each(['js', 'ts', 'py', 'bash', 'json', 'yaml', 'sql', 'css', 'diff', 'go', 'rust', 'java'])(
    'have colours for all of their text in %s',
    (language) => {
      for (const text of [code, '', '\n', 'x', '"', '/*', '\t\r\nx\n\n\n']) {
        const lengths = coloursOf(text, language).map(({ length }) => length);
        expect([0, text.length]).toContain(lengths.reduce((sum, length) => sum + length, 0));
      }
      expect(coloursOf(code, language).length).toBeGreaterThan(3);
      expect(languageName(language)).toMatch(/^[A-Z]/);
    },
  );

  it.each(['', 'brainfuck', 'constructor', '__proto__'])('have no colours in %j', (language) => {
    expect(coloursOf(code, language)).toEqual([]);
    expect(languageName(language)).toBeUndefined();
  });

  it('have colours for hostile text, all of it', () => {
    for (const bit of ['<a ', '`${', '"', "'", '/*', '{', '\\', '</', '\n', '\u2028', '𝒳', '/']) {
      const text = bit.repeat(10_000 / bit.length);
      const lengths = coloursOf(text, 'ts').map(({ length }) => length);
      expect([0, text.length]).toContain(lengths.reduce((sum, length) => sum + length, 0));
    }
  });

  it('keep a marker in them where it is', () => {
    const text = '```ts\nlet a = 1;\nlet b = 2;\n```';
    const at = text.indexOf('let b');
    const { nodes, isWhole } = renderMarkdown(text, { codeTools: true, slots: [{ at, until: at, show: 'MARKER' }] });
    expect(isWhole).toBe(true);
    const [, block] = (nodes as { props: { children: { props: { parts: unknown } }[][] } }).props.children.flat();
    expect(block?.props.parts).toMatchObject([{ text: 'let a = 1;\n' }, { node: 'MARKER' }, { text: 'let b = 2;' }]);
  });
});
