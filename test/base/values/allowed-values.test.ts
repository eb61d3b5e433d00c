/** Values that an application allows for a field. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowedValue, createPatternMatcher, describeAllowed } from '../../../src/base/values/allowed-values.ts';

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
    ['that is a multiple', 0.3, { multipleOf: 0.1 }, 0.3],
    ['that is no multiple', 0.35, { multipleOf: 0.1 }, undefined],
    ['of a length', 'four', { minLength: 4, maxLength: 4 }, 'four'],
    ['that is too long', 'fives', { maxLength: 4 }, undefined],
    ['that is too short', 'two', { minLength: 4 }, undefined],
    ['whose characters are of two units', '🗼🗼', { maxLength: 2 }, '🗼🗼'],
    ['with what a pattern describes', 'order AB-1234', { pattern: '[A-Z]{2}-\\d{4}' }, 'order AB-1234'],
    ['without what a pattern describes', 'AB-123', { pattern: '[A-Z]{2}-\\d{4}' }, undefined],
    ['where nobody can say what a pattern describes', 'x', { pattern: '^(?=a)' }, 'x'],
    ['that is longer than what patterns are for', 'a'.repeat(501), { pattern: 'a' }, undefined],
    ['that is a date', '2026-05-14', { format: 'date' }, '2026-05-14'],
    ['that writes a date', '14. Mai 2026', { format: 'date' }, '2026-05-14'],
    ['that writes a date of two', '12 to 14 May 2026', { format: 'date' }, undefined],
    ['that writes a date in either order', '05/06/2026', { format: 'date' }, undefined],
    ['that is no date of a calendar', '2026-02-31', { format: 'date' }, undefined],
    ['that writes a time', '7.30 pm', { format: 'time' }, '19:30:00'],
    ['that is a price', '7.30', { format: 'time' }, undefined],
    ['that is a date and a time', '2026-05-14T19:30:00Z', { format: 'date-time' }, '2026-05-14T19:30:00Z'],
    ['that writes a date and a time', '14 May 2026, 7.30 pm', { format: 'date-time' }, '2026-05-14T19:30:00'],
    ['that is a date without its time', '14 May 2026', { format: 'date-time' }, undefined],
    ['that is an address', 'ada@kestrel.example', { format: 'email' }, 'ada@kestrel.example'],
    ['that is not an address', 'ada at kestrel', { format: 'email' }, undefined],
    ['that is a URL', 'https://a.example/x', { format: 'uri' }, 'https://a.example/x'],
    ['that is not a whole URL', 'www.a.example', { format: 'uri' }, undefined],
    ['that is a duration', 'P3DT12H', { format: 'duration' }, 'P3DT12H'],
    ['that is not a duration', 'three days', { format: 'duration' }, undefined],
  ])('%s', async (_, value, allowed, expected) => {
    expect(allowedValue(value, allowed, await createPatternMatcher([allowed]))).toBe(expected);
  });

  it('is one of the list or none', () => {
    const scalar = fc.oneof(fc.string(), fc.double({ noNaN: true }), fc.boolean());
    fc.assert(
      fc.property(scalar, fc.array(scalar), (value, values) => {
        const found = allowedValue(value, { values }, () => true);
        expect(found === undefined || values.includes(found)).toBe(true);
      }),
    );
  });
});

it('what is allowed is said in words', () => {
  expect(describeAllowed({ values: ['a', 'b'] })).toBe('one of "a","b"');
  expect(describeAllowed({ isWhole: true, min: 1, below: 9 })).toBe('a whole number; at least 1; below 9');
  expect(describeAllowed({ minItems: 2, isUnique: true })).toBe('at least 2 elements; no two of them alike');
  expect(describeAllowed({ format: 'date', maxLength: 1 })).toBe('a date such as 2026-05-14; at most 1 character');
});

describe('a pattern that somebody else wrote', () => {
  const matched = async (pattern: string, text: string) => (await createPatternMatcher([{ pattern }]))(pattern, text);

  it('never takes exponential time', async () => {
    expect(await matched('^(a+)+$', `${'a'.repeat(400)}b`)).toBe(false);
  });

  it('is not checked where it would be expanded to a large one', async () => {
    expect(await matched('^((a{99}){99}){99}$', 'b')).toBe(true);
  });

  it('holds up nobody while many are compiled', async () => {
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await createPatternMatcher(Array.from({ length: 20 }, (_, n) => ({ pattern: `a${n}` })));
    isDone = true;
    expect(turns).toBeGreaterThan(10);
  });

  it('matches nothing if those before it took too long to compile', async () => {
    const slow = Array.from({ length: 400 }, (_, n) => `(?i)${'[a-\u{10ffff}]|'.repeat(30)}${n}`);
    const matches = await createPatternMatcher(slow.map((pattern) => ({ pattern })));
    expect([matches(slow[0]!, 'b'), matches(slow.at(-1)!, 'b')]).toEqual([true, false]);
  });
});
