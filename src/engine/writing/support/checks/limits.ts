/** Limits and ranges: "from force 8 up" is not "below force 8", and "between 10 pm and 6 am" is not "between 6 am and 10 pm". */
import type { Alignment } from '../alignment.ts';
import type { Bound } from '../reading/bounds.ts';
import type { Reading } from '../reading/reading.ts';
import { agree, type Figure } from './figure.ts';

const sides: Readonly<Partial<Record<Bound, 1 | -1>>> = { more: 1, least: 1, less: -1, most: -1 };

/** Whether the source has the same number as the other kind of limit, and neither denies what the other says. */
export function isLimitReversed(claim: Reading, source: Reading, { matches }: Alignment, said: Figure): boolean {
  if (said.bound === undefined || sides[said.bound] === undefined) return false;
  const side = sides[said.bound]!;
  const equal = source.quantities.filter(({ bound, ...rest }) =>
    agree({ bound: 'exact', ...rest }, { ...said, bound: 'exact' }),
  );
  const reversed = equal.find(({ bound }) => sides[bound] === -side);
  if (reversed === undefined || equal.some(({ bound }) => sides[bound] !== -side)) return false;
  const isDenied = (reading: Reading, from: number) =>
    reading.negations.some(({ at }) => reading.clauses[at] === reading.clauses[from]);
  const isOpposed = [...matches.values()].some(({ relation }) => relation === 'opposite' || relation === 'converse');
  return !isOpposed && !isDenied(claim, said.from) && !isDenied(source, reversed.from);
}

/** Whether this figure begins a range of the claim that, in the source, it ends. */
export function isRangeReversed(
  claim: Reading,
  source: Reading,
  said: Figure,
  figures: readonly Figure[],
  others: readonly Figure[],
): boolean {
  const end = figures.find((figure) => figure !== said && isRange(claim, said, figure));
  if (end === undefined || agree(said, end)) return false;
  const ranges = others.flatMap((one) =>
    others.flatMap((other) => (one !== other && isRange(source, one, other) ? [{ one, other }] : [])),
  );
  const isStraight = ranges.some(({ one, other }) => agree(one, said) && agree(other, end));
  return !isStraight && ranges.some(({ one, other }) => agree(one, end) && agree(other, said));
}

/** "From A to B", "between A and B", "A until B", "A–B". */
function isRange({ tokens }: Reading, one: Figure, other: Figure): boolean {
  if (other.from < one.to || other.from - one.to > 5) return false;
  const between = tokens
    .slice(one.to, other.from)
    .flatMap(({ lower }) => (/^(?:[ap]\.?m\.?|[ap]|m|\.|o'clock|the)$/.test(lower) ? [] : [lower]));
  if (between.length !== 1) return false;
  const before = tokens.slice(Math.max(0, one.from - 2), one.from).map(({ lower }) => lower);
  return /^(?:to|until|till|-|–)$/.test(between[0]!) || (between[0] === 'and' && before.includes('between'));
}
