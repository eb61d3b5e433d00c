import { describe, expect, it } from 'vitest';
import { readCandidates, readClaim, readSource } from '../../../../../src/engine/writing/support/check-claim.ts';

const read = (claim: string, page: string) => {
  const source = readSource(page, 'Marlow Bridge', '');
  return readCandidates(readClaim(claim, source.names), source);
};
const isEntailed = (claim: string, page: string) => read(claim, page).some((each) => each.isEntailed);
/** The kinds of fault in the sentences that say most of the claim. */
const faultsOf = (claim: string, page: string) =>
  read(claim, page).flatMap(({ faults }) => faults.map(({ kind }) => kind));

describe('the clauses of a claim', () => {
  it.each([
    ['what was opened, opened', 'The bridge opened in 1931.', 'It was opened on 14 May 1931 by Queen Ingrid.'],
    [
      'a place has a shorter name',
      'A path under the strait was proposed.',
      'A path under the Ell Strait was proposed.',
    ],
    [
      'a noun describes what is made',
      'Corvane makes laboratory scales.',
      'Corvane makes laboratory scales and clocks.',
    ],
  ])('are said where %s', (_, claim, page) => {
    expect(isEntailed(claim, page)).toBe(true);
  });

  it.each([
    ['somebody else acted', 'The queen opened in 1931.', 'The bridge was opened in 1931 by the mayor.'],
    ['only a part of them was so', 'Nine men were seriously hurt.', 'Nine men were hurt, two of them seriously.'],
    ['it was not so ever', 'It is the first bridge ever.', 'It is the first bridge.'],
  ])('are not said where %s', (_, claim, page) => {
    expect(isEntailed(claim, page)).toBe(false);
  });

  it('clash where a name acts instead of something new', () => {
    const page = 'A fire destroyed the reading room in 1944.';
    expect(faultsOf('Jonas Reiter destroyed the reading room in 1944.', page)).toContain('clause agent');
    expect(faultsOf('It destroyed the reading room in 1944.', page)).not.toContain('clause agent');
  });
});
