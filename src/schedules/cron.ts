/** Cron lines: five fields in a time zone, or `@daily` and the like. The clocks of the zone decide, also when they change. */
import { Cron } from 'croner';

const nickname = /^@(?:hourly|daily|weekly|monthly|yearly|annually|midnight)$/i;
const fiveFields = /^\S+(?: +\S+){4}$/;

/**
 * How far ahead a time is looked for: 29 February falls on a given weekday after 40 years at the latest, when 2100 lies between.
 * The parser alone would look for 31 February until the year 10,000, a tenth of a second on the loop that streams.
 */
const maxYears = 41;

/**
 * The first time after `from` at which the line is due, ms since 1970; undefined if there is none
 * within 41 years. Throws an Error that says what
 * was expected for an invalid line or time zone.
 */
export function nextTime(cron: string, time_zone: string, from: number): number | undefined {
  const line = cron.trim();
  if (!nickname.test(line) && !fiveFields.test(line))
    throw new Error(`expected five fields; got ${JSON.stringify(cron)}`);
  if (!isTimeZone(time_zone)) throw new Error(`expected an IANA time zone; got ${JSON.stringify(time_zone)}`);
  const parsed = parse(line, time_zone, new Date(from).getUTCFullYear());
  return parsed.nextRun(new Date(from))?.getTime();
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

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
