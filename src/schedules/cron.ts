/** Cron lines: five fields in a time zone, or `@daily` and the like. The clocks of the zone decide, also when they change. */
import { Cron } from 'croner';
import { createWallClock, type WallClock } from './wall-clock.ts';

const nickname = /^@(?:hourly|daily|weekly|monthly|yearly|annually|midnight)$/i;
const fiveFields = /^\S+(?: +\S+){4}$/;

/**
 * How far ahead a time is looked for: 29 February falls on a given weekday after 40 years at the latest, when 2100 lies between.
 * The parser alone would look for 31 February until the year 10,000, a tenth of a second on the loop that streams.
 */
const maxYears = 41;

/**
 * The first time after `from` at which the line is due, ms since 1970; undefined if there is none
 * within 41 years. A line for certain hours is due once for each time that it names, also when the clocks show it twice; what
 * they skip is due when they do. Throws an Error that says what was expected for an invalid line or time zone.
 */
export function nextTime(cron: string, time_zone: string, from: number): number | undefined {
  const line = cron.trim();
  if (!nickname.test(line) && !fiveFields.test(line))
    throw new Error(`expected five fields; got ${JSON.stringify(cron)}`);
  const clock = clockOf(time_zone);
  const year = new Date(from).getUTCFullYear();
  if (isDueAllHours(line)) return after(parse(line, time_zone, year), from);
  // The parser handles changes of the clocks only for lines with one time a day, so it is given the time on the wall as UTC.
  const parsed = parse(line, 'UTC', year);
  let wall = after(parsed, clock.at(from));
  // Passes over, on the day on which an hour is repeated, what was due in it the first time.
  while (wall !== undefined && clock.firstShow(wall) <= from) wall = after(parsed, wall);
  return wall && clock.firstShow(wall);
}

function after(parsed: Cron, time: number): number | undefined {
  return parsed.nextRun(new Date(time))?.getTime();
}

/** Whether it names every hour of its days, so that it is due in a repeated hour too. False for an invalid line. */
function isDueAllHours(line: string): boolean {
  if (nickname.test(line)) return /^@hourly$/i.test(line);
  const midnight = Date.UTC(2001, 0, 1);
  try {
    const hours = new Cron(`0 ${line.split(/ +/)[1]} * * *`, { timezone: 'UTC', paused: true });
    return hours.nextRuns(24, new Date(midnight - 1_000))[23]?.getTime() === midnight + 23 * 3_600_000;
  } catch {
    return false;
  }
}

/** The nicknames are due within a year. */
function parse(line: string, timezone: string, year: number): Cron {
  try {
    if (nickname.test(line)) return new Cron(line, { timezone, paused: true });
    // The year before: a zone may be behind UTC.
    const years = `${year - 1}-${year + maxYears}`;
    return new Cron(`0 ${line} ${years}`, { timezone, paused: true, mode: '7-part' });
  } catch {
    throw new Error(`expected a cron expression such as "0 8 * * MON"; got ${JSON.stringify(line)}`);
  }
}

function clockOf(time_zone: string): WallClock {
  try {
    return createWallClock(time_zone);
  } catch {
    throw new Error(`expected an IANA time zone; got ${JSON.stringify(time_zone)}`);
  }
}
