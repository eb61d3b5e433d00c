/**
 * Whether a quantity of a page says a quantity of a claim: the same number, in other units too, or one that a limit of the
 * claim includes.
 */
import type { Quantity } from './quantities.ts';

/** Whether a source that says `found` says `said`, too. */
export function entails(found: Quantity, said: Quantity): boolean {
  if (found.kind !== said.kind) return isSameHour(found, said) || isSameHour(said, found);
  if (found.dimension !== said.dimension && found.dimension !== '' && said.dimension !== '')
    return sameDuration(found, said);
  // "71 per cent of the trees" are not 71 trees; a heading may say of a bare number in a table that it is a share.
  if (found.dimension === 'percent' && said.dimension === '') return false;
  const difference = Math.abs(found.value - said.value);
  const isEqual = difference <= 1e-3 * Math.max(Math.abs(found.value), Math.abs(said.value));
  // With another unit unstated, the number as written may be what agrees: "adults pay 8" of "8 crowns for adults".
  const isBare = [found, said].some(({ dimension, value, digits }) => dimension === '' && value === digits);
  const isSame = isEqual || (isBare && found.dimension !== said.dimension && found.digits === said.digits);
  const isClose = isSame || difference <= 0.1 * Math.abs(found.value);
  // A limit other than the page's is another statement, even if it follows: "boats under 24 metres may pass" says less
  // than "under 240".
  switch (said.bound) {
    case 'about':
      return isClose;
    case 'more':
      return found.bound === 'more' || found.bound === 'least'
        ? isSame
        : found.bound !== 'most' && found.bound !== 'less' && found.value > said.value && found.value < 3 * said.value;
    case 'less':
      return found.bound === 'less' || found.bound === 'most'
        ? isSame
        : found.bound !== 'least' && found.bound !== 'more' && found.value < said.value && 3 * found.value > said.value;
    case 'least':
      return isSame && found.bound !== 'most' && found.bound !== 'less';
    case 'most':
      return isSame && found.bound !== 'least' && found.bound !== 'more';
    case 'exact':
      return isSame;
  }
}

/** "8 p.m.", where the other says "20 h" or "eight in the evening". */
function isSameHour(clock: Quantity, { kind, value, digits, dimension }: Quantity): boolean {
  return (
    clock.kind === 'clock' &&
    kind === 'cardinal' &&
    (dimension === '' || dimension === 'time') &&
    (clock.digits === digits || clock.value === 60 * value)
  );
}

/** 12 months and a year, 7 days and a week, 24 hours and a day. */
function sameDuration(found: Quantity, said: Quantity): boolean {
  const seconds = ({ dimension, value }: Quantity) =>
    dimension === 'time'
      ? value
      : dimension === 'days'
        ? value * 86_400
        : dimension === 'months'
          ? value * 2_629_800
          : Number.NaN;
  const [one, other] = [seconds(found), seconds(said)];
  return Math.abs(one - other) <= 0.02 * one;
}
