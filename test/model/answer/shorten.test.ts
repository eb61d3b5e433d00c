import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shorten } from '../../../src/model/extractive/answer/shorten.ts';
import { pieceWords } from '../../../src/model/extractive/answer/surroundings.ts';
import { analyse } from '../../../src/model/extractive/question/analyse.ts';
import { readPassage } from '../../../src/model/extractive/text/passages.ts';
import { countWords } from '../../../src/model/extractive/text/words.ts';

/** The first unit of a text, as it is shown in answer to a question. */
function shown(question: string, text: string): string {
  const source = { n: 1, snapshot: text, start: 0, title: '', headings: '', text, score: 1, url: 'https://a.example/' };
  return shorten(analyse(question), readPassage(source).units[0]!);
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];

const aside =
  'The relief team of 184 people (12 of them from the observatory, 150 from the garrison of the capital and 22 from the hospital of the northern province) left the old harbour of Morrow for the flooded valley on the evening of 12 May in two large transport planes.';
const clauses =
  'In 1944 the council published its plan to rebuild the bombed town of Morrow after the war; the scheme of the architect Ada Merrow called for the demolition of the few old buildings that were left in the centre and for wide new streets from the station to the sea.';
const ending =
  'The tower of Harrow Point was built of local granite in 1871 by the engineer Ada Merrow and her two brothers from the quarry on the island, while the older light on the other shore of the bay was given up and sold to a farmer who kept his sheep in it for many years.';

describe('a sentence of more words than an answer should have', () => {
  it('is shown without what it says in parentheses', () => {
    expect(shown('How many people left for the valley?', aside)).toBe(
      'The relief team of 184 people left the old harbour of Morrow for the flooded valley on the evening of 12 May in two large transport planes.',
    );
  });

  it('is shown with its parentheses where they have what is asked for', () => {
    expect(shown('How many of the relief team were from the observatory?', aside)).toBe(aside);
  });

  it('is shown as the one of its main clauses that answers', () => {
    expect(shown('When did the council publish its plan?', clauses)).toBe(
      'In 1944 the council published its plan to rebuild the bombed town of Morrow after the war',
    );
    expect(shown('Which architect called for wide new streets?', clauses)).toBe(
      'The scheme of the architect Ada Merrow called for the demolition of the few old buildings that were left in the centre and for wide new streets from the station to the sea.',
    );
  });

  it('is shown whole where the clause that answers refers to the other', () => {
    const text = clauses.replace('the scheme of the architect Ada Merrow', 'this scheme of the architect Ada Merrow');
    expect(shown('Which architect called for wide new streets?', text)).toBe(text);
  });

  it('is shown without an end that only adds something', () => {
    expect(shown('Who built the tower of Harrow Point?', ending)).toBe(
      'The tower of Harrow Point was built of local granite in 1871 by the engineer Ada Merrow and her two brothers from the quarry on the island',
    );
  });

  it('is shown whole where the end says what is asked, or limits the rest', () => {
    expect(shown('Who bought the older light?', ending)).toBe(ending);
    const limited = ending.replace('was given up and sold', 'was not given up until it was sold');
    expect(shown('Who built the tower of Harrow Point?', limited)).toBe(limited);
  });

  it('is shown whole where its beginning is no sentence', () => {
    const text =
      'In the years between the first plan of the engineers and the opening of the tower by the old queen and her youngest son, while the council of the island looked for the money that was missing, Ada Merrow built the tower of Harrow Point with stones of her own quarry.';
    expect(shown('Who built the tower?', text)).toBe(text);
  });
});

it('shows a sentence whole or in fewer words than an answer may have, all of them in its order', () => {
  const words = fc.constantFrom(
    'tower',
    'and',
    'which',
    'while',
    'was',
    'built',
    '(',
    ')',
    'not',
    'the',
    '1871',
    'Ada',
  );
  const marks = fc.constantFrom(' ', ' ', ' ', ' ', ', ', '; ');
  fc.assert(
    fc.property(fc.array(fc.tuple(words, marks), { minLength: 20, maxLength: 120 }), (parts) => {
      const text = `The ${parts.flat().join('').trim()}`;
      const short = shown('When was the tower built?', text);
      if (countWords(short) > pieceWords) return;
      const all = wordsOf(text);
      let from = 0;
      for (const word of wordsOf(short)) {
        const at = all.indexOf(word, from);
        expect(at).not.toBe(-1);
        from = at + 1;
      }
    }),
  );
});
