/** A model that repeats itself is stopped; a table whose rows are alike is not. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRepetitionGuard } from '../../../src/engine/writing/repetition-guard.ts';

/** Whether a text, in pieces of this size, is taken for a repetition. */
function isStopped(text: string, size: number): boolean {
  const repeats = createRepetitionGuard();
  for (let at = 0; at < text.length; at += size) if (repeats(text.slice(at, at + size))) return true;
  return false;
}

const sizes = fc.integer({ min: 1, max: 60 });

describe('the guard against repetition', () => {
  it('stops what is said over and over, whatever it is', () => {
    const words = fc
      .string({ unit: 'grapheme-ascii', minLength: 12, maxLength: 300 })
      .filter((text) => text.trim().length > 11);
    fc.assert(
      fc.property(words, fc.string({ maxLength: 500 }), sizes, (said, before, size) => {
        expect(isStopped(before + said.repeat(Math.ceil(4_000 / said.length)), size)).toBe(true);
      }),
    );
  });

  it.each([400, 700, 1_200, 2_500])('stops a paragraph of %d characters before it is said a fourth time', (length) => {
    const paragraph = Array.from({ length }, (_, at) => `Sentence ${at * 7919} of it.`).join(' ');
    const said = `${paragraph.slice(0, length)}\n\n`;
    expect(isStopped(`So it is.\n\n${said.repeat(4)}`, 5)).toBe(true);
  });

  it('lets a paragraph pass that is said a second time after another one', () => {
    const paragraph = Array.from({ length: 40 }, (_, at) => `Sentence ${at * 7919} of it.`).join(' ');
    expect(
      isStopped(`${paragraph}\n\nAnd the other one:\n\n${paragraph}\n\n${paragraph.replaceAll('Sen', 'Pen')}`, 5),
    ).toBe(false);
  });

  it('lets a table pass whose rows differ in their first cell', () => {
    const cells = fc.array(fc.constantFrom('not stated in the evidence', 'Yes', 'No', '—'), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(cells, sizes, fc.integer({ min: 0, max: 400 }), (row, size, shift) => {
        const rows = Array.from({ length: 60 }, (_, at) => `| ${1950 + at} | ${row.join(' | ')} | [1] |\n`);
        expect(isStopped('x'.repeat(shift) + rows.join(''), size)).toBe(false);
      }),
    );
  });

  it('lets a line of equal cells pass', () => {
    expect(
      isStopped(
        `A comparison of twelve models.\n\n|${' --- |'.repeat(40)}\n| ${'Yes | '.repeat(40)}\n`.padEnd(900, '.\n'),
        7,
      ),
    ).toBe(false);
  });

  it('stops white space that does not end, and lets the gaps of a table pass', () => {
    for (const blank of [' ', '\n', ' \n', '\t', '\u00a0'])
      for (const size of [1, 50, 1_000]) expect(isStopped(`So it is.${blank.repeat(700)}`, size)).toBe(true);
    const rows = Array.from(
      { length: 30 },
      (_, at) => `| ${1950 + at}${' '.repeat(300)}| ${at * 7}${' '.repeat(280)}|\n`,
    );
    expect(isStopped(rows.join(''), 5)).toBe(false);
  });
});
