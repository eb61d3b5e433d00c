/** Plain text takes a shorter way to the same words. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countWords, readWords } from '../../src/model/extractive/text/words.ts';

const pieces = [
  'a',
  'B',
  'request',
  'Timeout',
  '7',
  '3,715',
  '1.5',
  '.',
  ',',
  "'",
  's',
  '_',
  '-',
  ' ',
  '\n',
  'U.S.',
  '(',
];
const ascii = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'grapheme-ascii', maxLength: 4 })))
  .map((all) => all.join(''));

describe('words', () => {
  it('are the same in plain text as beside a word with an accent', () => {
    fc.assert(
      fc.property(ascii, (text) => {
        expect(readWords(text)).toEqual(readWords(`${text} é`).slice(0, -1));
      }),
      { numRuns: 2000 },
    );
  });

  it('end before a Chinese sign, each of which is one', () => {
    expect(readWords('3号楼的WiFi密码').map(({ stem }) => stem)).toEqual(['3', '号', '楼', '的', 'wifi', '密', '码']);
  });

  it.each([
    ['de', 'nimmt', 'nehmen'],
    ['de', 'gebacken', 'backen'],
    ['fr', 'partent', 'partiront'],
    ['es', 'vuelve', 'volvemos'],
    ['es', 'días', 'día'],
  ] as const)('have the stem of their infinitive: %s, %s and %s', (language, one, other) => {
    const [first, second] = readWords(`${one} ${other}`, language);
    expect(first!.stem).toBe(second!.stem);
  });

  it('are counted as what is between blanks, whichever blanks', () => {
    const blank = fc.constantFrom(' ', '\n', '\t', '\u00a0', '\u2003', '\u3000', '\ufeff', '\u0085', '\u001f');
    fc.assert(
      fc.property(fc.array(fc.oneof(ascii, blank, fc.string({ unit: 'binary', maxLength: 3 }))), (all) => {
        const text = all.join('');
        expect(countWords(text)).toBe(text.split(/\s+/).filter(Boolean).length);
      }),
      { numRuns: 300 },
    );
  });
});
