/** When a cron line is due, also on days on which the clocks change. */
import { Cron } from 'croner';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { nextTime } from '../../src/schedules/cron.ts';

describe('a cron expression', () => {
  const next = (cron: string, zone: string, from: string) => {
    const time = nextTime(cron, zone, Date.parse(from));
    return time === undefined ? undefined : new Date(time).toISOString();
  };

  const all = (cron: string, zone: string, from: string, until: string) => {
    const times: string[] = [];
    for (let time = next(cron, zone, from); time !== undefined && time < until; time = next(cron, zone, time))
      times.push(time.slice(5, 16));
    return times;
  };

  it.each([
    ['0 8 * * MON', 'Europe/Prague', '2026-03-23T12:00:00Z', '2026-03-30T06:00:00.000Z'],
    ['0 8 * * MON', 'Europe/Prague', '2026-10-20T12:00:00Z', '2026-10-26T07:00:00.000Z'],
    ['0 9 1 * *', 'America/New_York', '2026-02-01T20:00:00Z', '2026-03-01T14:00:00.000Z'],
    ['*/15 * * * *', 'UTC', '2026-01-01T00:07:00Z', '2026-01-01T00:15:00.000Z'],
    ['@daily', 'Asia/Kolkata', '2026-01-01T00:00:00Z', '2026-01-01T18:30:00.000Z'],
    ['0 0 29 2 *', 'UTC', '2026-01-01T00:00:00Z', '2028-02-29T00:00:00.000Z'],
  ])('follows the clocks of its zone: %s in %s', (cron, zone, from, expected) => {
    expect(next(cron, zone, from)).toBe(expected);
  });

  it('happens once on the day on which an hour is skipped, and on the one on which it is repeated', () => {
    expect(next('30 2 * * *', 'Europe/Prague', '2026-03-28T12:00:00Z')).toBe('2026-03-29T01:00:00.000Z');
    const first = next('30 2 * * *', 'Europe/Prague', '2026-10-24T12:00:00Z')!;
    expect(first).toBe('2026-10-25T00:30:00.000Z');
    expect(next('30 2 * * *', 'Europe/Prague', first)).toBe('2026-10-26T01:30:00.000Z');
  });

  it.each([
    ['30 2,14 * * *', '03-29T01:00 03-29T12:30'],
    ['0 2-3 * * *', '03-29T01:00'],
    ['0,30 2 * * *', '03-29T01:00'],
    ['*/20 1-3 * * SUN', '03-29T00:00 03-29T00:20 03-29T00:40 03-29T01:00 03-29T01:20 03-29T01:40'],
    [
      '15 */2 29 3 *',
      '03-28T23:15 03-29T01:00 03-29T02:15 03-29T04:15 03-29T06:15 03-29T08:15 03-29T10:15 03-29T12:15',
    ],
    ['30 * 29 3 *', '03-28T23:30 03-29T00:30 03-29T01:30 03-29T02:30 03-29T03:30'],
  ])('is due for each of its times on the day on which an hour is skipped: %s', (cron, expected) => {
    const until = cron.startsWith('30 *') ? '2026-03-29T04' : '2026-03-29T14';
    expect(all(cron, 'Europe/Berlin', '2026-03-28T20:00:00Z', until).join(' ')).toBe(expected);
  });

  it.each([
    ['0 1,13 * * *', '11-01T05:00 11-01T18:00'],
    ['15,45 1 * * *', '11-01T05:15 11-01T05:45'],
    ['*/30 1-2 1 11 *', '11-01T05:00 11-01T05:30 11-01T07:00 11-01T07:30'],
    ['0 1,13 1 * MON', '11-01T05:00 11-01T18:00'],
    ['30 0-23 1 11 *', '11-01T04:30 11-01T05:30 11-01T06:30 11-01T07:30 11-01T08:30'],
    ['0 0-22 1 11 *', '11-01T04:00 11-01T05:00 11-01T07:00 11-01T08:00'],
  ])('is due once for each of its times on the day on which an hour is repeated: %s', (cron, expected) => {
    const until = /^\S+ 0/.test(cron) ? '2026-11-01T09' : '2026-11-02T05';
    expect(all(cron, 'America/New_York', '2026-10-31T20:00:00Z', until).join(' ')).toBe(expected);
  });

  it('is due exactly once for each time of a day, in the order of the clocks, and for skipped ones when they are skipped', () => {
    // Days on which clocks change: by an hour, by half an hour, at midnight, and one without.
    const day = fc.constantFrom(
      ['Europe/Berlin', 2026, 3, 29],
      ['Europe/Berlin', 2026, 10, 25],
      ['America/St_Johns', 2026, 11, 1],
      ['Australia/Lord_Howe', 2026, 4, 5],
      ['Australia/Lord_Howe', 2026, 10, 4],
      ['Africa/Cairo', 2026, 4, 24],
      ['America/Havana', 2026, 11, 1],
      ['Asia/Kolkata', 2026, 6, 1],
    ) as fc.Arbitrary<[string, number, number, number]>;
    const numbers = (max: number) => fc.uniqueArray(fc.nat(max), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(day, numbers(22), numbers(59), ([zone, year, month, date], hours, minutes) => {
        const lines = hours.flatMap((hour) => minutes.map((minute) => `${minute} ${hour} ${date} ${month} *`));
        const from = new Date(Date.UTC(year, month - 1, date - 2)).toISOString();
        const until = new Date(Date.UTC(year, month - 1, date + 3)).toISOString();
        const singly = lines.map((line) => all(line, zone, from, until));
        expect(singly.every((times) => times.length === 1)).toBe(true);
        const line = `${minutes} ${hours} ${date} ${month} *`;
        expect(all(line, zone, from, until)).toEqual([...new Set(singly.flat())].sort());
        // The parser alone is right for a single time.
        for (const [n, each] of lines.entries()) {
          const alone = new Cron(each, { timezone: zone, paused: true }).nextRun(new Date(from))!;
          expect(singly[n]![0]).toBe(alone.toISOString().slice(5, 16));
        }
      }),
      { numRuns: 40 },
    );
  });

  it('is never due on a day that does not come', () => {
    expect(next('0 0 30 2 *', 'UTC', '2026-01-01T00:00:00Z')).toBeUndefined();
  });

  it('is due on the rarest of days', () => {
    // 2100 has no 29 February, so 40 years lie between.
    expect(next('0 0 29 2 +MON', 'UTC', '2072-03-01T00:00:00Z')).toBe('2112-02-29T00:00:00.000Z');
  });

  it.each(['0 0 30 2 *', '0 0 31W 2 *', '0 0 30 2 +MON', '0 0 31 2,4,6,9,11 *', '0 0 29 2 +MON'])(
    'is looked for in decades, not in thousands of years: %s',
    (cron) => {
      const dates = vi.spyOn(Date, 'UTC');
      try {
        next(cron, 'Europe/Prague', '2026-01-01T00:00:00Z');
        // Each day that is looked at is a date or two; until the year 10,000 these lines take up to 37,000.
        expect(dates.mock.calls.length).toBeLessThan(5_000);
      } finally {
        dates.mockRestore();
      }
    },
  );

  it.each([
    ['* * * * * *', 'UTC', 'five fields'],
    ['2026-12-01T00:00:00', 'UTC', 'five fields'],
    ['61 * * * *', 'UTC', 'a cron expression'],
    ['@reboot', 'UTC', 'five fields'],
    ['', 'UTC', 'five fields'],
    ['0 8 * * MON', 'Mars/Olympus', 'an IANA time zone'],
  ])('is refused if it is invalid: %s in %s', (cron, zone, message) => {
    expect(() => nextTime(cron, zone, 0)).toThrow(message);
  });
});
