/** Lists of sources under an answer, and what is none, however the stream is cut. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Evidence } from '../../../src/engine/ports/snapshot.ts';
import { createSourceListFilter } from '../../../src/engine/writing/source-list.ts';

const evidence = ['Marlow Strait Bridge', 'Ada Lindqvist'].map(
  (title, i): Evidence => ({
    n: i + 1,
    snapshot: `s${i}`,
    url: `https://a.example/${i}`,
    title,
    headings: '',
    text: '',
    start: 0,
    end: 0,
    score: 1,
  }),
);

function pass(text: string, sizes: readonly number[]): [string, number] {
  const filter = createSourceListFilter(evidence);
  let out = '';
  for (let at = 0, i = 0; at < text.length; i += 1) {
    out += filter.push(text.slice(at, at + sizes[i % sizes.length]!));
    at += sizes[i % sizes.length]!;
  }
  out += filter.finish();
  return [out, filter.takeDropped()];
}

const lists: readonly (readonly [string, number])[] = [
  ['## Sources\n\n[1] Marlow Strait Bridge\n[2] Ada Lindqvist', 2],
  ['**Sources:**\n1. Some page\n2. https://evil.example/\n', 2],
  ['References:\n- Marlow Strait Bridge\n- [2] Ada Lindqvist\n', 2],
  ['Sources: [1], [2]', 1],
  ['## Sources\n\n1. Marlow Strait Bridge [1]\n2. [2] Ada Lindqvist\n3. A page [1]: https://evil.example/', 3],
  ['Source: [1][2].', 1],
  ['[^1]: Marlow Strait Bridge, http://evil.example/\n[^2]: Ada', 2],
  ['[1]: http://evil.example/', 1],
  ['[1] Marlow Strait Bridge\n[2] Ada Lindqvist', 2],
  ['Quellen:\n\n【1】 Marlow\n【2】 Ada', 2],
  ['## Sources', 0],
  ['[1] Marlow Strait Bridge - https://a.example/0\n[2] Ada Lindqvist (https://a.example/1)', 2],
  ['[1] Marlow Strait Bridge – a.example\n[2] Ada Lindqvist – Bridges of Zenthia', 2],
  ['[1] Marlow Strait Bridge – Bridges of Zenthia', 1],
  ['**Sources**\n1. Harbour Board annual report (2024) [1]\n2. Ferry timetable [2]', 2],
  [
    '## References\n1. Smith, J. (2020). The crossing. [1]\n2) Li, W. (May 2019a), "Ships." [2]\n3. Ferries, p. 4 [1]',
    3,
  ],
  ['Quellen:\n1. Marlow Strait Bridge, Wikipedia [1]\n2. [2] Fahrplan der Fähre', 2],
  ['## Fuentes\n\n- 1. Informe anual [1]\n- Harbour Board [2] – Annual report', 2],
  ['参考文献\n1. 桥梁年鉴 [1]', 1],
];
/** Answers of nothing but such a list: an empty answer would say less. */
const alone = [
  '**Sources:**\n\n1. Rapeseed oil\n2. Electricity',
  'Sources: [1], [2]',
  '## Sources\n\n[1] Marlow Strait Bridge',
];
const untouched = [
  'It has two sources. [1]\n\nSources differ: one says 1931.',
  '## Notes\n\n- A fact. [1]\n- Another. [2]\n\nSome more.',
  'Sources\n\nThe river rises in two places.',
  '1. One\n2. Two\n\n- three\n\n[1] says that it is so.\n[link] and [x]: y',
  '```\nSources:\n[1] a\n[1]: b\n```\n\nText',
  '[1] Marlow Strait Bridge was opened on 14 May 1931.\n[2] Ada Lindqvist designed it.',
  'Both are known:\n\n[1] Marlow Strait Bridge: 482 metres\n[2] Ada Lindqvist – born in 1888, died in 1959.\n[2] Ada Lindqvist, its engineer.',
  '[2] Ada Lindqvist',
  '~~~md\n```\n\n## Sources\n\n[1] My list\n~~~\n\nSome more.',
  '**Sources:**\n\n1. The first lamp burned rapeseed oil. [1]\n2. Electric light replaced it in 1931 [2].',
  'It has two. [1]\n\n## Sources\n\n1. Oil: the first lamp burned it. [1]\n2) Light [1, 2]: it came in 1931.\n\n## History\n\nIt is old.',
  '## Sources\n\n- Rapeseed oil [1]: burned by the first lamp\n- Electricity 【2†source】, since 1931',
  'Quellen:\n1. Die erste Lampe verbrannte Öl. [1]\n2. 1931 folgte elektrisches Licht. [1]',
  'It has two. [1]\n\n## Sources\n\n- Rapeseed oil [1]\n- Harbour Board (2024) [2].',
  'It has two. [1]\n\n## Sources\n\n- In 1931 (a dry year) it was lit [1] with oil.\n- Later not.',
  'Es hat zwei. [1]\n\nQuellen:\n\n1. Die erste Lampe (von 7) verbrannte 2020 Kilo Öl [1].',
  '两个。[1]\n\n来源\n\n1. 灯塔于1931年开放。[1]',
  '## Sources of light\n\n1. Rapeseed oil\n2. Electricity',
  'References to it are rare.\nSource code is text.\n\n[2] is cited.',
];
const pieceSizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 12 });

describe('a list of sources under an answer', () => {
  it.each(lists)('is left out and counted: %j', (list, entries) => {
    fc.assert(
      fc.property(pieceSizes, (sizes) => {
        expect(pass(`The answer. [1]\n\n${list}`, sizes)).toEqual(['The answer. [1]', entries]);
        if (entries > 0) expect(pass(`One. [1]\n\n${list.trim()}\n\nTwo.`, sizes)[0]).toBe('One. [1]\n\nTwo.');
      }),
      { numRuns: 40 },
    );
  });

  it.each(untouched)('is not seen in %j', (text) => {
    fc.assert(
      fc.property(pieceSizes, (sizes) => {
        expect(pass(text, sizes)).toEqual([text, 0]);
      }),
      { numRuns: 40 },
    );
  });

  it.each(alone)('is not left out of %j, where nothing else would remain', (text) => {
    fc.assert(
      fc.property(pieceSizes, (sizes) => {
        expect(pass(text, sizes)).toEqual([text, 0]);
      }),
      { numRuns: 40 },
    );
  });

  it.each(['a', 'word ', 'a [1', 'a 【1', '[1,', 'a 【1†b】 ', '(2020'])(
    'is looked for in one pass over an item of 200,000 characters of %j',
    (unit) => {
      const item = unit.repeat(200_000 / unit.length);
      expect(pass(`One. [1]\n\nSources:\n1. ${item}\n- ${item}\n`, [300_000])).toEqual(['One. [1]', 2]);
    },
  );

  it.each(['[1] ', 'Sources', '- ', '\n', ' '])('is looked for in one pass over a megabyte of %j', (unit) => {
    expect(pass(unit.repeat(1_000_000 / unit.length), [4_000])[0].length).toBeLessThanOrEqual(1_000_000);
  });
});
