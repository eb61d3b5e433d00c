/** Where a text stops being JSON is found without the browser's own words for it. */
import { describe, expect, it } from 'vitest';
import { describeJsonError } from '../../../src/ui/template/json-error.ts';

const incomplete = 'Expected JSON; the text is incomplete.';
const wrongAt = (line: number, character: number) =>
  `Expected JSON; got an error at line ${line}, character ${character}.`;

describe('what is wrong with a JSON text', () => {
  it.each([
    '',
    ' ',
    '{',
    '{"a',
    '{"a"',
    '{"a":',
    '{"a":"st',
    '{"a":"string"',
    '{"a":"string",',
    '[1,',
    '{"a":tr',
    '-',
    '[1.5e',
    '[1.5E+',
    '{"a":1E5',
    '{"a":"\\u00E',
    '{"a":"x\u007fy\u0085z"',
  ])('is only its missing end: %j', (text) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(describeJsonError(text)).toBe(incomplete);
  });

  it.each([
    ['{"end": string}', 1, 9],
    ["{'a':'string'}", 1, 2],
    ['{a:1}', 1, 2],
    ['{"a":1,}', 1, 8],
    ['{"a":1}}', 1, 8],
    ['{"a":1} x', 1, 9],
    ['{"a" "b"}', 1, 6],
    ['[1 2]', 1, 4],
    ['{"a":"b"]', 1, 9],
    ['{"a":trux}', 1, 6],
    ['01', 1, 1],
    ['“a”', 1, 1],
    ['{"a":"\\Bword"}', 1, 6],
    ['{"path":"C:\\Reports\\New"}', 1, 9],
    ['{"a":"\\U00e9"}', 1, 6],
    ['{"a":1E5,"b":}', 1, 14],
    ['{"a":1e5,"b":}', 1, 14],
    ['{"a":TRUE}', 1, 6],
    ['{"a":"\\u00E9","b":}', 1, 19],
    ['{"a":"x\u007fy\u0085z","b":}', 1, 18],
    ['{"a":"x\u001fy"}', 1, 6],
    ['{\n  "a": "string",\n  "b": text\n}', 3, 8],
  ])('is at a character of it: %j', (text, line, character) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(describeJsonError(text)).toBe(wrongAt(line, character));
  });
});
