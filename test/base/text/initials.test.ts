import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { initialsIn, initialsOf } from '../../../src/base/text/initials.ts';

describe('the initials of names', () => {
  it.each([
    ['New York City', 'NYC'],
    ['In 1958 the National Aeronautics and Space Administration was founded.', 'NASA'],
    ['He taught at the Massachusetts Institute of Technology.', 'MIT'],
    ['the Coca-Cola Company', 'CCC'],
  ])('finds in %s the initials %s', (text, initials) => {
    expect(initialsIn(text)).toContain(initials);
  });

  it('finds no initials across the end of a sentence, or of a single word', () => {
    expect(initialsIn('It is in York. City records are kept there.')).toEqual([]);
    expect(initialsIn('York')).toEqual([]);
  });

  it('finds two to six capitals, each once, which are read back as initials', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('New', 'York', 'Éire', 'of', 'the', 'city', '1871', '–', '.'), { maxLength: 30 }),
        (words) => {
          const found = initialsIn(words.join(' '));
          expect(new Set(found).size).toBe(found.length);
          for (const initials of found) expect(initialsOf(`${initials}’s`)).toBe(initials);
        },
      ),
    );
  });

  it.each(['Nyc', 'N', 'NYC2', 'CHILDREN', ''])('does not read %j as initials', (written) => {
    expect(initialsOf(written)).toBeUndefined();
  });
});
