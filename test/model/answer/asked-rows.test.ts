import { describe, expect, it } from 'vitest';
import { answer } from '../../../src/model/extractive/answer/answer.ts';
import type { Source } from '../../../src/model/extractive/text/passages.ts';

const boats = [
  'Heron | 2x | 2004 | rack 3',
  'Otter | 1x | 2016 | rack 1',
  'Wren | 4x | 2011 | rack 5',
  'Grebe | 2x | 2022 | rack 3',
];
const head = '| Name | Type | Year | Place |\n| --- | --- | --- | --- |\n';
const source = (n: number, text: string, more: Partial<Source> = {}): Source => ({
  n,
  snapshot: 'boats',
  start: 0,
  title: 'boats.csv',
  headings: '',
  url: 'file:///club/boats.csv',
  score: 4 - n,
  corpusSize: 'small',
  text,
  ...more,
});
const row = (cells: string) => `| ${cells} |\n`;
const list = source(1, head + boats.map(row).join(''));

const ask = (question: string, sources: readonly Source[] = [list]) => answer(question, sources);

describe('a question for rows of a table', () => {
  it.each([
    ['Which boats are on rack 3?', ['Heron', 'Grebe']],
    ['List the boats on rack 3.', ['Heron', 'Grebe']],
    ['Which boats are of type 2x?', ['Heron', 'Grebe']],
    ['What is kept on rack 3?', ['Heron', 'Grebe']],
  ])('has all that it asks for, each with its marker: %s', (question, names) => {
    const written = ask(question).pieces.join('');
    expect(written).toBe(
      `${head.replaceAll(' --- |', '---|').replace('| --', '|--').trimEnd()}\n${names
        .map((name) => `| ${boats.find((boat) => boat.startsWith(name))} [1] |`)
        .join('\n')}`,
    );
  });

  it.each(['Which boats on rack 3 are for beginners?', 'Who repaired the boats on rack 3?'])(
    'has no rows for what no column says: %s',
    (question) => {
      expect(ask(question).pieces.join('')).not.toMatch(/Heron[\s\S]*Grebe/);
    },
  );

  it('does not take a number for a value of another column', () => {
    const seats = source(
      1,
      `| Name | Seats | Oars |\n|---|---|---|\n| Heron | 2 | 4 |\n| Otter | 1 | 2 |\n| Wren | 4 | 2 |\n`,
    );
    const written = ask('Which boats have 2 oars?', [seats]).pieces.join('');
    expect(written).toContain('Otter');
    expect(written).toContain('Wren');
    expect(written).not.toContain('Heron');
  });

  it('goes on in the next passage below the same columns', () => {
    const first = source(2, head + boats.slice(0, 2).map(row).join('').trim());
    const second = source(1, boats.slice(2).map(row).join('').trim(), {
      start: 200,
      headings: '| Name | Type | Year | Place |',
    });
    expect(ask('Which boats are on rack 3?', [second, first]).pieces.join('')).toBe(
      '| Name | Type | Year | Place |\n|---|---|---|---|\n| Heron | 2x | 2004 | rack 3 [2] |\n| Grebe | 2x | 2022 | rack 3 [1] |',
    );
  });

  it('has the first of very many, and says that there are more', () => {
    const many = Array.from({ length: 60 }, (_, n) => row(`Boat ${n} | 2x | ${1950 + n} | rack ${n % 2}`)).join('');
    const { pieces, status } = ask('Which boats are on rack 1?', [source(1, head + many)]);
    expect(pieces.join('').match(/rack 1 \[1\]/g)).toHaveLength(20);
    expect(status).toBe('partial');
  });

  it('tells a row of a long table by the columns above its passage', () => {
    const passage = source(1, boats.map(row).join('').trim(), {
      start: 900,
      headings: '| Name | Type | Year | Place |',
    });
    expect(ask('Where is Grebe?', [passage]).pieces.join('')).toBe(
      '| Name | Type | Year | Place |\n|---|---|---|---|\n| Grebe | 2x | 2022 | rack 3 [1] |',
    );
  });
});
