/** The limits of JSON that is parsed: what it holds is counted on its text, and the refusal says where it was too much. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonLimits } from '../../protocol/index.ts';
import { checkJsonLimits } from '../../src/transport/json-limits.ts';

const long = 'A'.repeat(1_500);
const keys = (count: number) => Array.from({ length: count }, (_, n) => `"k${n}":${n}`).join();
const times = (count: number, text: string) => Array(count).fill(text).join();

describe('what is refused', () => {
  const limits = { bytes: 200, with_image: 2_000, keys: 10, values: 12 };

  it.each<[string, string, 'size' | 'depth' | 'count' | undefined]>([
    ['an ordinary request', '{"prompt": "x"}', undefined],
    ['a large image', `{"prompt": "x", "image": "${long}"}`, undefined],
    ['a large image in a frame', `{"type": "search.start", "request": {"image":"${long}"}}`, undefined],
    ['a large prompt beside a small image', `{"prompt": "${long}", "image": "x"}`, 'size'],
    ['a large prompt that speaks of an "image"', `{"prompt": "\\"image\\": ${long}"}`, 'size'],
    ['an image above every limit', `{"image": "${long}${long}"}`, 'size'],
    ['an image without an end', `{"image": "${long}`, 'size'],
    [
      'two images of which one would be allowed',
      `{"image": "${long.slice(0, 900)}", "a": {"image": "${long.slice(0, 900)}"}}`,
      'size',
    ],
    ['brackets in a string', `"${'['.repeat(150)}"`, undefined],
    ['brackets after an escaped quote', `["\\"${'['.repeat(150)}"]`, undefined],
    ['brackets after an escaped backslash', `["\\\\", ${'['.repeat(70)}`, 'count'],
    ['colons and commas in strings', `["${':,'.repeat(80)}", "\\"${':,'.repeat(8)}"]`, undefined],
    ['a broken string', '"abc', undefined],
    ['ten keys', `{${keys(10)}}`, undefined],
    ['eleven keys', `{${keys(11)}}`, 'count'],
    ['eleven keys in several objects', `[{${keys(5)}}, {${keys(6)}}]`, 'count'],
    ['one key eleven times', `{${times(11, '"a":1')}}`, 'count'],
    ['twelve entries', `[${times(12, '1')}]`, undefined],
    ['thirteen entries', `[${times(13, '1')}]`, 'count'],
    ['twelve empty lists in a list', `[${times(12, '[]')}]`, 'count'],
    ['eleven keys of an object without an end', `{${keys(11)}`, 'count'],
    ['commas that are not JSON', ','.repeat(13), 'count'],
  ])('checks %s against the limits', (_, text, expected) => {
    expect(checkJsonLimits(text, Buffer.byteLength(text), limits)?.what).toBe(expected);
  });
});

describe('where it is too much', () => {
  const wide = { bytes: 1e6, with_image: 2e6, keys: 1_000, values: 5_000 };
  const issueOf = (text: string, limits = wide) => {
    const excess = checkJsonLimits(text, Buffer.byteLength(text), limits);
    return excess?.what === 'count' ? excess.issue : excess;
  };

  it('refuses more than 64 levels', () => {
    const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(issueOf(deep(jsonLimits.depth))).toBeUndefined();
    expect(issueOf(deep(jsonLimits.depth + 1))).toEqual({ what: 'depth' });
  });

  it.each<[string, string, (string | number)[]]>([
    ['the body', `{${keys(1_001)}}`, []],
    ['a field', `{"a": 1, "b\\u00e9": {${keys(1_001)}}}`, ['bé']],
    ['an object in lists', `{"a": [[], [1, {"x": 1}, {"b": {}, "c": {${keys(1_001)}}}]]}`, ['a', 1, 2, 'c']],
    ['the second of two fields', `{"a": {${keys(900)}}, "b": {${keys(900)}}}`, ['b']],
    ['a field with a very long name', `{"${'n'.repeat(300)}": {${keys(1_001)}}}`, ['n'.repeat(200)]],
  ])('names the place of the first key that is too many: %s', (_, text, place) => {
    expect(() => JSON.parse(text)).not.toThrow();
    const msg = 'expected at most 1000 keys in total; got more';
    expect(issueOf(text)).toEqual({ loc: ['body', ...place], msg, type: 'too_long' });
  });

  it('names the place of the first value that is too many', () => {
    const text = `{"a": [1], "b": [${times(5_001, '""')}]}`;
    const msg = 'expected at most 5000 values in total; got more';
    expect(issueOf(text)).toEqual({ loc: ['body', 'b'], msg, type: 'too_long' });
  });

  it.each<[string, string, (string | number)[]]>([
    ['an entry', `{"a": ["x", "${'x'.repeat(40_001)}"]}`, ['a', 1]],
    ['a field of escapes', `{"prompt" : "${'\\u0041'.repeat(40_000)}\\n"}`, ['prompt']],
    ['a name', `{"a": {"b": 1, "${'x'.repeat(40_001)}": 1}}`, ['a']],
    ['a field whose name only ends in "image"', `{"\\"image": "${'x'.repeat(40_001)}"}`, ['"image']],
  ])('names the place of a string of more than 40,000 characters: %s', (_, text, place) => {
    expect(() => JSON.parse(text)).not.toThrow();
    const msg = 'expected at most 40000 characters; got 40001';
    expect(issueOf(text)).toEqual({ loc: ['body', ...place], msg, type: 'string_too_long' });
  });

  it.each([
    ['40,000 characters', `{"a": "${'x'.repeat(40_000)}"}`],
    ['40,000 escapes', `{"a": "${'\\u0041'.repeat(40_000)}"}`],
    ['an image', `{"a": {"image" : \n "${'x'.repeat(400_000)}"}}`],
  ])('accepts strings of %s', (_, text) => {
    expect(issueOf(text)).toBeUndefined();
  });

  it('counts the keys and values of any JSON, however it is spaced', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        const held = countIn(value);
        const accepts = (keys: number, values: number) => issueOf(text, { ...wide, keys, values }) === undefined;
        expect(accepts(held.keys, held.values)).toBe(true);
        if (held.keys > 0) expect(accepts(held.keys - 1, held.values)).toBe(false);
        if (held.values > 0) expect(accepts(held.keys, held.values - 1)).toBe(false);
      }),
    );
  });
});

/** An empty object or list counts as one value. */
function countIn(value: unknown): { keys: number; values: number } {
  if (typeof value !== 'object' || value === null) return { keys: 0, values: 0 };
  const inner = Object.values(value).map(countIn);
  const own = Object.keys(value).length;
  return {
    keys: inner.reduce((sum, { keys }) => sum + keys, Array.isArray(value) ? 0 : own),
    values: inner.reduce((sum, { values }) => sum + values, Math.max(1, own)),
  };
}
