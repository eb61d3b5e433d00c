/**
 * Limits, ranges, times of day, figures that follow from others, comparisons, and who is denied what: each fault with its neighbour
 * that is none.
 */
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

it.each([
  [
    'limit reversed',
    'Damage is covered if the wind stays below force 8.',
    'We cover damage caused by wind of force 8 or above.',
  ],
  ['limit reversed', 'Items older than two years are replaced.', 'Items less than two years old are replaced.'],
  [
    'range reversed',
    'Noise is prohibited between 6 a.m. and 10 p.m.',
    'Noise is prohibited between 10 p.m. and 6 a.m.',
  ],
  ['range reversed', 'The sauna is open from April to October.', 'The sauna is open from October to April.'],
  ['figure differs', 'The gate closes at 8 a.m.', 'The gate closes at 8 p.m.'],
  ['figure differs', 'The train runs three times a day.', 'The train runs three times a week.'],
  ['figure differs', 'Parking costs 12 euros a month.', 'Parking costs 12 euros a year.'],
  ['time of figure', 'The dome has been closed since 1992.', 'The dome was closed from 1992 to 1997.'],
  [
    'comparison reversed',
    'The Karo boils water faster than the Boilwell.',
    'The Boilwell boils water faster than the Karo.',
  ],
  ['comparison reversed', 'Females are larger than males.', 'Females are smaller than males.'],
  ['clause polarity', 'Plugins can open connections.', 'Plugins cannot open connections.'],
  [
    'clause roles',
    'The park pays tour operators 6 dollars.',
    'Tour operators pay a fee of 6 dollars for each visitor.',
  ],
  ['clause roles', 'The passenger train struck a freight train.', 'A freight train struck the passenger train.'],
])('finds "%s" in "%s" where the page says "%s"', (kind, claim, page) => {
  expect(faultsOf(claim, page)).toContain(kind);
});

it.each([
  ['limit reversed', 'Wind below force 8 is not covered.', 'Wind of force 8 or above is covered.'],
  ['range reversed', 'The sauna is open from October to April.', 'The sauna is open between October and April.'],
  ['figure differs', 'The gate closes at 8.30 p.m.', 'The gate closes at 20:30.'],
  ['figure differs', 'The train runs three times a week.', 'The train runs three times weekly.'],
  ['time of figure', 'The dome has been closed since 1992.', 'The dome has been closed from 1992 on.'],
  ['figure missing', 'Production rose by about 67 per cent.', 'Production rose by two thirds.'],
  ['figure differs', 'There are twice as many crews.', 'The operator has doubled its crews, now of six each.'],
  ['figure differs', 'Her husband died in 2012.', 'She died in 2014, two years after her husband.'],
  ['rival', 'Her father was a mason.', 'She was the daughter of a mason.'],
  ['opposite', 'Emil Roth died before his wife.', 'She died in 2014, after her husband, Emil Roth.'],
  ['opposite', 'The Karo is slower than the Boilwell.', 'The Boilwell is faster than the Karo.'],
  ['comparison reversed', 'The Karo is slower than the Boilwell.', 'The Boilwell is faster than the Karo.'],
  ['clause polarity', 'Nobody can open connections.', 'Plugins cannot open connections.'],
])('does not find "%s" in "%s" where the page says "%s"', (kind, claim, page) => {
  expect(faultsOf(claim, page)).not.toContain(kind);
});

it.each([
  ['The park had planned to employ eleven rangers.', 'The park employs nine rangers, two fewer than it had planned.'],
  [
    'Last year the fair raised about 2,500 crowns.',
    'The fair raised 3,140 crowns, about 600 crowns more than last year.',
  ],
  ['Twenty-one passengers were injured.', 'Two passengers were seriously and nineteen slightly injured.'],
  ['Eight of the chicks survived.', 'Eleven chicks hatched, three of which did not survive.'],
  ['Pupils pay nine euros.', 'The fee is 18 euros; pupils pay half.'],
])('takes the figure in "%s" as one that follows from others', (claim, page) => {
  const faults = faultsOf(claim, page);
  expect(faults).toContain('figure derived');
  expect(faults).not.toContain('figure differs');
});

describe('a claim about a page in another language', () => {
  const page = readSource(
    'El arquitecto Luis Arana diseñó la cubierta de hierro. En 1987 un incendio destruyó el ala norte, que no se reconstruyó hasta 1995. ' +
      'Está prohibido vender animales vivos.',
    'El mercado de San Telmo',
    '',
  );

  it.each([
    ['The iron roof was designed by Luis Arana.', true],
    ['A fire destroyed the north wing in 1987.', true],
    ['Live animals may not be sold there.', true],
    ['A fire destroyed the south wing in 1987.', false],
    ['Live animals may be sold there.', false],
    ['The brick wall was painted by Luis Arana.', false],
  ])('"%s" is cited: %s', (claim, isCited) => {
    expect(checkClaim(claim, page)?.isCitable).toBe(isCited);
  });
});

it.each([
  [
    'Anyone can get a card free of charge.',
    'Anyone who lives in the county can get a card free of charge; others pay.',
    false,
  ],
  [
    'Anyone who lives in the county can get a card free of charge.',
    'Anyone who lives in the county can get a card free of charge; others pay.',
    true,
  ],
  ['Children can borrow 20 books.', 'Adults may borrow ten books, children may borrow twenty.', true],
  ['Children can borrow 10 books.', 'Adults may borrow ten books, children may borrow twenty.', false],
  ['The tower was sold in 1919.', 'The tower, which was built in 1882, was sold in 1919.', true],
])('takes "%s" as said part by part by "%s": %s', (claim, page, isEntailed) => {
  const source = readSource(page, '', '');
  expect(readCandidates(readClaim(claim, source.names), source).some((each) => each.isEntailed)).toBe(isEntailed);
});

it.each([
  ['Visits by parents are not allowed.', 'Visits by parents are not allowed during the first week.', false],
  ['Visits by parents are not allowed.', 'Visits by parents are not allowed, as beds are few.', true],
])('takes "%s" as copied from "%s": %s', (claim, page, isPlain) => {
  const source = readSource(page, '', '');
  expect(readCandidates(readClaim(claim, source.names), source).some((each) => each.isPlain)).toBe(isPlain);
});
