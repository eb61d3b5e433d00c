/** Formats numbers and times for display, in the language of the page and the region of the browser. */
import { locale } from '../language/choice.ts';
import { t } from '../language/text.ts';

const numbers = new Intl.NumberFormat(locale);
const short = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
const percents = new Intl.NumberFormat(locale, { style: 'percent' });
const dateTimes = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const days = new Intl.DateTimeFormat(locale, { dateStyle: 'long' });
const months = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' });
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });

const lists = new Intl.ListFormat(locale);

/** "a, b and c" */
export const formatList = (items: readonly string[]) => lists.format(items);

export const formatNumber = (value: number) => numbers.format(value);

/** `12.3k` from 10,000 on. */
export const formatShortNumber = (value: number) => (value < 10_000 ? numbers.format(value) : short.format(value));

/** "72%" of 0.72. */
export const formatShare = (value: number) => percents.format(value);

export const formatDateTime = (iso: string) => dateTimes.format(new Date(iso));

/** In a time zone that is named beside it; in the browser's, with its name, if the browser does not know that one. */
export function formatDateTimeIn(iso: string, timeZone: string): string {
  const date = new Date(iso);
  try {
    return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(date);
  } catch {
    return date.toLocaleString(locale, { timeZoneName: 'short' });
  }
}

/** "23 November 2026" */
export const formatDay = (iso: string) => days.format(new Date(iso));

/** "November 2026" */
export const formatMonth = (date: Date) => months.format(date);

/** `$0.42`; small amounts get enough digits to show that they are not zero. */
export const formatMoney = (value: number, currency: string) =>
  new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    maximumFractionDigits: value > 0 && value < 1 ? 4 : 2,
  }).format(value);

/** "3 minutes ago"; the date after two weeks. */
export function formatAgo(iso: string): string {
  const seconds = (Date.parse(iso) - Date.now()) / 1000;
  if (seconds > -45) return t.time.now;
  for (const [unit, size, max] of [
    ['minute', 60, 60],
    ['hour', 3_600, 24],
    ['day', 86_400, 14],
  ] as const) {
    const count = Math.round(seconds / size);
    if (-count < max) return relative.format(count, unit);
  }
  return dateTimes.format(new Date(iso));
}

/** "850 ms", "3.2 s", "2 min 5 s" or "3 hr 10 min", with the units of the language. */
export function formatDuration(ms: number): string {
  if (ms > 0 && ms < 1) return `< ${withUnit(1, 'millisecond')}`;
  if (Math.round(ms) < 1_000) return withUnit(Math.round(ms), 'millisecond');
  const tenths = Math.round(ms / 100);
  if (tenths < 600) return withUnit(tenths / 10, 'second', 1);
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return `${withUnit(Math.floor(seconds / 60), 'minute')} ${withUnit(seconds % 60, 'second')}`;
  const minutes = Math.round(ms / 60_000);
  return `${withUnit(Math.floor(minutes / 60), 'hour')} ${withUnit(minutes % 60, 'minute')}`;
}

/** Bytes in units of 1,000: "14 kB", "3.2 MB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return withUnit(bytes, 'byte');
  let value = bytes / 1_000;
  let unit = 0;
  for (; value >= 1_000 && unit < 2; unit += 1) value /= 1_000;
  return withUnit(value, (['kilobyte', 'megabyte', 'gigabyte'] as const)[unit]!, value < 10 ? 1 : 0);
}

/** The last part of the address of a file, as it is called there. */
export function fileNameOf(address: string): string {
  const name = address.split('/').at(-1) ?? address;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Always with `digits` after the point. */
function withUnit(value: number, unit: string, digits = 0): string {
  const fixed = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  // The short form of bytes has no plural: "63 byte".
  const unitDisplay = unit === 'byte' ? 'long' : 'short';
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay, ...fixed }).format(value);
}
