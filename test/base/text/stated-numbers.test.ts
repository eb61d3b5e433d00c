/** Numbers in text, with their magnitudes. */
import { describe, expect, it } from 'vitest';
import { statedNumbers } from '../../../src/base/text/stated-numbers.ts';

describe('the numbers of a text', () => {
  it.each<[string, number[]]>([
    ['Construction cost 12 million crowns and took six years.', [12_000_000, 6]],
    ['the whole structure measures 1,940 metres', [1940]],
    ['1.4 billion crowns, of which 220 million, and 12 percent', [1_400_000_000, 220_000_000, 12]],
    ['$1.5bn, €38M, 10k users and 5 m', [1.5e9, 38e6, 10_000, 5]],
    ['Eleven hundred workers, about twenty-three of them', [1100, 23]],
    ['two million, one hundred and fifty', [2_000_000, 150]],
    ['one bridge, a hundred', []],
    ['connectTimeout: 10e3', [10_000]],
    ['12 Millionen, 3 milliards, 5万', [12e6, 3e9, 50_000]],
    ['41.000 cars', [41, 41_000]],
    ['1 234 567,5 in all', [1_234_567.5]],
    ['on 1931-05-14, pages 3-5, at -7 degrees', [1931, 5, 14, 3, 5, -7]],
    ['version 1.2, v2 and C3', [1.2]],
    ['an average of .312 (.25, -.5), p < .05; up .5e3, .3s and .2-.4.', [0.312, 0.25, -0.5, 0.05, 500, 0.3, 0.2, 0.4]],
    ['".75" and $.99', [0.75, 0.99]],
    ['.NET 8, v.2, it ended.5 (so).6 "so".7 and so on...5 ..6 .1.2', [8, 2, 5, 6, 7, 5, 6, 1.2]],
    ['a .3gp or .7z file, *.7z', [3, 7, 7]],
    ['no numbers', []],
  ])('of %j are %j', (text, values) => {
    expect(statedNumbers(text).map(({ value }) => value)).toEqual(values);
  });

  it('stand at their offsets, with their magnitude', () => {
    const text = 'It cost 12 million crowns.';
    const [found] = statedNumbers(text);
    expect(found).toMatchObject({ value: 12_000_000, digits: 12 });
    expect(text.slice(found!.start, found!.end)).toBe('12 million');
  });

  it.each(['1,', '1 ', '1.', 'one ', 'hundred-', '-'])('of a megabyte of %j are found in one pass', (unit) => {
    expect(statedNumbers(unit.repeat(1_000_000 / unit.length)).length).toBeGreaterThanOrEqual(0);
  });
});
