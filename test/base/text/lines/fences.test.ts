/** Fences of code, read line by line and in pieces. */
import { describe, expect, it } from 'vitest';
import { createFenceReader, fenceAfter, startOfFencedEnd } from '../../../../src/base/text/lines/fences.ts';

describe('a fence of code', () => {
  it.each<[string | undefined, string, string | undefined]>([
    [undefined, '```js', '```'],
    [undefined, '  ~~~', '  ~~~'],
    [undefined, '``` a `b', undefined],
    [undefined, '    ```', undefined],
    ['~~~', '```', '~~~'],
    ['```', '```js', '```'],
    ['````', '```', '````'],
    ['  ```', '`````  ', undefined],
    ['```', 'text', '```'],
  ])('after %j, the line %j leaves %j open', (open, line, wanted) => {
    expect(fenceAfter(open, line)).toBe(wanted);
  });

  it('is followed through a text in pieces', () => {
    const reader = createFenceReader();
    const open = ['~~', '~md\n`', '``\ncode\n~', '~~', '\nText'].map((piece) => {
      reader.push(piece);
      return reader.isOpen();
    });
    expect(open).toEqual([false, true, true, true, false]);
  });

  it('begins where the code does that a text ends with', () => {
    expect(startOfFencedEnd('Text\n~~~md\n```\na\n~~~')).toBe(5);
    expect(startOfFencedEnd('```\na\n```\n\n```\nb\n```')).toBe(11);
    expect(startOfFencedEnd('```\na\n```\nText')).toBeUndefined();
    expect(startOfFencedEnd('```\na')).toBeUndefined();
  });
});
