/**
 * What the clocks of a zone show, and when. A wall-clock time is written like an instant, as the ms since 1970 at which clocks in
 * UTC show it. A later wall-clock time never comes before an earlier one.
 */
import { dayMs } from '../base/values/day.ts';

export interface WallClock {
  /** What the clocks show at an instant. */
  at(instant: number): number;
  /** When the clocks first show a time; for one that they skip, when they do. */
  firstShow(wall: number): number;
}

/** Throws a RangeError for what is not an IANA time zone. */
export function createWallClock(timeZone: string): WallClock {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });

  function offsetAt(instant: number): number {
    const name = format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')!.value;
    // Such as `GMT-03:30`; `GMT` alone is UTC.
    const [, sign, hours, minutes, seconds = '0'] = /([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(name) ?? [];
    if (sign === undefined) return 0;
    return (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * (sign === '-' ? -1_000 : 1_000);
  }

  return {
    at: (instant) => instant + offsetAt(instant),
    firstShow(wall) {
      // Offsets are below a day, and clocks do not change twice within two.
      const [before, after] = [offsetAt(wall - dayMs), offsetAt(wall + dayMs)];
      if (offsetAt(wall - before) === before) return wall - before;
      if (offsetAt(wall - after) === after) return wall - after;
      // It is skipped: with the earlier offset it comes after the change, with the later one before it.
      let [low, high] = [wall - after, wall - before];
      while (high - low > 1) {
        const middle = Math.floor((low + high) / 2);
        if (offsetAt(middle) === before) low = middle;
        else high = middle;
      }
      return high;
    },
  };
}
