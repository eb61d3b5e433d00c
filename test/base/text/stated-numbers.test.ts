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
    [
      'at 48.856613 and -0.127758, 3.24159265, 0.0415 and 0.000000125',
      [48.856613, -0.127758, 3.24159265, 0.0415, 1.25e-7],
    ],
    ['9.1441 m, 1.2345 million and 1,0842 euros', [9.1441, 1_234_500, 1.0842]],
    ['0.123 and 0,125 of 1,234,567.8901, or 1.234,567', [0.123, 0.125, 1_234_567.8901, 1234.567]],
    ['card 4111111111111111, 9007199254740991', [4111111111111111, 9007199254740991]],
    ['1,234,567,890,123,456 and not 12345678901234567890 or 9007199254740993', [1234567890123456]],
    ["8’902’308 people, 8'902'308 of them, €1’250’000.50", [8_902_308, 8_902_308, 1_250_000.5]],
    ['12,34,567 rupees, ₹99,99,999.50, 1,00,000', [1_234_567, 9_999_999.5, 100_000]],
    ['It is minus 5 degrees, at minus twenty, of negative 3.5, minus 1,200 °C', [-5, -20, -3.5, -1200]],
    ['es sind minus 5 Grad, il fait moins 5 degrés, son menos 5 grados', [-5, -5, -5]],
    ['au moins 5, al menos 6, 20 minus 3, 20 euros minus 4 euros, plus or minus 2 degrees', [5, 6, 20, 3, 20, 4, 2]],
    ['6.02214076 × 10^23, 6.02214076×10²³, 6,02·10^23, 6.02e23', [6.02214076e23, 6.02214076e23, 6.02e23, 6.02e23]],
    ['1.6 x 10^-19, 1.6 × 10⁻¹⁹, 1.6e−19, 7 * 10**3, $7 \\times 10^{3}$', [1.6e-19, 1.6e-19, 1.6e-19, 7000, 7000]],
    ['10^6 or 10³⁰ of them, on 10 × 10 m, 5 m², 1e400', [1e6, 1e30, 10, 10, 5]],
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

  it('have the digits of a power of ten beside their value', () => {
    expect(statedNumbers('6.02 × 10^23 of them')).toEqual([{ value: 6.02e23, digits: 6.02, start: 0, end: 13 }]);
    expect(statedNumbers('it is minus 5 degrees')).toEqual([{ value: -5, digits: -5, start: 6, end: 13 }]);
  });

  it.each([
    '1,',
    '12,',
    '1,234,',
    "1'234'",
    '1 234 ',
    '1 × 10^',
    'minus ',
    'minus 1 ',
    '1 ',
    '1.',
    'one ',
    'hundred-',
    '-',
  ])('of a megabyte of %j are found in one pass', (unit) => {
    expect(statedNumbers(unit.repeat(1_000_000 / unit.length)).length).toBeGreaterThanOrEqual(0);
  });
});
