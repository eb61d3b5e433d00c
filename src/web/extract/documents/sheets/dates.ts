/** Days and times of sheets in the form of ISO 8601, which reads the same in every country. */

/** Which parts of a date a person sees. */
export interface ShownParts {
  readonly year: boolean;
  readonly month: boolean;
  readonly day: boolean;
  readonly time: boolean;
  readonly seconds: boolean;
  /** Whether hours go on after 24, as in a sum of working hours. */
  readonly elapsed: boolean;
}

const daySeconds = 86_400;
/** 9999-12-31, the last day that Excel has. */
const lastDay = 2_958_465;

/**
 * The number of a date as text: days since 1900, or since 1904 in some files of Macs, with the time as a fraction
 * (ECMA-376-1, 18.17.4). Undefined for a number that is not a date.
 */
export function dateOfSerial(serial: number, shown: ShownParts, from1904: boolean): string | undefined {
  if (!(serial >= 0 && serial <= lastDay + 1)) return undefined;
  // 14:30 is 0.604166…: only the nearest second is what was meant.
  const seconds = Math.round(serial * daySeconds);
  const days = Math.floor(seconds / daySeconds);
  const hasDate = shown.year || shown.month || shown.day;
  const time = !shown.time ? '' : timeOf(shown.elapsed ? seconds : seconds % daySeconds, shown.seconds);
  if (!hasDate) return time;
  const date = dayOf(days, from1904);
  if (date === undefined) return undefined;
  const [year, month] = date.split('-');
  const day = shown.year && !shown.day ? (shown.month ? `${year}-${month}` : year!) : date;
  return time === '' ? day : `${day} ${time}`;
}

/** A number of seconds as `14:30` or `14:30:05`. */
export function timeOf(seconds: number, withSeconds: boolean): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const time = `${two(seconds / 3_600)}:${two((seconds / 60) % 60)}`;
  return withSeconds ? `${time}:${two(seconds % 60)}` : time;
}

/** `2026-03-14T14:30:00` with a space and without what says nothing: the time of midnight, seconds of zero, fractions. */
export function shortIsoDate(value: string): string {
  return value
    .trim()
    .replace(/(?:\.\d+)?Z?$/, '')
    .replace('T', ' ')
    .replace(/ 00:00(?::00)?$/, '')
    .replace(/( \d\d:\d\d):00$/, '$1')
    .slice(0, 40);
}

function dayOf(days: number, from1904: boolean): string | undefined {
  if (from1904) return isoDay(Date.UTC(1904, 0, 1 + days));
  if (days === 0) return undefined;
  // Excel counts the 29th of February 1900, which never was, as Lotus 1-2-3 did.
  if (days === 60) return '1900-02-29';
  return isoDay(Date.UTC(1899, 11, (days < 60 ? 31 : 30) + days));
}

function isoDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
