/** JSON as models write it: parsed as it was meant, whole or in pieces, in time that grows with its length. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createJsonReader, parseLoosely } from '../../../src/model/language/loose-json.ts';

/** Every value that the reader reports, by its path. */
function readInPieces(text: string, sizes: readonly number[]): Map<string, unknown> {
  const values = new Map<string, unknown>();
  const reader = createJsonReader((keys, value) => values.set(keys.join('/'), structuredClone(value)));
  for (let at = 0, i = 0; at < text.length; i += 1) {
    const size = sizes[i % sizes.length]!;
    reader.push(text.slice(at, at + size));
    at += size;
  }
  reader.finish();
  return values;
}

const form = { name: 'Marlow "Bridge"', year: 1931, open: true, toll: null, list: [{ a: 1 }, { a: -2.5e3 }], more: {} };
const dresses: readonly (readonly [string, string, unknown])[] = [
  ['prose and a fence', 'Sure, here it is:\n```json\n{"a": 1}\n```\nHope this helps!', { a: 1 }],
  ['an example in braces before it', 'Using the form {value, evidence, quote}:\n```json\n{"a": 1}\n```', { a: 1 }],
  ['another object before it', 'Not {"a": 1}. Rather {"a": 2}', { a: 2 }],
  ['comments', '{ // the answer\n"a": [1, /* next */ 2], # and\n "b": 3 }', { a: [1, 2], b: 3 }],
  [
    "single quotes and Python's literals",
    "{'a': None, 'b': True, 'c': 'it\\'s', 'd': False}",
    { a: null, b: true, c: "it's", d: false },
  ],
  ['an apostrophe in single quotes', "{'a': 'it's mine', 'b': 1}", { a: "it's mine", b: 1 }],
  ['quotes within quotes', '{"a": "he said "hi" to me", "b": 1}', { a: 'he said "hi" to me', b: 1 }],
  ['curly quotes', '{“a”: “b”}', { a: 'b' }],
  ['bare keys and words', '{a: 1, b: [x, y], c: Marlow Bridge}', { a: 1, b: ['x', 'y'], c: 'Marlow Bridge' }],
  ['spare commas', '{"a": [1, 2,], "b": {"c": 1,},}', { a: [1, 2], b: { c: 1 } }],
  ['missing commas', '{"a": 1\n"b": "x"\n"c": true "d": 2}', { a: 1, b: 'x', c: true, d: 2 }],
  ['a line break in a string', '{"a": "line\nbreak"}', { a: 'line\nbreak' }],
  ['a missing end', '{"a": {"b": 1}, "c": [1, 2', { a: { b: 1 }, c: [1, 2] }],
  ['half a string at the end', '{"a": 1, "b": "hal', { a: 1 }],
  ['a bracket that was forgotten', '{"a": [1, 2}', { a: [1, 2] }],
  ['numbers with thousands and magnitudes', '{"a": 12,000,000, "b": 12 million}', { a: 12_000_000, b: '12 million' }],
  ['an object in a string', JSON.stringify('{"a": 1}'), { a: 1 }],
  ['an array alone', 'Queries: ["x", "y"]', ['x', 'y']],
  ['an array around it', '[{"a": 1}]', [{ a: 1 }]],
  ['a bare address', '{url: http://a.example/x, b: 1}', { url: 'http://a.example/x', b: 1 }],
];

describe('JSON as models write it', () => {
  it.each(dresses)('is parsed with %s', (_, text, wanted) => {
    expect(parseLoosely(text)).toEqual(wanted);
  });

  it.each(['', 'I would look for the bridge.', '{', 'x } y {', '"'])('is not found in %j', (text) => {
    expect(parseLoosely(text) ?? {}).toEqual({});
  });

  it('is read as JSON.parse reads it, if it is JSON, however it is cut', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }), { minKeys: 1 }),
        fc.integer({ min: 0, max: 2 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 9 }),
        (value, indent, sizes) => {
          const text = JSON.stringify(value, null, indent);
          const meant = JSON.parse(text) as Record<string, unknown>;
          expect(parseLoosely(text)).toEqual(meant);
          const read = readInPieces(text, sizes);
          for (const [key, held] of Object.entries(meant)) {
            if (!key.includes('/')) expect(read.get(key)).toEqual(held);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('reports inner values first, in any pieces', () => {
    const values = readInPieces(JSON.stringify(form), [3, 1, 7]);
    expect(values.get('list/1/a')).toBe(-2500);
    expect(values.get('list')).toEqual(form.list);
    expect([...values.keys()].indexOf('list/0/a')).toBeLessThan([...values.keys()].indexOf('list/0'));
  });

  it.each([
    ['brackets', '['],
    ['braces', '{"a":'],
    ['quotes', '"'],
    ['quotes in a string', 'x" y '],
    ['apostrophes', "'a "],
    ['backslashes', '\\'],
    ['comments', '/*'],
    ['words', 'a b:'],
    ['spaces', '"    '],
    ['commas', ',1'],
  ])('is read in one pass over a megabyte of %s: quadratic work would not end in time', (_, unit) => {
    const value = parseLoosely(`{"b": 1, "a": "${unit.repeat(Math.ceil(1_000_000 / unit.length))}`);
    expect(value === undefined || typeof value === 'object').toBe(true);
  });

  it.each(['9', '1\n', 'a\n', '- ', 'a:b ', ',1', 'a=b '])(
    'is read in one pass over 300 kB of %j that is in no string',
    (unit) => {
      const run = unit.repeat(Math.ceil(300_000 / unit.length));
      for (const before of ['{"b": 1, "a": ', '[', '{'])
        expect(typeof (parseLoosely(before + run) ?? {})).toBe('object');
    },
  );

  it('is text where a number has more digits than any that is meant', () => {
    const [number, text] = ['9'.repeat(300), '9'.repeat(500)];
    expect(parseLoosely(`{a: ${number}, b: ${text}}`)).toEqual({ a: Number(number), b: text });
  });
});
