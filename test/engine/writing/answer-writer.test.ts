/** From a model's stream to released text and checked citations, however the stream is cut into pieces. */

import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { SearchEvent } from '../../../protocol/index.ts';
import type { Evidence } from '../../../src/engine/ports/snapshot.ts';
import { createResearchState } from '../../../src/engine/research-state.ts';
import { createAnswerWriter } from '../../../src/engine/writing/answer-writer.ts';
import {
  type ClaimInDoubt,
  type ClaimsJudge,
  claimKey,
  type Verdicts,
} from '../../../src/engine/writing/judge-claims.ts';

const page = `# Heron Point

Heron Point Lighthouse was first lit on *3 May 1887*. It is [46 metres](https://example.org/height) high[3]. The tower "stands" on granite.

\`\`\`js
const list = [1, 2];
\`\`\`

- **retries** \`number\` - Default: \`2\`
`;
const offset = 7;
const evidence: Evidence[] = [
  piece(1, 'https://a.example/one', page.slice(offset), offset),
  piece(2, 'https://b.example/two', 'The lamp burned rapeseed oil until 1904. Electric light replaced it in 1931.', 0),
];
const texts = new Map([
  ['https://a.example/one', page],
  ['https://b.example/two', evidence[1]!.text],
]);

function piece(n: number, url: string, text: string, start: number): Evidence {
  return { n, snapshot: url, url, title: url, headings: '', text, start, end: start + text.length, score: 1 };
}

/** The claims that a text waits for. */
function inDoubt(writer: ReturnType<typeof createAnswerWriter>): readonly ClaimInDoubt[] {
  const steps = writer.inDoubt();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Lets the text go on that waits. */
function settle(writer: ReturnType<typeof createAnswerWriter>, verdicts: Verdicts): void {
  for (const _ of writer.settle(verdicts));
}

function write(pieces: readonly string[]) {
  const state = createResearchState();
  const writer = createAnswerWriter(evidence, state);
  const events: SearchEvent[] = pieces.flatMap((text) => [...writer.push(text)]);
  events.push(...writer.finish());
  return { text: writer.text(), events, citations: state.citations, dropped: state.usage.dropped_citations };
}

/** A judge that gives its verdict when the test says so. */
function scriptedJudge() {
  const asked: string[][] = [];
  let claims: readonly ClaimInDoubt[] | undefined;
  let verdicts: Verdicts | undefined;
  return {
    /** The claims of each call. */
    asked,
    answer(verdict: 'supported' | 'contradicted') {
      verdicts = new Map(claims!.map(({ piece, text }) => [claimKey(piece, text), verdict]));
    },
    isAsked: () => claims !== undefined,
    ask(about: readonly ClaimInDoubt[]) {
      asked.push(about.map(({ text }) => text));
      claims = about;
    },
    take() {
      const taken = verdicts;
      if (taken !== undefined) claims = undefined;
      verdicts = undefined;
      return taken;
    },
    stop() {
      claims = undefined;
    },
    judge: async () => new Map(),
  } satisfies ClaimsJudge & Record<string, unknown>;
}

/** The same text in other pieces. */
function cut(text: string, sizes: readonly number[]): string[] {
  const pieces: string[] = [];
  for (let at = 0, i = 0; at < text.length; i += 1) {
    const size = sizes[i % sizes.length]!;
    pieces.push(text.slice(at, at + size));
    at += size;
  }
  return pieces;
}

/** The second piece of evidence, in the styles that models write; some name the first one, too. */
const styles = [
  ...[
    '[[2]]',
    '^[2]^',
    '【2†source】',
    '【2】',
    '【2:0†page.txt】',
    '(2)',
    '^2',
    '^2^',
    '[^2]',
    '[^2^]',
    '[#2]',
    '［2］',
    '〔2〕',
  ],
  ...['[1-2]', '[1–2]', '[1; 2]', '[2 and 1]', '[2], [1]', '([2], [1])', '[[2], [1]]', '[2][1]', '[ 2 ]', '\\[2\\]'],
  ...[
    '[Source 2]',
    '[Sources: 1, 2]',
    '(Source 2)',
    '(see [2])',
    '[evidence 2]',
    '[ref:2]',
    '[cite: 2]',
    '[citation:2]',
  ],
  ...[
    '[2](https://b.example/two)',
    '[2](https://evil.example/)',
    '<sup>2</sup>',
    '<sup>[2]</sup>',
    '<ref>2</ref>',
    '²',
  ],
  ...[
    '[２]',
    '（2）',
    '（２）',
    '（来源：2）',
    '⟦2⟧',
    '②',
    '\\cite{2}',
    '$^{2}$',
    '$^2$',
    '[2\u200b]',
    '[[2]](https://b.example/two)',
  ],
  ...[
    '<cite id="2"/>',
    '<cite id="2"></cite>',
    '<ref name="2" />',
    '<citation>2</citation>',
    '<sub>[2]</sub>',
    '[turn0search1] [2]',
  ],
  ...[
    ...[
      '[Evidence [2]]',
      '[see [2], [1]]',
      '([2][1])',
      '(according to [2])',
      '(e.g. [2])',
      '［[2]］',
      '【[2]】',
      '[{2}]',
      '{[2]}',
    ],
    ...[
      '[(2)]',
      '[<sup>2</sup>]',
      '[②]',
      '[²]',
      '((2))',
      '[2]–[1]',
      '[2] or [1]',
      '[2] also [1]',
      '[2‑2]',
      '[2 through 2]',
    ],
    ...[
      '⁽²⁾',
      '²˒¹',
      '¹⁻²',
      '²·¹',
      '②①',
      '➋',
      '«2»',
      '⟨2⟩',
      '{{2}}',
      '**(2)**',
      '~~[2]~~',
      '^[2], [1]^',
      '&#91;2&#93;',
      '&sup2;',
    ],
    ...['<span class="cite">2</span>', '<b>[2]</b>', '<sup>[2][1]</sup>', '<sup><b>2</b></sup>', '<evidence id="2"/>'],
    ...['<source>2</source>', '<a href="#2">2</a>', '<citation id="2">', '![2](https://evil.example/a.png)'],
    ...[
      '\\footcite{2}',
      '\\textsuperscript{2}',
      '\\(^{2}\\)',
      '[see also 2]',
      '[per 2]',
      '[excerpt 2]',
      '[2a]',
      '[2.]',
      '[†2]',
    ],
    ...['[٢]', '[२]', '[📄2]', '[@source2]', '[2 | The lamp]', '[2]【1†source】', '#2', '†2', '_{[2]}'],
  ],
  ...['[Source no. 2]', '[Source n°2]', '[source=2]', '[source_id: 2]', '[ID 2]', '[chunk 2]', '[cit. 2]', '[web:2]'],
  ...[
    '[Source 2: The lamp]',
    '[2: The lamp]',
    '[2 - The lamp, its oil]',
    '(Source 2: The lamp)',
    '(Source: Evidence 2)',
  ],
  ...['**[2]**', '_[2]_', '[2, p. 4]', '[REF]2[/REF]', ':contentReference[oaicite:1]{index=1} [2]', '[cite_start][2]'],
];

const samples = [
  'Heron Point Lighthouse was first lit on 3 May 1887. [1] The lamp burned rapeseed oil until 1904.[2]',
  'It is 46 metres high. [1][2] Electric light replaced it in 1931. [2]',
  'Use this:\n\n```js\nconst list = [1, 2];\n```\n[1]\n\nThe tower "stands" on granite. [1, 2]',
  'Nothing of this is in the sources. [1] Neither is this. [9] The end',
  'An index `list[1]` and a link [1](https://evil.example) stay as they are. [2]',
  'Unfinished [1',
  'A stray ` and a made-up claim. [1] Then the lamp burned rapeseed oil until 1904. [2]\nThe end',
  '```\n```js\n```\nA made-up claim. [1]\n\n~~~\n```\na[1]\n~~~\nAnother. [2]',
  '- a list\n  ```\n  code[1]\n- A made-up claim. [1]',
  '  ```\ncode\n```\nA made-up claim. [1]',
  'A made-up claim. \\[1\\] Another. [ 1, 2 ] The lamp burned rapeseed oil until 1904. \\[2\\]',
  '- **retries** `number` - Default: `2` [1]\n- The lamp burned rapeseed oil until 1904. [2]\n',
  ...styles.map((style) => `The lamp burned rapeseed oil until 1904. ${style} And a made-up claim${style}.`),
  'According to [2], the lamp burned rapeseed oil until 1904. [1] states that nothing of this is so. In [1990] and (1) it was.',
  '- Per [2] and [1]: the lamp burned rapeseed oil until 1904.\n```\nAccording to [1], code\n```\nBased on the source [2], electric',
  'Steps: (1) open it; (2) close it. The lamp burned rapeseed oil until 1904 (2). 10^6 m² f(1) x[1] [0, 1]',
];

describe('the answer writer', () => {
  it('quotes each row of a table by itself, and the lines of a notice together', () => {
    const text =
      '| Service | Price |\n| --- | --- |\n| Small service | 45 € |\n| Full service | 95 € |\n\nOpening hours\nMon to Fri: 9:00 to 18:30\nSun: closed';
    const state = createResearchState();
    const writer = createAnswerWriter([piece(1, 'https://a.example/shop', text, 0)], state);
    const table = '| Service | Price |\n|---|---|\n| Small service | 45 € [1] |\n| Full service | 95 € [1] |\n\n';
    const events = [...writer.push(`${table}Mon to Fri: 9:00 to 18:30. Sun: closed. [1]`), ...writer.finish()];
    expect(events.some(({ type }) => type === 'citation.added')).toBe(true);
    const quotes = state.citations.map(({ quote }) => quote);
    expect(quotes.slice(1)).toEqual(['Full service | 95 €', 'Mon to Fri: 9:00 to 18:30\nSun: closed']);
    expect(quotes[0]).toMatch(/Small service \| 45 €$/);
  });

  it.each(samples)('returns the same text and citations however the stream is cut: %j', (sample) => {
    const whole = write([sample]);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 12 }), (sizes) => {
        const pieces = write(cut(sample, sizes));
        expect(pieces.text).toBe(whole.text);
        expect(pieces.citations).toEqual(whole.citations);
        expect(pieces.dropped).toBe(whole.dropped);
      }),
    );
  });

  it('sends only quotes that match their page at their offsets, whatever the model writes', () => {
    const words = fc.constantFrom(...samples.join(' ').split(' '), '[1]', '[2]', '[3]', '[', ']', '\n', '```\n', '`');
    fc.assert(
      fc.property(fc.array(words, { maxLength: 60 }), (parts) => {
        const { text, events, citations } = write(parts.map((part) => `${part} `));
        let sent = '';
        for (const event of events) {
          if (event.type === 'answer.delta') {
            expect(event.from).toBe(sent.length);
            sent += event.text;
          } else if (event.type === 'citation.added') {
            const { citation } = event;
            expect(citation.end).toBeLessThanOrEqual(sent.length);
            expect(texts.get(citation.url)!.slice(citation.source_start, citation.source_end)).toBe(citation.quote);
          }
        }
        expect(sent).toBe(text);
        expect(citations.every((citation) => text.slice(citation.start, citation.end).trim() !== '')).toBe(true);
      }),
    );
  });

  it('cites the sentence before a marker, with the quote as it is on the page', () => {
    const { text, citations } = write([samples[0]!]);
    expect(text).toBe(
      'Heron Point Lighthouse was first lit on 3 May 1887. [1] The lamp burned rapeseed oil until 1904.[2]',
    );
    expect(citations.map((citation) => text.slice(citation.start, citation.end))).toEqual([
      'Heron Point Lighthouse was first lit on 3 May 1887.',
      'The lamp burned rapeseed oil until 1904.',
    ]);
    expect(citations[0]).toMatchObject({
      support: 'normalised',
      quote: 'Heron Point Lighthouse was first lit on *3 May 1887*.',
    });
    expect(citations[1]).toMatchObject({ support: 'exact', n: 2 });
  });

  it('cites the claim, never the words that lead to it, wherever the marker is', () => {
    const claims = ['the lamp burned rapeseed oil until 1904', 'electric light replaced it in 1931'];
    const marks = ['[2]', '[[2]]', '【2†source】', '(2)', '[Source 2]', '［2］'];
    const named = ['According to', 'As stated in', 'Per', 'Based on', 'In the source', 'Laut', 'Selon'];
    const before = named.flatMap((lead) => marks.map((mark) => [`${lead} ${mark}, `, ''] as const));
    const said = marks.flatMap((mark) =>
      [`${mark} states that `, `Source ${mark} says: `].map((lead) => [lead, ''] as const),
    );
    const plain = ['According to the source, ', 'However, ', 'The passage says that ', '- ', '1. ', 'For example, '];
    const after = plain.flatMap((lead) => marks.map((mark) => [lead, ` ${mark}`] as const));
    fc.assert(
      fc.property(
        fc.constantFrom(...before, ...said, ...after),
        fc.constantFrom(...claims),
        fc.constantFrom('', 'It stands.\n', 'See Dr. A. Nu.\n\n'),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 12 }),
        ([lead, marker], claim, first, sizes) => {
          const { text, citations, dropped } = write(cut(`${first}${lead}${claim}.${marker}\nThe end`, sizes));
          expect(citations.map(({ start, end }) => text.slice(start, end).toLowerCase())).toEqual([`${claim}.`]);
          expect(dropped).toBe(0);
          expect(text).toMatch(/\. ?\[1\]\nThe end$/);
        },
      ),
      { numRuns: 400 },
    );
  });

  it.each([
    ['[2]: The lamp burned rapeseed oil until 1904.\n\n[2]: Electric light replaced it in 1931.', 2],
    ['[2]: The lamp burned rapeseed oil until 1904.\n[2]: Electric light replaced it in 1931.', 2],
    ['[2] The lamp burned rapeseed oil until 1904.\n[2] Electric light replaced it in 1931.', 2],
    ['[2] – The lamp burned rapeseed oil until 1904.\n[2] - Electric light replaced it in 1931.', 2],
    ['[2] The lamp burned rapeseed oil until 1904.', 1],
    ['- [2] The lamp burned rapeseed oil until 1904.\n- [2] Electric light replaced it in 1931.', 2],
    ['As [2] notes, the lamp burned rapeseed oil until 1904.', 1],
    ['Evidence [2] and evidence [1] agree that the lamp burned rapeseed oil until 1904.', 1],
  ])('moves markers from before their sentence to its end: %j', (sample, cited) => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 12 }), (sizes) => {
        const { text, citations } = write(cut(sample, sizes));
        expect(citations.length).toBe(cited);
        expect(text.split(/\n+/).map((line) => line.replace(/^- /, ''))).toEqual(
          ['The lamp burned rapeseed oil until 1904. [1]', 'Electric light replaced it in 1931. [1]'].slice(0, cited),
        );
      }),
    );
  });

  it.each(['[2] **The lamp** burned rapeseed oil until 1904.', '[2] - *The lamp* burned rapeseed oil until 1904.'])(
    'moves a marker to the end of a sentence that begins with emphasis, however it is cut: %j',
    (sample) => {
      for (let at = 1; at < sample.length; at += 1) {
        const { text, citations } = write([sample.slice(0, at), sample.slice(at)]);
        expect([citations.length, text.endsWith('until 1904. [1]')]).toEqual([1, true]);
      }
    },
  );

  it('leaves a label after a marker: it is no verb of which the marker is the subject', () => {
    const { text } = write([
      'The lamp burned rapeseed oil until 1904. [2] Note: electric light replaced it in 1931. [2]',
    ]);
    expect(text).toBe('The lamp burned rapeseed oil until 1904. [1] Note: electric light replaced it in 1931. [1]');
  });

  it.each([
    ['until 1904 [9][2].', 'until 1904 [1].'],
    ['until 1904 [9][1][2].', 'until 1904 [1].'],
    ['until 1904. [9, 2]', 'until 1904. [1]'],
    ['until 1904.[9] [2]', 'until 1904.[1]'],
    ['until 1904[9][2].', 'until 1904[1].'],
  ])('keeps what was before the first of several markers, also if that is dropped: %j', (end, shown) => {
    const { text } = write([`The lamp burned rapeseed oil ${end}`]);
    expect(text).toBe(`The lamp burned rapeseed oil ${shown}`);
  });

  it.each([
    ['[9] Electric light replaced it in 1931. [2]', 'Electric light replaced it in 1931. [1]'],
    ['**[9]** Electric light replaced it in 1931. [2]', 'Electric light replaced it in 1931. [1]'],
    ['So it is:\n  [9] and more.', 'So it is:\nand more.'],
    [
      'The lamp burned rapeseed oil until 1904.\n[2] So it is.',
      'The lamp burned rapeseed oil until 1904.\n[1] So it is.',
    ],
  ])('leaves no space where a marker at the start of a line was dropped: %j', (sample, shown) => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 12 }), (sizes) => {
        expect(write(cut(sample, sizes)).text).toBe(shown);
      }),
    );
  });

  it.each(['[2][2]', '[2, 2]', '[2] and [2]'])('cites once what %j names twice', (markers) => {
    const { text, citations, dropped } = write([
      `The lamp burned rapeseed oil until 1904. ${markers} Electric light replaced it in 1931. [2]`,
    ]);
    expect(text).toBe('The lamp burned rapeseed oil until 1904. [1] Electric light replaced it in 1931. [1]');
    expect([citations.length, dropped]).toEqual([2, 0]);
  });

  it('begins the span of a claim after a comma of another script', () => {
    const zh = '苍鹭角灯塔于1887年首次点亮。灯塔高46米。';
    const state = createResearchState();
    const writer = createAnswerWriter([piece(1, 'https://a.example/zh', zh, 0)], state);
    const pieces = ['苍鹭角灯塔于1887年首次点亮[1]，灯塔高46米[1]。'];
    for (const each of pieces) writer.push(each);
    writer.finish();
    const spans = state.citations.map(({ start, end }) => writer.text().slice(start, end));
    expect(spans).toEqual(['苍鹭角灯塔于1887年首次点亮', '灯塔高46米']);
  });

  it('numbers citation markers by source, not by evidence', () => {
    const { text, citations } = write(['Electric light replaced it in 1931. [2]']);
    expect(text).toBe('Electric light replaced it in 1931. [1]');
    expect(citations[0]).toMatchObject({ n: 1, url: 'https://b.example/two' });
  });

  it('drops and counts a marker if its evidence does not support the sentence', () => {
    const { text, citations, dropped } = write([samples[3]!]);
    expect(text).toBe('Nothing of this is in the sources. Neither is this. The end');
    expect(citations).toEqual([]);
    expect(dropped).toBe(2);
  });

  it.each([
    ['in a formula with fractions', 'It is $\\frac{1}{2}$ and $\\sqrt{2}$ of \\textbf{2}.'],
    ['of a score', 'They lost (1-2).'],
    ['of a link to a source', 'See [article 2](https://b.example/two) or [source](https://b.example/two).'],
    ['of an item after one with a marker', '- It is so.\n- (2) comes first.'],
  ])('leaves a number %s', (_, sample) => {
    const { text, dropped } = write([sample]);
    expect(text).toBe(sample);
    expect(dropped).toBe(0);
  });

  it('keeps the dash of an item after a line that ends with a marker', () => {
    const { text } = write(['- The lamp burned rapeseed oil until 1904 [2]\n- [2] Electric light replaced it in 1931']);
    expect(text).toMatch(/^- The lamp burned rapeseed oil until 1904 \[1\]\n- /);
  });

  it('cites the sentence after a block of code alone', () => {
    const { citations, text } = write(['```js\na[1]\n```\nThe lamp burned rapeseed oil until 1904. [2]']);
    expect(citations.map(({ start, end }) => text.slice(start, end))).toEqual([
      'The lamp burned rapeseed oil until 1904.',
    ]);
  });

  it('keeps a link to a source whose text ends with a marker', () => {
    const { text } = write(['[The lamp burned rapeseed oil until 1904 [2]](https://b.example/two).']);
    expect(text).toBe('[The lamp burned rapeseed oil until 1904 [1]](https://b.example/two).');
  });

  it.each([
    ['a stray backtick', samples[6]!, ['Then the lamp burned rapeseed oil until 1904.']],
    ['a fence that another one cannot close', samples[7]!, []],
    ['a fence that ended with its list', samples[8]!, []],
    ['an indented fence that was closed', samples[9]!, []],
    ['backslashes', samples[10]!, ['The lamp burned rapeseed oil until 1904.']],
  ])('checks every marker after %s', (_, sample, cited) => {
    const { text, citations } = write([sample]);
    expect(text).not.toContain('claim. [1]');
    expect(text).not.toContain('Another. [');
    expect(text).not.toContain('\\[');
    expect(citations.map(({ start, end }) => text.slice(start, end))).toEqual(cited);
  });

  it.each(styles)('shows %j as [n] if it was checked, and otherwise not at all', (style) => {
    const { text, citations, dropped } = write([
      `The lamp burned rapeseed oil until 1904. ${style}\nA made-up claim ${style}.`,
    ]);
    expect(text.replace(/ (?=\[)/, '')).toBe('The lamp burned rapeseed oil until 1904.[1]\nA made-up claim.');
    expect(citations).toMatchObject([{ n: 1, quote: 'The lamp burned rapeseed oil until 1904.' }]);
    expect(dropped).toBeGreaterThanOrEqual(1);
  });

  it.each([
    'Call f(1), or x[1] with list_of[2], at [0] of [0, 1].',
    'About 10^6 m² and 5 km^2 in 1931 (1931), E=mc², x^2 and 10<sup>6</sup> H<sub>2</sub>O.',
    'Ca²⁺ and SO₄²⁻ at 1650 cm⁻¹, 10¹¹ stars, 10⁻¹² kg, 10²³ of ²³⁸U (¹⁴C), ²H₂O, 1s²2s²2p⁶ and 2³²−1.',
    'sin²θ + cos² x, ∇²φ = ∂²u/∂x², x₁² + y₂², ½mv², ax² + b, E=mc&sup2; in 5 m&sup2;, f⁽²⁾(x), U²³⁵, aⁿ⁺¹.',
    'Ca^{2+}, Ca^2+, $Ca^{2+}$, Cl$^{1-}$, Fe<sup>3+</sup>, <sup>14</sup>C, 10^{11} and sin^2 x.',
    'Two ways: (1) open it; (2) close it. Then (3) leave.',
    '(1) First step\n(2) Second step\n(3) Third step',
    'ax² + bxy, ax² + by², ax² + sin x, x² + y², x² / (2 a), mc² = E, 1/2 mv², 4πr² + 2πrh, mω², a^2-b^2, 3d¹ and Ca^{2+}.',
    'See equation (1). In table (2), two (2) weeks count (5).',
    'A [note], [sic], [x], [TODO], [a-z] and [ ] (see below) (i) (a) (1.5) (-1) (2 kg).',
    'It costs $2, $^a$ or $x^2$; （一） and （2 kg） of ③ things: ① one, ② two.',
    'He wrote [2 kg], [Source code], (2: the second), [web], <b>2</b> and <cite>Ulysses</cite>.',
    'See issue #2, PR #1 and C#2. It peaked at #2. Mambo #1 came #2.\n#1 First\n#2 Second',
    'Otto (†2. Mai 1931) and Ida (†2 May 1931), †1931.\n\n| Height | 46 m †2 |\n|---|---|\n| Age | 9 #2 |\n\n†2 Estimated.',
    'The mean of x_{[1]} and $max_{[2]}$ is a_[1].',
    '1. One\n2. Two\n\n- [ ] task\n- [x] done\n\n| a | b |\n|---|---|\n| 1 | 2 |',
    'In `a[1]` and ``b(1)`` and\n\n```\nc[1] (1) ^1 ¹\n```\n\nit **is** *so* __and__ _so_.',
  ])('leaves what only looks like a marker: %j', (text) => {
    const written = write([text]);
    expect(written.text).toBe(text.replace(' at [0] of', ' at of'));
    expect(written.citations).toEqual([]);
    expect(write([...text]).text).toBe(written.text);
  });

  it.each([
    ['Open from 9am¹ to 5pm² on June 4th¹, the 2nd¹ of 9pts².', 'Open from 9am to 5pm on June 4th, the 2nd of 9pts.'],
    ['A pdf¹, css¹ and btw¹ on tv², 5 gb¹, trg¹ and vrt².', 'A pdf, css and btw on tv, 5 gb, trg and vrt.'],
    ['Το φως² και η γη¹ είναι εδώ.', 'Το φως και η γη είναι εδώ.'],
    ['The mill^[2]-old, the mill ^[2] + the dam.', 'The mill-old, the mill + the dam.'],
    [
      'The harbour¹ / the mill² and the dam¹ / the lock² · the sea¹ + all.',
      'The harbour / the mill and the dam / the lock · the sea + all.',
    ],
    [
      'The mill<sup>2</sup> + the dam, Paris¹ − London, harbour¹ / 7 mills.',
      'The mill + the dam, Paris − London, harbour / 7 mills.',
    ],
  ])('takes a raised number for a marker, by a word or before one: %j', (text, wanted) => {
    const written = write([text]);
    expect(written.text.replace(/ ?\[\d\]/g, '')).toBe(wanted);
    expect(written.citations.length + written.dropped).toBeGreaterThan(0);
    expect(write([...text]).text).toBe(written.text);
  });

  it.each([
    'The lamp burned rapeseed oil until 1904².',
    'The lamp burned rapeseed oil until 1904.²',
    'The lamp burned rapeseed oil until 1904.² It is old.',
    'The lamp burned rapeseed oil until 1904.²The tower is old.',
    'The lamp burned rapeseed oil until 1904.<sup>2</sup>The tower is old.',
    'The lamp burned rapeseed oil until 1904² – and no longer.',
  ])('takes a raised number at the end of a claim for a marker: %j', (sample) => {
    const wanted = sample.replace(/²|<sup>2<\/sup>/, '[1]');
    expect(write([sample]).text).toBe(wanted);
    expect(write([...sample]).text).toBe(wanted);
  });

  it('cites a power that the page says in other characters', () => {
    const text = 'The Milky Way has about 10^11 stars.';
    const state = createResearchState();
    const writer = createAnswerWriter([piece(1, 'https://a.example/stars', text, 0)], state);
    writer.push('The Milky Way has about 10¹¹ stars. [1] It has about 10¹² stars. [1]');
    writer.finish();
    expect(writer.text()).toBe('The Milky Way has about 10¹¹ stars. [1] It has about 10¹² stars.');
  });

  it.each([
    [
      'The lamp burned rapeseed oil until 1904 †2 and glowed.',
      'The lamp burned rapeseed oil until 1904 [1] and glowed.',
    ],
    ['The lamp burned rapeseed oil until 1904†2.', 'The lamp burned rapeseed oil until 1904[1].'],
    [
      'The lamp burned rapeseed oil until 1904. #2 It is old.',
      'The lamp burned rapeseed oil until 1904. [1] It is old.',
    ],
  ])('takes a sign with a number for a marker where it can be nothing else: %j', (sample, wanted) => {
    expect(write([sample]).text).toBe(wanted);
  });

  it.each([
    'See [2].',
    'For details, see also [2] and [1].',
    'The list is [2].',
    'More on the lamp can be found in [2].',
  ])('cites nothing that only points to its source: %j', (sample) => {
    const { citations, text } = write([sample]);
    expect(citations).toEqual([]);
    expect(text).not.toContain('[');
  });

  it('sends a sentence as it comes, and waits only within a marker', () => {
    const writer = createAnswerWriter(evidence, createResearchState());
    const shown = ['The lamp ', 'burned (by', ' then) rapeseed', ' oil * until', ' 1904. ', '[2', ']', ' End'].map(
      (piece) => {
        writer.push(piece);
        return writer.text();
      },
    );
    expect(shown).toEqual([
      'The lamp',
      'The lamp burned (by',
      'The lamp burned (by then) rapeseed',
      'The lamp burned (by then) rapeseed oil * until',
      'The lamp burned (by then) rapeseed oil * until 1904.',
      'The lamp burned (by then) rapeseed oil * until 1904.',
      'The lamp burned (by then) rapeseed oil * until 1904.',
      expect.stringMatching(/End$/),
    ]);
  });

  it('drops a marker if a number in the sentence is not in the evidence', () => {
    const { citations, dropped } = write(['Electric light replaced it then in 1932. [2]']);
    expect(citations).toEqual([]);
    expect(dropped).toBe(1);
  });

  it('cites both sentences before a marker if the page has a link at their end', () => {
    const text =
      'The light is automatic. Its history is told in [a longer page](https://a.example/history/of/the/light.html).';
    const linked = [piece(1, 'https://a.example/three', text, 0)];
    const state = createResearchState();
    const writer = createAnswerWriter(linked, state);
    const said = 'The light is automatic. Its history is told in a longer page.';
    writer.push(`${said} [1]`);
    writer.finish();
    expect(state.citations.map(({ start, end, quote }) => ({ start, end, quote }))).toEqual([
      { start: 0, end: said.length, quote: text },
    ]);
  });

  it('finds a sentence whose page has an address in angle brackets', () => {
    const text = 'Use **parcelq** from\n<https://registry.example> by default.\nIt is free.';
    const state = createResearchState();
    const writer = createAnswerWriter([piece(1, 'https://a.example/four', text, 0)], state);
    writer.push('Use parcelq from https://registry.example by default. [1]');
    writer.finish();
    expect(state.citations.map(({ quote }) => quote)).toEqual([
      'Use **parcelq** from\n<https://registry.example> by default.',
    ]);
  });

  it('leaves brackets in code and in links unchanged', () => {
    const { text } = write(['The index `list[1]` and [it](https://a.example/one) stay.\n\n```\na[1]\n```\n']);
    expect(text).toBe('The index `list[1]` and [it](https://a.example/one) stay.\n\n```\na[1]\n```\n');
  });

  it('cites a code block as a whole', () => {
    const { text, citations } = write([samples[2]!]);
    expect(text.slice(citations[0]!.start, citations[0]!.end)).toContain('const list = [1, 2];');
    expect(citations[0]!.quote).toContain('const list = [1, 2];');
  });

  describe('with a judge', () => {
    const doubtful = 'Heron Point Lighthouse has a granite cellar. [1]';
    const sure = 'Electric light replaced it in 1931. [2]';

    it('cites a block of code of several lines, verbatim', () => {
      const code = "```js\nconst logger = pino({\n  redact: ['key']\n})\n\nlogger.info({ key: 'hidden' })\n```";
      const state = createResearchState();
      const writer = createAnswerWriter(
        [piece(1, 'https://a.example/redact', `Use it so:\n\n${code}\n\nDone.`, 0)],
        state,
      );
      Array.from(writer.push(`${code}\n[1]`));
      Array.from(writer.finish());
      expect(state.citations.map(({ quote, verdict }) => [quote, verdict])).toEqual([[code, 'supported']]);
    });

    it('cites a list as one claim where its page has it in these words, and else its last item', () => {
      const steps = 'To reset it:\n\n1. Close the valve.\n2. Press *reset*.\n\nThen wait.';
      const state = createResearchState();
      const writer = createAnswerWriter([piece(1, 'https://a.example/reset', steps, 0)], state);
      const text = [
        'To reset it:\n\n1. Close the valve.\n2. Press reset. [1]',
        '\n\n| Step |\n| --- |\n| Close the valve. [1] |',
        '\n\n- Break the valve.\n- Press reset. [1]',
      ];
      for (const part of text) Array.from(writer.push(part));
      Array.from(writer.finish());
      expect(state.citations.map(({ quote }) => quote)).toEqual([
        'To reset it:\n\n1. Close the valve.\n2. Press *reset*.',
        'Close the valve.',
        'Press *reset*.',
      ]);
    });

    it('waits at a claim in doubt until the text is finished and the judge has spoken', () => {
      const state = createResearchState();
      const writer = createAnswerWriter(evidence, state, scriptedJudge());
      const text = (events: readonly SearchEvent[]) =>
        events.flatMap((event) => (event.type === 'answer.delta' ? [event.text] : [])).join('');
      expect(text(writer.push(`${sure} ${doubtful} `))).toBe(
        'Electric light replaced it in 1931. [1] Heron Point Lighthouse has a granite cellar.',
      );
      expect(text([...writer.push(sure), ...writer.finish()])).toBe('');
      const [claim] = inDoubt(writer);
      expect(claim!.text).toBe('Heron Point Lighthouse has a granite cellar.');
      expect(state.citations.length).toBe(1);
      const verdicts = new Map([[claimKey(claim!.piece, claim!.text), 'supported' as const]]);
      expect(text([...writer.settle(verdicts)])).toBe(' [2] Electric light replaced it in 1931. [1]');
      expect(state.citations.map(({ verdict }) => verdict)).toEqual(['supported', 'supported', 'supported']);
      expect(state.usage.dropped_citations).toBe(0);
    });

    it('keeps the marker of a claim whose words seem to deny its source, if the judge finds it supported', () => {
      const state = createResearchState();
      const passengers = piece(1, 'https://a.example/fire', 'All passengers escaped unharmed.', 0);
      const writer = createAnswerWriter([passengers], state, scriptedJudge());
      writer.push('No passenger was hurt. [1]');
      writer.finish();
      const [claim] = inDoubt(writer);
      settle(writer, new Map([[claimKey(claim!.piece, claim!.text), 'supported' as const]]));
      expect(writer.text()).toBe('No passenger was hurt. [1]');
      expect(state.citations.map(({ quote }) => quote)).toEqual(['All passengers escaped unharmed.']);
    });

    it('drops the marker of a claim that the judge finds contradicted, and counts it', () => {
      const state = createResearchState();
      const writer = createAnswerWriter(evidence, state, scriptedJudge());
      writer.push(doubtful);
      writer.finish();
      const [claim] = inDoubt(writer);
      settle(writer, new Map([[claimKey(claim!.piece, claim!.text), 'contradicted' as const]]));
      expect(writer.text()).toBe('Heron Point Lighthouse has a granite cellar.');
      expect(state.usage).toMatchObject({ dropped_citations: 1, contradicted_citations: 1 });
    });

    it('cites each row of a list after a claim in doubt by its own words', () => {
      // Ten markers are as long as a row, so that a row stands where another stood before it had them.
      const names = 'Abelor Bandor Cardor Dastor Eaglor Fandor Gastor Handor Istbor Jandor Kastor Landor Mandor'.split(
        ' ',
      );
      const rows = names.map((name, at) => `- ${name} bridge opened in 1${100 + 11 * at} for all.`);
      const state = createResearchState();
      const judge = scriptedJudge();
      const bridges = piece(1, 'https://a.example/bridges', `${page}\n\n${rows.join('\n')}`, 0);
      const writer = createAnswerWriter([bridges], state, judge);
      writer.push([doubtful, '', ...rows.map((row) => `${row} [1]`), ''].join('\n'));
      writer.finish();
      const verdicts = inDoubt(writer).map(
        (claim) => [claimKey(claim.piece, claim.text), 'supported' as const] as const,
      );
      settle(writer, new Map(verdicts));
      const cited = state.citations.slice(1).map(({ start, end, quote }) => [writer.text().slice(start, end), quote]);
      expect(cited).toEqual(rows.map((row) => [row.slice(2), row.slice(2)]));
    });

    describe('while a slow model still writes', () => {
      afterEach(() => {
        vi.useRealTimers();
      });

      const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];
      const otherDoubt = 'Heron Point Lighthouse has a marble staircase. [1]';

      it('asks the judge after a second about all claims in doubt so far, and goes on as it says', () => {
        vi.useFakeTimers({ toFake: ['performance'] });
        const state = createResearchState();
        const judge = scriptedJudge();
        const writer = createAnswerWriter(evidence, state, judge);
        writer.push(`${doubtful} ${otherDoubt} `);
        expect(judge.asked).toEqual([]);
        vi.advanceTimersByTime(1_000);
        writer.push(`${sure} Now`);
        writer.push(' it');
        expect(judge.asked).toEqual([[doubtful, otherDoubt].map((text) => text.replace(' [1]', ''))]);
        expect(writer.text()).toBe(doubtful.replace(' [1]', ''));
        judge.answer('supported');
        writer.push(' is');
        expect(writer.text()).toBe(`${doubtful} ${otherDoubt} ${sure} Now it is`);
        expect(state.citations.length).toBe(3);
      });

      it('asks again about what follows, at most five times, and then goes on without the judge', () => {
        vi.useFakeTimers({ toFake: ['performance'] });
        const judge = scriptedJudge();
        const writer = createAnswerWriter(evidence, createResearchState(), judge);
        for (let round = 0; round < 6; round += 1) {
          writer.push(`${doubtful.replace('granite', ordinals[round]!)} So`);
          vi.advanceTimersByTime(1_000);
          writer.push(' it');
          if (judge.isAsked()) judge.answer('contradicted');
          writer.push(' goes. ');
        }
        expect(judge.asked.length).toBe(5);
        expect(writer.text()).not.toContain('[1]');
        vi.advanceTimersByTime(3_000);
        writer.push('The end.');
        expect(writer.text()).toContain('The end.');
      });

      it('gives the judge up when text has waited for four seconds', () => {
        vi.useFakeTimers({ toFake: ['performance'] });
        const judge = scriptedJudge();
        const writer = createAnswerWriter(evidence, createResearchState(), judge);
        writer.push(`${doubtful} More`);
        vi.advanceTimersByTime(1_000);
        writer.push(' and more');
        expect(judge.isAsked()).toBe(true);
        vi.advanceTimersByTime(3_000);
        writer.push(' text.');
        expect(judge.isAsked()).toBe(false);
        expect(writer.text()).toContain('More and more text.');
      });
    });

    it('sends what waited when the stream breaks off', () => {
      const writer = createAnswerWriter(evidence, createResearchState(), scriptedJudge());
      writer.push(`${doubtful} And more`);
      writer.breakOff();
      expect(writer.text()).toContain('And more');
    });

    it('checks the links of what follows a stream that broke off in a code block', () => {
      const page = 'The tower is old. See https://tracker.example/pixel.png for it.';
      const writer = createAnswerWriter([{ ...evidence[0]!, text: page, end: page.length }], createResearchState());
      writer.push('So:\n```js\nconst a = 1;\n');
      writer.breakOff();
      writer.push('![A plan](https://tracker.example/pixel.png) and <img src="https://tracker.example/pixel.png">.');
      writer.finish();
      expect(writer.text()).toMatch(/```\n\nA plan and \.$/);
    });

    it.each(samples)('returns what it would return without one if the judge has no opinion: %j', (sample) => {
      const state = createResearchState();
      const writer = createAnswerWriter(evidence, state, scriptedJudge());
      writer.push(sample);
      writer.finish();
      if (inDoubt(writer).length > 0) settle(writer, new Map());
      const plain = write([sample]);
      expect([writer.text(), state.citations, state.usage.dropped_citations]).toEqual([
        plain.text,
        plain.citations,
        plain.dropped,
      ]);
    });
  });

  it.each([
    ...[
      '[2]',
      '[[2]]',
      '[[2]',
      '[2](https://b.exa',
      '【2】',
      '(2)',
      '[2][1',
      '[2]\n\n[1',
      '\\[2\\]',
      '**[2]**',
      '[2] `co',
    ],
    ...['[2]\n\n1. ', '[2] See [the page](https://b.exa', '[2] See <https://evil.exa', '[2].'],
  ])('cites the marker that a stream ends with when it breaks off: %j', (end) => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 9 }), (sizes) => {
        const state = createResearchState();
        const writer = createAnswerWriter(evidence, state);
        const events = cut(`The lamp burned rapeseed oil until 1904. ${end}`, sizes).flatMap((text) =>
          writer.push(text),
        );
        events.push(...writer.breakOff());
        const deltas = events.map((event) => (event.type === 'answer.delta' ? event.text : ''));
        expect(deltas.join('')).toBe(writer.text());
        expect(state.citations.map(({ quote }) => quote)).toEqual([evidence[1]!.text.slice(0, 40)]);
        expect(writer.text()).toMatch(/^The lamp burned rapeseed oil until 1904\. \[1\]/);
        expect(writer.text()).not.toMatch(/\[2|\(|evil|\][^\s.]/);
      }),
      { numRuns: 60 },
    );
  });

  it.each(['[', '[2', '【2', '(', '\\[2'])('sends no part of a marker when the stream breaks off: %j', (end) => {
    const state = createResearchState();
    const writer = createAnswerWriter(evidence, state);
    writer.push(`The lamp burned rapeseed oil until 1904. ${end}`);
    writer.breakOff();
    expect(writer.text()).toBe('The lamp burned rapeseed oil until 1904.');
    expect(state.citations).toEqual([]);
  });

  it.each([
    ['Ratings are whole numbers in the range [1, 2].', String.raw`Ratings are whole numbers in the range \[1, 2\].`],
    [
      String.raw`Ratings are whole numbers in the range \[1, 2\].`,
      String.raw`Ratings are whole numbers in the range \[1, 2\].`,
    ],
    ['The list is written as [1, 2, 3] in Python.', String.raw`The list is written as \[1, 2, 3\] in Python.`],
    ['Use list[2] to get the third value.', String.raw`Use list\[2\] to get the third value.`],
    ['The first argument is a path and the second a mode (2).', undefined],
    ['The function returns values in $[1, 2]$ for valid input.', undefined],
    [String.raw`It has the value $x \in [1]$ for others.`, undefined],
  ])('keeps the numbers in brackets that a page says: %j', (said, shown = said) => {
    const text = [
      ...['Ratings are whole numbers in the range [1, 2].', 'The list is written as [1, 2, 3] in Python.'],
      ...['Use list[2] to get the third value.', 'The first argument is a path and the second a mode (2).'],
      'The function returns values in $[1, 2]$ for valid input.',
      String.raw`It has the value $x \in [1]$ for others.`,
    ].join(' ');
    const pages = [evidence[0]!, piece(2, 'https://b.example/two', text, 0)];
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 9 }), (sizes) => {
        const state = createResearchState();
        const writer = createAnswerWriter(pages, state);
        const events = cut(`${said} [2]\n\nMore.`, sizes).flatMap((part) => writer.push(part));
        events.push(...writer.finish());
        expect(events.map((event) => (event.type === 'answer.delta' ? event.text : '')).join('')).toBe(writer.text());
        expect(writer.text()).toBe(`${shown} [1]\n\nMore.`);
        expect(state.citations).toHaveLength(1);
        expect(state.usage.dropped_citations).toBe(0);
      }),
      { numRuns: 40 },
    );
  });

  it.each([
    'It costs $5. [2]',
    'It costs $5 [2]',
    'It costs = $5 + 1 $ [2]',
    'The lamp[2]',
    'Ratings [1, 2]',
    'A price in $ [2]',
    'See $[2]',
  ])('leaves no marker unchecked that no page says: %j', (said) => {
    const text = 'Ratings are whole numbers in the range [1, 2]. The lamp[2] is old, and costs $5. [2]';
    const state = createResearchState();
    const writer = createAnswerWriter([evidence[0]!, piece(2, 'https://b.example/two', text, 0)], state);
    for (const part of said) writer.push(part);
    writer.finish();
    expect(writer.text().match(/\[\d\]/g) ?? []).toHaveLength(new Set(state.citations.map(({ n }) => n)).size);
    expect(writer.text()).not.toMatch(/\[[2-9]|\\|\[1,/);
  });

  it('reads a marker after a long line of joined words as quickly as any other', () => {
    const words = Array.from({ length: 12_000 }, (_, at) => (at % 26).toString(36)).join('_');
    expect(write([`${words} as asked [1]`]).text).toBe(`${words} as asked`);
  });

  it('cites a paraphrase by its words, with support "fuzzy"', () => {
    const { citations } = write(['In 1931 it was replaced by electric light. [2]']);
    expect(citations[0]).toMatchObject({ support: 'fuzzy', quote: 'Electric light replaced it in 1931.' });
  });
});
