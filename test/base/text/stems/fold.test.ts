import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold, patternOfFolded } from '../../../../src/base/text/stems/fold.ts';

const letters = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...'aeioustzlßæœøłđðþħıéüñçøåšžąęİẞ'),
    fc.constantFrom(...'αάςΆϊёйЁЙїאבשأاآءकि'),
    fc.integer({ min: 0x41, max: 0x17f }).map((code) => String.fromCharCode(code)),
    fc.integer({ min: 0x370, max: 0x52f }).map((code) => String.fromCharCode(code)),
  ),
  minLength: 1,
  maxLength: 12,
});

describe('a folded word', () => {
  it.each([
    ['Straße', 'strasse'],
    ['STRASSE', 'strasse'],
    ['Łódź', 'lodz'],
    ['Ёлка', 'елка'],
    ['ΆΓΙΟΣ', 'αγιοσ'],
    ['İstanbul', 'istanbul'],
    ['ﬁle', 'file'],
    ['sha256', 'sha256'],
  ])('of %s is %s', (word, folded) => {
    expect(fold(word)).toBe(folded);
  });

  it('is folded already', () => {
    fc.assert(
      fc.property(letters, (word) => {
        expect(fold(fold(word))).toBe(fold(word));
      }),
    );
  });

  it('is found again in the text by its pattern', () => {
    fc.assert(
      fc.property(letters, (word) => {
        const written = word.normalize('NFKC').replace(/[^\p{L}]/gu, '');
        fc.pre(written !== '');
        expect(written).toMatch(new RegExp(`^(?:${patternOfFolded(fold(written))})`, 'i'));
      }),
      { numRuns: 1000 },
    );
  });
});
