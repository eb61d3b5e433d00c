/** The line comparison of two versions of a design. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffLines } from '../../src/ui/designer/line-diff.ts';

const lines = fc.array(fc.constantFrom('a', 'b', 'c', '', '{', 'long line'), { minLength: 1, maxLength: 30 });
const texts = lines.map((all) => all.join('\n'));

describe('diffLines', () => {
  it('returns every line of both texts', () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const rows = diffLines(before, after);
        const side = (name: 'before' | 'after') => rows.map((row) => row[name]).filter((line) => line !== undefined);
        expect(side('before').join('\n')).toBe(before);
        expect(side('after').join('\n')).toBe(after);
        for (const row of rows) expect(row.isSame).toBe(row.before === row.after);
      }),
    );
  });

  it('marks nothing in equal texts, and only the differences in others', () => {
    expect(diffLines('a\nb', 'a\nb').every(({ isSame }) => isSame)).toBe(true);
    expect(diffLines('a\nb\nc', 'a\nB\nc')).toEqual([
      { before: 'a', after: 'a', isSame: true },
      { before: 'b', after: 'B', isSame: false },
      { before: 'c', after: 'c', isSame: true },
    ]);
    expect(diffLines('a\nc', 'a\nb\nc')).toEqual([
      { before: 'a', after: 'a', isSame: true },
      { before: undefined, after: 'b', isSame: false },
      { before: 'c', after: 'c', isSame: true },
    ]);
  });

  it('stays fast for long texts', () => {
    const long = Array.from({ length: 50_000 }, (_, n) => `line ${n}`).join('\n');
    expect(diffLines(long, 'one')).toHaveLength(50_001);
  });
});
