/** The order of the days that the lines of a list are about. */
import type { Day } from '../../../base/text/dates/days.ts';

/**
 * A sort key per day, in the order given; undefined if the order is unclear. Days without a year may run over into the next one, as a
 * season does.
 */
export function sortKeysOf(days: readonly Day[]): readonly number[] | undefined {
  const withYear = days.filter(({ year }) => year > 0).length;
  if (withYear > 0 && withYear < days.length) return undefined;
  const keys = days.map(({ year, month, day }) => year * 10_000 + month * 100 + day);
  if (withYear > 0) return keys;
  const turns = keys.flatMap((key, at) => (at > 0 && key < keys[at - 1]! ? [at] : []));
  const [turn] = turns;
  if (turn === undefined) return keys;
  if (turns.length > 1 || keys.at(-1)! >= keys[0]!) return undefined;
  return keys.map((key, at) => (at < turn ? key : key + 10_000));
}
