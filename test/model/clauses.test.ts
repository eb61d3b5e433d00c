import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitClauses } from '../../src/model/extractive/text/clauses.ts';

const clausesOf = (text: string) => splitClauses(text).map(({ start, end }) => text.slice(start, end));

describe('the clauses of a sentence', () => {
  it('splits at semicolons, dashes and commas before a word that begins a clause', () => {
    expect(
      clausesOf(
        'The tower was finished in 1871 by a local engineer, although the lamp was lit only two years later; a keeper lived there until 1962.',
      ),
    ).toEqual([
      'The tower was finished in 1871 by a local engineer',
      'although the lamp was lit only two years later',
      'a keeper lived there until 1962.',
    ]);
  });

  it('splits at commas between long stretches', () => {
    expect(
      clausesOf(
        'At the lighthouse festival of 1998, the keeper showed a lamp from the first tower, a heavy brass thing with eleven burners.',
      ),
    ).toEqual([
      'At the lighthouse festival of 1998',
      'the keeper showed a lamp from the first tower',
      'a heavy brass thing with eleven burners.',
    ]);
  });

  it.each([
    ['a short sentence', 'It was built in 1871, although the lamp came later.'],
    [
      'a list',
      'The region is known for its granite, its many puffins, its lighthouses, and its long and very rocky coast.',
    ],
    [
      'an insertion that the sentence goes on after',
      'The tower of the lighthouse, which was built by Ada Merrow in 1871, rises to forty-one metres above the sea.',
    ],
    [
      'brackets',
      'The tower (which was finished in 1871 by a local engineer; its lamp came later) rises above the sea.',
    ],
    [
      'code',
      'The option `a; b` sets the limit for every request of the client, although the server may refuse it later.',
    ],
  ])('does not split %s', (_, text) => {
    expect(clausesOf(text)).toEqual([text]);
  });

  it('returns clauses in order that leave out only the marks between them and never cut a word', () => {
    const words = fc.constantFrom(
      'tower',
      'and',
      'which',
      'while',
      'built',
      '(',
      ')',
      '"',
      'the',
      '1871',
      'Ada',
      'shining',
    );
    const marks = fc.constantFrom(' ', ' ', ' ', ', ', '; ', ' – ');
    fc.assert(
      fc.property(fc.array(fc.tuple(words, marks), { minLength: 1, maxLength: 50 }), (parts) => {
        const text = parts
          .map((part) => part.join(''))
          .join('')
          .trim();
        const clauses = splitClauses(text);
        let before = 0;
        for (const { start, end } of clauses) {
          expect(text.slice(before, start)).toMatch(/^[\s,;:–—-]*$/);
          expect(end).toBeGreaterThan(start);
          before = end;
        }
        expect(before).toBe(text.length);
      }),
    );
  });
});
