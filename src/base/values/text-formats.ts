/** The formats of JSON Schema that a text can have: RFC 3339's dates and times, addresses, identifiers. */
import { isIPv4, isIPv6 } from 'node:net';
import { clockTimesIn } from '../text/dates/clock-times.ts';
import { isoDayOf } from '../text/dates/days.ts';

interface Form {
  /** In words, as a model is asked for it. */
  readonly words: string;
  /** The text in this format; undefined if it says nothing that has it. */
  readonly read: (text: string) => string | undefined;
}

const isoTime = /^([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-][01]\d:[0-5]\d)?$/i;
const email = /^[\p{L}\p{N}._%+'-]+@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+\p{L}{2,}$/u;
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const hostname = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const duration = /^P(?=.)(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?)$/;

const forms = {
  date: { words: 'a date such as 2026-05-14', read: isoDayOf },
  time: {
    words: 'a time such as 14:30:00',
    read: (text) => (isoTime.test(text) ? text : onlyTimeIn(text)),
  },
  'date-time': {
    words: 'a date and time such as 2026-05-14T14:30:00',
    read: (text) => {
      const [day = '', time] = text.split(/[Tt ]/, 2);
      if (time !== undefined && isoDayOf(day) === day && isoTime.test(time)) return `${day}T${time}`;
      const [written, clock] = [isoDayOf(text), onlyTimeIn(text)];
      return written === undefined || clock === undefined ? undefined : `${written}T${clock}`;
    },
  },
  duration: { words: 'a duration such as P3DT12H', read: kept((text) => duration.test(text)) },
  email: { words: 'an email address', read: kept((text) => email.test(text)) },
  uri: { words: 'an absolute URL', read: kept((text) => /^[a-z][a-z0-9+.-]*:\S+$/i.test(text) && URL.canParse(text)) },
  hostname: { words: 'the name of a host', read: kept((text) => hostname.test(text)) },
  ipv4: { words: 'an IPv4 address', read: kept(isIPv4) },
  ipv6: { words: 'an IPv6 address', read: kept(isIPv6) },
  uuid: { words: 'a UUID', read: kept((text) => uuid.test(text)) },
} as const satisfies Readonly<Record<string, Form>>;

export type TextFormat = keyof typeof forms;

/** Whether a `format` of JSON Schema is one of these. */
export function isTextFormat(name: unknown): name is TextFormat {
  return typeof name === 'string' && Object.hasOwn(forms, name);
}

/** The text in a format, undefined if it has no value of it: "14 May 2026" is the date "2026-05-14". */
export function inFormat(text: string, format: TextFormat): string | undefined {
  return forms[format].read(text.trim());
}

/** A format in words: "a date such as 2026-05-14". */
export function describeFormat(format: TextFormat): string {
  return forms[format].words;
}

function kept(isOf: (text: string) => boolean): Form['read'] {
  return (text) => (isOf(text) ? text : undefined);
}

function onlyTimeIn(text: string): string | undefined {
  const [time, ...others] = clockTimesIn(text);
  return others.length === 0 ? time : undefined;
}
