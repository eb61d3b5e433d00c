/** Cron lines: five fields in a time zone, or `@daily` and the like. The clocks of the zone decide, also when they change. */
import { Cron } from 'croner';

const nickname = /^@(?:hourly|daily|weekly|monthly|yearly|annually|midnight)$/i;
const fiveFields = /^\S+(?: +\S+){4}$/;

/**
 * The first time after `from` at which the line is due, ms since 1970; undefined if there is none. Throws an Error that says what
 * was expected for an invalid line or time zone.
 */
export function nextTime(cron: string, time_zone: string, from: number): number | undefined {
  const line = cron.trim();
  if (!nickname.test(line) && !fiveFields.test(line))
    throw new Error(`expected five fields; got ${JSON.stringify(cron)}`);
  if (!isTimeZone(time_zone)) throw new Error(`expected an IANA time zone; got ${JSON.stringify(time_zone)}`);
  const parsed = parse(line, time_zone);
  return parsed.nextRun(new Date(from))?.getTime();
}

function parse(line: string, timezone: string): Cron {
  try {
    return new Cron(line, { timezone, paused: true, mode: 'auto' });
  } catch {
    throw new Error(`expected a cron line such as "0 8 * * MON"; got ${JSON.stringify(line)}`);
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
