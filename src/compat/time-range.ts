/** The ranges of time, back from now, that clients of other services restrict results to. */
import { dayMs } from '../base/values/day.ts';

/** Days of each range by its first letter. How the services count months and years is not known, so they are rounded up. */
const rangeDays = { d: 1, w: 7, m: 31, y: 366 } as const;

/** The days of "day", "week", "month" or "year", or of their first letters. */
export function daysOfRange(range: `${keyof typeof rangeDays}${string}`): number {
  return rangeDays[range[0] as keyof typeof rangeDays];
}

/** The ISO date this many days before `now`, in ms since 1970. */
export function dateBefore(now: number, days: number): string {
  return new Date(now - days * dayMs).toISOString().slice(0, 10);
}
