/** Figures that a claim has worked out of two of its source: "fell by 4 million" of 41 and 37, "70 minutes in all" of 20 and 50. */
import type { FoundDate } from '../reading/dates.ts';
import type { Quantity } from '../reading/quantities.ts';
import { type Reading, wordsOf } from '../reading/reading.ts';

const differences =
  /\b(?:by|fewer|more|less|difference|drop|fell|cut|increase|decrease|rose|reduction|absent|missing|later|earlier|longer|shorter|ahead|behind|gap|margin|lead|saved|lost|gained|remaining|left|older|younger|after|for)\b/;
const sums = /\b(?:total|together|altogether|overall|sum|in all|combined|both)\b/;
const spans = /\b(?:age|aged|old|years?|year)\b/;
/** Figures of a source that are compared in pairs; set by hand. */
const maxFigures = 12;

/** Whether two figures of the source make this one, and the claim says in words that it is a sum, a difference or an age. */
export function isDerived(
  claim: Reading,
  said: Quantity | FoundDate,
  others: readonly (Quantity | FoundDate)[],
): boolean {
  if (!('value' in said) || said.kind === 'ordinal') return false;
  const words = wordsOf(claim.tokens, 0, claim.tokens.length);
  const [isSum, isDifference, isSpan] = [sums.test(words), differences.test(words), spans.test(words)];
  const found = others.slice(0, maxFigures);
  const values = found.flatMap((each) =>
    'value' in each && each.kind === said.kind && isComparable(each, said) ? [each.value] : [],
  );
  const years = isSpan ? found.flatMap((each) => ('value' in each || each.year === undefined ? [] : [each.year])) : [];
  // Who was born in June of 1869 was 71 in May of 1941.
  const count = said.digits;
  return (
    pairs(years).some(([one, other]) => [0, 1].includes(Math.abs(one - other) - count)) ||
    pairs(values).some(
      ([one, other]) =>
        (isSum && isNear(one + other, said.value)) || (isDifference && isNear(Math.abs(one - other), said.value)),
    )
  );
}

/** A unit may be left out where it was just named: "37 million euros, down from 41 million". */
function isComparable(one: Quantity, other: Quantity): boolean {
  return one.dimension === other.dimension || one.dimension === '' || other.dimension === '';
}

function pairs(values: readonly number[]): [number, number][] {
  return values.flatMap((one, at) => values.slice(at + 1).map((other): [number, number] => [one, other]));
}

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= 1e-6 * Math.abs(other);
}
