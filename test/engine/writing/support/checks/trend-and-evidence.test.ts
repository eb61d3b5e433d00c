import { describe, expect, it } from 'vitest';
import {
  checkClaim,
  readCandidates,
  readClaim,
  readSource,
} from '../../../../../src/engine/writing/support/check-claim.ts';

/** The kinds of fault in the sentences that say most of the claim. */
function faultsOf(claim: string, page: string): string[] {
  const source = readSource(page, '', '');
  return readCandidates(readClaim(claim, source.names), source).flatMap(({ faults }) => faults.map(({ kind }) => kind));
}

describe('the direction of a change or a comparison', () => {
  it.each([
    ['The budget is 90 million crowns lower than in 2024.', 'The budget is 90 million crowns more than in 2024.'],
    ['The population of Hald shrank by 8 percent.', 'The population of Hald grew by 8 percent.'],
    ['The tolls brought in more after the war.', 'After the war the tolls brought in less.'],
  ])('is a fault of "%s" where the page says "%s"', (claim, page) => {
    expect(faultsOf(claim, page)).toContain('trend');
  });

  it.each([
    ['the same', 'The population of Hald rose by 8 percent.', 'The population of Hald grew by 8 percent.'],
    ['exchanged around "than"', 'Lake Orra is smaller than Lake Vessa.', 'Lake Vessa is larger than Lake Orra.'],
    ['a bound of a number', 'Fewer than 30 boats left.', 'More than 30 boats left.'],
    ['denied', 'The rent did not fall.', 'The rent rose.'],
  ])('is no fault where it is %s', (_, claim, page) => {
    expect(faultsOf(claim, page)).not.toContain('trend');
  });
});

describe('a proof', () => {
  it('is a fault where the page speaks of none', () => {
    expect(faultsOf('The stent has been shown to be safe.', 'The makers hope that the stent is safe.')).toContain(
      'evidence',
    );
  });

  it.each(['Two studies demonstrated that the stent is safe.', 'A trial found the stent to be safe.'])(
    'is no fault where the page has one: %s',
    (page) => {
      expect(faultsOf('The stent has been shown to be safe.', page)).not.toContain('evidence');
    },
  );
});

describe('"all"', () => {
  const page = 'All but one of the chimneys were pulled down in 1975.';

  it('is a fault where the page says "all but one"', () => {
    expect(faultsOf('All of the chimneys were pulled down in 1975.', page)).toContain('exception');
  });

  it('is no fault with the exception', () => {
    expect(faultsOf('All but one of the chimneys were pulled down.', page)).not.toContain('exception');
  });
});

describe('a question', () => {
  it('says nothing', () => {
    expect(faultsOf('The bank paid twice.', 'Dana: So the bank paid twice?')).toContain('asked');
    expect(checkClaim('The bank paid twice.', readSource('Dana: So the bank paid twice?', '', ''))?.verdict).not.toBe(
      'supported',
    );
  });

  it('is no fault where a sentence follows that says it', () => {
    expect(faultsOf('The bank paid twice.', 'Did they pay? The bank paid twice.')).not.toContain('asked');
  });
});

describe('a pronoun', () => {
  it('is a fault where the page speaks of a man instead of a woman', () => {
    expect(
      faultsOf('Idris spent 40 minutes on her ninth move.', 'Somlo spent 40 minutes on his ninth move.'),
    ).toContain('person');
  });

  it('is no fault where the page speaks of both', () => {
    expect(faultsOf('She lost to him.', 'He beat her in the final; she lost to him twice.')).not.toContain('person');
  });
});

describe('a share', () => {
  it('is no number of things', () => {
    expect(faultsOf('Seventy-one trees are still alive.', 'Of the trees, 71 per cent are still alive.')).toContain(
      'figure differs',
    );
  });

  it('is the same as a fraction or a percentage', () => {
    const page = 'A quarter of the trees are still alive.';
    expect(faultsOf('Of the trees, 25 percent are still alive.', page)).toEqual([]);
  });
});
