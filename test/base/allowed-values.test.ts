/** Values that an application allows for a field. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowedValue, describeAllowed } from '../../src/base/allowed-values.ts';

describe('a value', () => {
  it.each<[string, string | number | boolean, Parameters<typeof allowedValue>[1], unknown]>([
    ['that nothing is said about', 'x', undefined, 'x'],
    ['of the list', 'red', { values: ['red', 'blue'] }, 'red'],
    ['in another case', 'Red', { values: ['red', 'blue'] }, 'red'],
    ['with spaces for punctuation', 'In stock', { values: ['in_stock', 'out_of_stock'] }, 'in_stock'],
    ['that is another one', 'green', { values: ['red', 'blue'] }, undefined],
    ['that could be either', 'a b', { values: ['a-b', 'a_b'] }, undefined],
    ['of the list, where another one is like it', 'a_b', { values: ['a-b', 'a_b'] }, 'a_b'],
    ['that is a number of the list', 2, { values: [1, 2] }, 2],
    ['that is a text where the list has numbers', '2', { values: [1, 2] }, undefined],
    ['that is whole', 4, { isWhole: true }, 4],
    ['that is not whole', 4.5, { isWhole: true }, undefined],
    ['at the bounds', 5, { min: 5, max: 5 }, 5],
    ['below the least', 4, { min: 5 }, undefined],
    ['beyond the most', 6, { max: 5 }, undefined],
    ['that has to be above itself', 0, { above: 0 }, undefined],
    ['that has to be below itself', 0, { below: 0 }, undefined],
  ])('%s', (_, value, allowed, expected) => expect(allowedValue(value, allowed)).toBe(expected));

  it('is one of the list or none', () => {
    const scalar = fc.oneof(fc.string(), fc.double({ noNaN: true }), fc.boolean());
    fc.assert(
      fc.property(scalar, fc.array(scalar), (value, values) => {
        const found = allowedValue(value, { values });
        expect(found === undefined || values.includes(found)).toBe(true);
      }),
    );
  });
});

it('what is allowed is said in words', () => {
  expect(describeAllowed({ values: ['a', 'b'] })).toBe('one of "a","b"');
  expect(describeAllowed({ isWhole: true, min: 1, below: 9 })).toBe('a whole number; at least 1; below 9');
});
