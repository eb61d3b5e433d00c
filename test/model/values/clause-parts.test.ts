/** The parts of long clauses. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { splitParts } from '../../../src/model/extractive/fill/clause-parts.ts';

const affirms = /\b(?:allow(?:s|ed)?|welcome)\b/i;
const denies = /\b(?:prohibit(?:s|ed)?|banned)\b/i;

/** How many characters the patterns read until they match or end. */
function charactersRead(text: string): number {
  let read = 0;
  const { exec } = RegExp.prototype;
  vi.spyOn(RegExp.prototype, 'exec').mockImplementation(function (this: RegExp, said: string) {
    const from = this.global ? this.lastIndex : 0;
    const found = exec.call(this, said);
    read += (found === null ? said.length : found.index + found[0].length) - from;
    return found;
  });
  splitParts(text, affirms, denies);
  vi.restoreAllMocks();
  return read;
}

describe('the parts of a clause', () => {
  afterEach(() => vi.restoreAllMocks());

  it.each([
    'a, ',
    'a and ',
    'a and a ',
    'cats, no ',
    'cats and no ',
    'cats noch ',
    'dogs and banned ',
    'cats and are ',
    'one is and no ',
    'dogs allowed and banned ',
    'cats nor ',
  ])('are found in time that grows with a list of "%s"', (item) => {
    const text = (length: number) => `Dogs ${item.repeat(length)}`;
    expect(charactersRead(text(800))).toBeLessThan(2.2 * charactersRead(text(400)));
  });

  it('are the same however far apart what they say is', () => {
    const list = 'cats, birds, fish, '.repeat(40);
    const textsOf = (clause: string) =>
      splitParts(clause, affirms, denies).map(({ start, end }) => clause.slice(start, end));
    expect(textsOf(`Dogs are welcome with ${list}no snakes and no lift.`)).toEqual([
      `Dogs are welcome with ${list.slice(0, -2)}`,
      'no snakes',
      'no lift.',
    ]);
    expect(textsOf(`Dogs allowed, ${list}banned snakes.`)).toEqual([
      `Dogs allowed, ${list.slice(0, -2)}`,
      'banned snakes.',
    ]);
  });
});
