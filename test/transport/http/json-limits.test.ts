/** The limits of JSON that is parsed: only an image may be large, and nothing may be deep. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkJsonLimits } from '../../../src/transport/http/json-limits.ts';

const limits = { bytes: 200, with_image: 2_000 };
const judge = (text: string) => checkJsonLimits(text, Buffer.byteLength(text), limits);
const long = 'A'.repeat(1_500);

describe('limits of JSON', () => {
  it.each<[string, string, ReturnType<typeof judge>]>([
    ['an ordinary request', '{"prompt": "x"}', undefined],
    ['a large image', `{"prompt": "x", "image": "${long}"}`, undefined],
    ['a large image in a frame', `{"type": "search.start", "request": {"image":"${long}"}}`, undefined],
    ['a large prompt beside a small image', `{"prompt": "${long}", "image": "x"}`, 'too_large'],
    ['a large prompt that speaks of an "image"', `{"prompt": "\\"image\\": ${long}"}`, 'too_large'],
    ['an image above every limit', `{"image": "${long}${long}"}`, 'too_large'],
    ['an image without an end', `{"image": "${long}`, 'too_large'],
    [
      'two images of which one would be allowed',
      `{"image": "${long.slice(0, 900)}", "a": {"image": "${long.slice(0, 900)}"}}`,
      'too_large',
    ],
    ['64 levels', '['.repeat(64) + ']'.repeat(64), undefined],
    ['65 levels', '['.repeat(65) + ']'.repeat(65), 'too_deep'],
    ['brackets in a string', `"${'['.repeat(150)}"`, undefined],
    ['brackets after an escaped quote', `["\\"${'['.repeat(150)}"]`, undefined],
    ['brackets after an escaped backslash', `["\\\\", ${'['.repeat(70)}`, 'too_deep'],
    ['a broken string', '"abc', undefined],
  ])('checks %s against the limits', (_, text, expected) => {
    expect(judge(text)).toBe(expected);
  });

  it('accepts any small and shallow JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 20 }), (value) => {
        const text = JSON.stringify(value);
        expect(checkJsonLimits(text, Buffer.byteLength(text), { bytes: 1e6, with_image: 1e6 })).toBeUndefined();
      }),
    );
  });
});
