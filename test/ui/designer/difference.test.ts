/** What differs between two designs, and the words that changed. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyDesign } from '../../../src/ui/designer/design-form.ts';
import { changedParts } from '../../../src/ui/designer/difference/changed-parts.ts';
import { diffWords } from '../../../src/ui/designer/difference/word-diff.ts';

const words = fc.array(fc.constantFrom('the ', 'tower', ', ', '{{year}}', '\n', ' ', '灯塔', 'é', '“', ' of'), {
  maxLength: 40,
});
const texts = words.map((all) => all.join(''));

function marked(before: string, after: string): string {
  const signs = { same: ['', ''], removed: ['[-', ']'], added: ['[+', ']'] };
  return diffWords(before, after)
    .map(({ text, kind }) => signs[kind].join(text))
    .join('');
}

describe('the words that differ', () => {
  it('hold both texts whole, and mark nothing in equal texts', () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const without = (kind: string) =>
          diffWords(before, after)
            .filter((piece) => piece.kind !== kind)
            .map(({ text }) => text)
            .join('');
        expect(without('added')).toBe(before);
        expect(without('removed')).toBe(after);
        expect(diffWords(before, before).every(({ kind }) => kind === 'same')).toBe(true);
      }),
    );
  });

  it.each([
    ['a word', 'Who designed the tower?', 'Who built the tower?', 'Who [-designed][+built] the tower?'],
    [
      'a phrase as one',
      'It was first lit in May.',
      'It has been opened in May.',
      'It [-was first lit][+has been opened] in May.',
    ],
    [
      'a placeholder as one word',
      'About {{firm}} now',
      'About {{ company }} now',
      'About [-{{firm}}][+{{ company }}] now',
    ],
    ['words without spaces between them', '谁设计了灯塔', '谁建造了灯塔', '谁[-设计][+建造]了灯塔'],
    ['spaces alone', 'one two', 'one  two', 'one[- ][+  ]two'],
    ['an added end', 'one', 'one two', 'one[+ two]'],
    [
      'texts with little in common as wholes',
      'What is it?',
      'Name all lakes there are',
      '[-What is it?][+Name all lakes there are]',
    ],
  ])('mark %s', (_, before, after, expected) => {
    expect(marked(before, after)).toBe(expected);
  });

  it('are found in long texts', () => {
    const long = Array.from({ length: 20_000 }, (_, n) => `word${n}`).join(' ');
    expect(marked(long, `${long} end`)).toBe(`${long}[+ end]`);
    expect(diffWords(long, long.replaceAll('word', 'text'))).toHaveLength(2);
  });
});

describe('the parts that differ', () => {
  const design = {
    ...emptyDesign,
    name: 'Towers',
    prompt: 'Who built {{tower}}?',
    inputs: { tower: { type: 'string', max: 100 } },
    output_format: { builder: 'string', years: [{ from: 'number', to: 'number' }] },
    source_whitelist: ['a.example'],
    examples: [{ inputs: { tower: 'Heron Point' } }],
  } as const satisfies typeof emptyDesign;

  it('are none for the same design', () => {
    expect(changedParts(design, structuredClone(design))).toEqual([]);
  });

  it('name each input, field, source, collection, limit and example', () => {
    const after = {
      ...design,
      inputs: { tower: { type: 'string', required: false }, year: { type: 'number', default: 1900, min: 1 } },
      output_format: { builder: 'string', years: [{ from: 'string' }] },
      source_whitelist: undefined,
      source_blacklist: ['a.example'],
      collections: ['handbook'],
      model: 'large',
      effort: 'deep',
      max: { seconds: 20 },
      examples: [{ inputs: {} }],
    } as unknown as typeof emptyDesign;
    expect(changedParts(design, after)).toEqual([
      {
        title: 'Inputs',
        changes: [
          { label: 'tower', before: 'Text · required · at most 100 characters', after: 'Text · optional' },
          { label: 'year', after: 'Number · optional · default 1900 · at least 1' },
        ],
      },
      {
        title: 'Output',
        changes: [
          { label: 'years[] › from', before: 'Number', after: 'Text' },
          { label: 'years[] › to', before: 'Number' },
        ],
      },
      { title: 'Effort', changes: [{ label: '', before: 'Balanced', after: 'Deep' }] },
      { title: 'Model', changes: [{ label: '', after: 'large' }] },
      {
        title: 'Sources',
        changes: [
          { label: 'Only', before: 'a.example' },
          { label: 'Never', after: 'a.example' },
        ],
      },
      { title: 'Collections', changes: [{ label: '', after: 'handbook' }] },
      { title: 'Limits', changes: [{ label: 'seconds', after: '20' }] },
      {
        title: 'Examples',
        changes: [
          { label: '', before: 'tower: Heron Point' },
          { label: '', after: 'no inputs' },
        ],
      },
    ]);
  });

  it('say that only the order changed', () => {
    const after = { ...design, output_format: { years: design.output_format.years, builder: 'string' } } as const;
    expect(changedParts(design, after as typeof emptyDesign)).toEqual([
      {
        title: 'Output',
        changes: [
          {
            label: 'Order',
            before: 'builder, years[] › from, years[] › to',
            after: 'years[] › from, years[] › to, builder',
          },
        ],
      },
    ]);
  });
});
