/** The order of the days that the lines of a list are about. */
import type { Day } from '../../../base/text/dates/days.ts';

/**
 * Numbers for days that grow with them, in the order of the days; undefined where they are not clear. Days without a year are of a year or
 * of a season that goes on into the next one, as their order tells.
 */
export function inOrderOfTime(days: readonly Day[]): readonly number[] | undefined {
  const withYear = days.filter(({ year }) => year > 0).length;
  if (withYear > 0 && withYear < days.length) return undefined;
  const numbers = days.map(({ year, month, day }) => year * 10_000 + month * 100 + day);
  if (withYear > 0) return numbers;
  const turns = numbers.flatMap((number, at) => (at > 0 && number < numbers[at - 1]! ? [at] : []));
  const [turn] = turns;
  if (turn === undefined) return numbers;
  if (turns.length > 1 || numbers.at(-1)! >= numbers[0]!) return undefined;
  return numbers.map((number, at) => (at < turn ? number : number + 10_000));
}
