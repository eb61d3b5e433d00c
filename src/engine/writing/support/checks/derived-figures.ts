/** Figures that a claim has worked out of two of its source: "fell by 4 million" of 41 and 37, "70 minutes in all" of 20 and 50. */
import type { FoundDate } from '../reading/dates.ts';
import type { Quantity } from '../reading/quantities.ts';
import { phraseOf, type Reading } from '../reading/reading.ts';

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
  if (!('value' in said)) return isYearAway(said, others);
  if (said.kind === 'ordinal') return false;
  const words = phraseOf(claim.tokens, 0, claim.tokens.length);
  const [isSum, isDifference, isSpan] = [sums.test(words), differences.test(words), spans.test(words)];
  const found = others.slice(0, maxFigures);
  const values = found.flatMap((each) =>
    'value' in each && each.kind === said.kind && isComparable(each, said) ? [each.value] : [],
  );
  const years = isSpan ? found.flatMap((each) => ('value' in each || each.year === undefined ? [] : [each.year])) : [];
  // Someone born in June 1869 was 71 in May 1941.
  const count = said.digits;
  return (
    pairs(years).some(([one, other]) => [0, 1].includes(Math.abs(one - other) - count)) ||
    pairs(values).some(
      ([one, other]) =>
        (isSum && isNear(one + other, said.value)) || (isDifference && isNear(Math.abs(one - other), said.value)),
    )
  );
}

/** The year of "two years after 2014", "three years late" or "a year earlier"; others count months in years. */
function isYearAway({ year, month }: FoundDate, others: readonly (Quantity | FoundDate)[]): boolean {
  const years = others.flatMap((each) => ('value' in each || each.year === undefined ? [] : [each.year]));
  const spans = others.flatMap((each) => ('value' in each && each.dimension === 'months' ? [each.value / 12] : []));
  return (
    year !== undefined &&
    month === undefined &&
    years.some((one) => spans.some((span) => span >= 1 && Math.abs(one - year) === span))
  );
}

const moreThan = /^(?:more|higher|longer|larger|bigger|greater|older|taller|heavier|later|above|over|up)$/;
const lessThan = /^(?:less|fewer|lower|shorter|smaller|younger|lighter|earlier|below|under|down)$/;
/** How near a figure must be to the one that it follows from, as a share: in general, and where it is rounded; set by hand. */
const tolerance = { exact: 1e-3, about: 0.04 };

/**
 * Whether the source states a figure by two others: "9, two fewer than planned" (11), "3,140, about 600 more than last year" (2,540), "two
 * seriously and nineteen slightly" (21), "eleven, three of whom died" (8), "18 euros; pupils pay half" (9), "140 tonnes, of which a quarter" (35).
 */
export function isRelative({ tokens, quantities }: Reading, said: Quantity | FoundDate): boolean {
  if (!('value' in said) || said.kind !== 'cardinal' || said.isVague) return false;
  const wordAt = (at: number) => tokens[at]?.lower ?? '';
  const found = quantities.filter(({ kind }) => kind === 'cardinal').slice(0, maxFigures);
  const isSaid = (value: number) =>
    Math.abs(value - said.value) <= tolerance[said.bound === 'about' ? 'about' : 'exact'] * Math.abs(value);
  return found.some(
    (one, at) =>
      found.some((other, index) => {
        if (at === index || !isComparable(one, other) || !isComparable(one, said)) return false;
        const next = wordAt(other.to);
        const isDifference =
          /^(?:than|from|on)$/.test(wordAt(other.to + 1)) || /^(?:above|below|over|under)$/.test(next);
        if (isDifference && moreThan.test(next) && isSaid(one.value - other.value)) return true;
        if (isDifference && lessThan.test(next) && isSaid(one.value + other.value)) return true;
        if (index < at) return false;
        const between = tokens.slice(one.to, other.from).map(({ lower }) => lower);
        if (
          next === 'of' &&
          /^(?:which|whom|them|these|those)$/.test(wordAt(other.to + 1)) &&
          isSaid(one.value - other.value)
        )
          return true;
        const isSum =
          index === at + 1 && between.at(-1) === 'and' && !between.includes('between') && one.dimension === '';
        return isSum && isSaid(one.value + other.value);
      }) ||
      (one.dimension !== 'percent' &&
        isComparable(one, said) &&
        sharesAfter(one.to).some((share) => isSaid(one.value * share))),
  );

  /** "Of which a quarter", "pupils pay half", "twice as many", as factors. */
  function sharesAfter(to: number): number[] {
    return tokens.flatMap(({ lower }, at) => {
      if (at < to) return [];
      if (lower === 'half') return [0.5];
      if (/^(?:twice|double)$/.test(lower)) return [2];
      return quantities.flatMap(({ from, dimension, value }) =>
        from === at && dimension === 'percent' ? [value / 100] : [],
      );
    });
  }
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
