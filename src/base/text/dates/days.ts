/** Days as texts write them: "Saturday 14 March, 7.30 pm", "11.10.2026", "le 1er mai 2026". */
import { withoutClockTimes } from './clock-times.ts';
import { isoDay } from './iso-day.ts';
import { monthNumbers } from './months.ts';

/** A day; the year is 0 where it is not said. */
export interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const iso = /(?<![\d-])((?:1[5-9]|20)\d\d)-(\d\d)-(\d\d)(?!\d)/;
const figures = /(?<![\d.])(\d{1,2})\.\s?(\d{1,2})\.\s?((?:1[5-9]|20)?\d\d)?(?!\d)/;
const slashed = /(?<![\d/])(\d{1,2})\/(\d{1,2})\/((?:1[5-9]|20)\d\d)(?!\d)/;
const dayFirst =
  /(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|\.)?(?:[-–]\d{1,2}\.?)?\s+(?:of\s|de\s)?(\p{L}{3,10})\.?(?:,?\s+(?:de\s)?((?:1[5-9]|20)\d\d))?(?!\p{L})/giu;
const monthFirst =
  /(?<!\p{L})(\p{L}{3,10})\.?\s+(\d{1,2})(?:st|nd|rd|th)?(?!\d|[.:]\d)(?:,?\s+((?:1[5-9]|20)\d\d))?/giu;

/**
 * "2026-03-01" for a text that writes this day, as "1 March 2026" or "01.03.2026" does. Undefined for one without a year, for several
 * days, for "03/01/2026", which may be either, and for a day that no calendar has.
 */
export function isoDayOf(text: string): string | undefined {
  const slash = slashed.exec(text);
  const day = slash === null ? dayIn(text) : certainDay(slash);
  if (day === undefined || day.year === 0) return undefined;
  const others = withoutClockTimes(text).match(/\d+/g)?.length ?? 0;
  const isNamed = slash === null && !iso.test(text) && !figures.test(text);
  return others > (isNamed ? 2 : 3) ? undefined : isoDay(day.year, day.month, day.day);
}

function certainDay([, one, other, year]: RegExpExecArray): Day | undefined {
  if (Number(one) > 12 || one === other) return toDay(year, Number(other), one);
  return Number(other) > 12 ? toDay(year, Number(one), other) : undefined;
}

/** The first day that a text names; undefined without one. */
export function dayIn(text: string): Day | undefined {
  const found = iso.exec(text);
  if (found !== null) return toDay(found[1], Number(found[2]), found[3]);
  const written = figures.exec(text) ?? slashed.exec(text);
  if (written !== null) return toDay(written[3], Number(written[2]), written[1]);
  const [, day, month, year] = namedDays(text, dayFirst, 2)[0] ?? [];
  if (day !== undefined) return toDay(year, monthNumbers.get(month!.toLowerCase())!, day);
  const [, name, number, of] = namedDays(text, monthFirst, 1)[0] ?? [];
  return number === undefined ? undefined : toDay(of, monthNumbers.get(name!.toLowerCase())!, number);
}

/** Where a text names days, in order, in any of these forms. */
export function daySpansIn(text: string): { readonly text: string; readonly start: number; readonly end: number }[] {
  const found = [
    ...[iso, figures, slashed].flatMap((form) => [...text.matchAll(new RegExp(form, 'g'))]),
    ...namedDays(text, dayFirst, 2),
    ...namedDays(text, monthFirst, 1),
  ];
  const spans = found.map(({ 0: said, index }) => ({ text: said, start: index, end: index + said.length }));
  // "14 May 2026" has "May 20" within.
  const isWithin = (span: (typeof spans)[number]) =>
    spans.some(
      (other) =>
        other !== span && other.start <= span.start && other.end > span.start && other.text.length > span.text.length,
    );
  return spans.filter((span) => !isWithin(span)).sort((a, b) => a.start - b.start);
}

/** The matches of a form whose group at this index is a month. */
function namedDays(text: string, form: RegExp, at: number): RegExpExecArray[] {
  return [...text.matchAll(form)].filter((found) => monthNumbers.has(found[at]!.toLowerCase()));
}

function toDay(years: string | undefined, month: number, days: string | undefined): Day | undefined {
  const day = Number(days);
  const year = Number(years ?? 0);
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  return { year: year > 0 && year < 100 ? 2000 + year : year, month, day };
}
