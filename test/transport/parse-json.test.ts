/** JSON with a large image is parsed to the same value as by JSON.parse, or fails with the same error. */
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/transport/parse-json.ts';

const large = 'iVBORw0KGgo/+A=='.repeat(80_000);
const parsedBy = (parse: (text: string) => unknown, text: string) => {
  try {
    return { value: parse(text) };
  } catch (error) {
    return { error: String(error) };
  }
};

describe('a text with a large image', () => {
  it.each<[string, string]>([
    ['in a request', `{"prompt": "x", "image": "${large}", "max": {"seconds": 1}}`],
    ['in a frame', `{"type":"search.start","request":{"image" : "${large}","prompt":"y"}}`],
    ['that is a data URL', `{"image": "data:image/png;base64,${large}"}`],
    ['twice', `{"a": {"image": "${large}x"}, "image": "${large}"}`],
    ['with escaped slashes', `{"image": "${large.replaceAll('/', '\\/')}"}`],
    ['with a line break as an escape', `{"image": "${large}\\n"}`],
    ['with a line break that JSON does not allow', `{"image": "${large}\n"}`],
    ['with a tab that JSON does not allow', `{"image": "\t${large}"}`],
    ['without an end', `{"image": "${large}`],
    ['after which the text breaks', `{"image": "${large}", "b": }`],
    ['beside a "__proto__"', `{"__proto__": {"image": "${large}"}, "a": 1}`],
    ['in words of a prompt', `{"prompt": "\\"image\\": \\"${large}\\""}`],
    ['as a field with another name', `{"picture": "${large}"}`],
    ['in a list', `["image", "${large}"]`],
    ['whose key ends in an escaped quote', `{"a\\"image": "${large}"}`],
  ])('is parsed as by JSON.parse: %s', (_, text) => {
    const expected = parsedBy(JSON.parse, text);
    const found = parsedBy(parseJson, text);
    expect(found.error).toBe(expected.error);
    // Compared as text, for megabytes that differ would be printed.
    expect(JSON.stringify(found.value) === JSON.stringify(expected.value)).toBe(true);
  });
});
