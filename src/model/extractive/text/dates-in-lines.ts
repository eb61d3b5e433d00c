/** The day that a line of a list is about: "Saturday 14 March, 7.30 pm: St Mary's", "Harvest concert – 11.10.2026". */
import { monthNumbers } from './document-date.ts';

/** A day; the year is 0 where it is not said. */
export interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const iso = /(?<![\d-])((?:19|20)\d\d)-(\d\d)-(\d\d)(?!\d)/;
const figures = /(?<![\d.])(\d{1,2})\.\s?(\d{1,2})\.\s?((?:19|20)?\d\d)?(?!\d)/;
const slashed = /(?<![\d/])(\d{1,2})\/(\d{1,2})\/((?:19|20)\d\d)(?!\d)/;
const dayFirst =
  /(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|\.)?(?:[-–]\d{1,2}\.?)?\s+(?:of\s|de\s)?(\p{L}{3,10})\.?(?:,?\s+(?:de\s)?((?:19|20)\d\d))?(?!\p{L})/giu;
const monthFirst = /(?<!\p{L})(\p{L}{3,10})\.?\s+(\d{1,2})(?:st|nd|rd|th)?(?!\d|[.:]\d)(?:,?\s+((?:19|20)\d\d))?/giu;

/** The first day that a text names; undefined without one. */
export function dayIn(text: string): Day | undefined {
  const found = iso.exec(text);
  if (found !== null) return toDay(found[1], Number(found[2]), found[3]);
  const written = figures.exec(text) ?? slashed.exec(text);
  if (written !== null) return toDay(written[3], Number(written[2]), written[1]);
  for (const [, day, month, year] of text.matchAll(dayFirst)) {
    const number = monthNumbers.get(month!.toLowerCase());
    if (number !== undefined) return toDay(year, number, day);
  }
  for (const [, month, day, year] of text.matchAll(monthFirst)) {
    const number = monthNumbers.get(month!.toLowerCase());
    if (number !== undefined) return toDay(year, number, day);
  }
  return undefined;
}

function toDay(years: string | undefined, month: number, days: string | undefined): Day | undefined {
  const day = Number(days);
  const year = Number(years ?? 0);
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  return { year: year > 0 && year < 100 ? 2000 + year : year, month, day };
}

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
