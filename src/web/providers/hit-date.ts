/**
 * The date of publication as search engines state it: ISO 8601, "2024/03/05 00:00", "Mar 5, 2024", "5 March 2024", RFC 2822,
 * "2024年3月5日", "3 days ago". A time without a zone is UTC. Anything else is ignored, above all a bare number or year:
 * hits with a date are left out where a search has dates, so a wrong one would cost a good page.
 */
const minuteMs = 60_000;
const unitMs: Readonly<Record<string, number>> = {
  second: 1_000,
  minute: minuteMs,
  min: minuteMs,
  hour: 60 * minuteMs,
  day: 1_440 * minuteMs,
  week: 7 * 1_440 * minuteMs,
  month: 30.4 * 1_440 * minuteMs,
  year: 365.25 * 1_440 * minuteMs,
};

const numeric =
  /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]+(\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)\s{0,3}(Z|[+-]\d{2}:?\d{2})?)?/i;
const named =
  /^(?:[a-z]{3,9}, )?(?:([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? |(\d{1,2})(?:st|nd|rd|th)?[ -]([a-z]{3,9})\.?,?[ -])(\d{4})\b/i;
const ideographic = /^(\d{4})年(\d{1,2})月(\d{1,2})日/;
const relative = /^(an?|\d{1,4}) (second|minute|min|hour|day|week|month|year)s? ago$/i;
const monthNames = 'janfebmaraprmayjunjulaugsepoctnovdec';

/** ISO 8601 in UTC; undefined if it is not a date, before 1900 or over a year after `now` (ms). */
export function parseHitDate(value: unknown, now = Date.now()): string | undefined {
  if (typeof value !== 'string' || value.length > 60) return undefined;
  const at = millisecondsOf(value.trim(), now);
  if (Number.isNaN(at) || at < Date.UTC(1900, 0) || at > now + 366 * unitMs.day!) return undefined;
  return new Date(at).toISOString();
}

function millisecondsOf(text: string, now: number): number {
  const [, count, unit] = relative.exec(text) ?? [];
  if (unit !== undefined) return now - (Number.parseInt(count!, 10) || 1) * unitMs[unit.toLowerCase()]!;
  const [, year, month, day, time = '00:00', zone = 'Z'] = numeric.exec(text) ?? ideographic.exec(text) ?? [];
  if (year !== undefined) {
    const clock = time.length < 5 || time[1] === ':' ? `0${time}` : time;
    return Date.parse(`${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}T${clock}${zone}`);
  }
  const [all, monthFirst, dayAfter, dayFirst, monthAfter, namedYear] = named.exec(text) ?? [];
  if (all === undefined) return Number.NaN;
  const index = monthNames.indexOf((monthFirst ?? monthAfter)!.slice(0, 3).toLowerCase());
  if (index % 3 !== 0) return Number.NaN;
  const rest = text.slice(all.length);
  // RFC 2822 has a time and a zone; a time of any other form is not worth reading.
  const exact = /^ \d{1,2}:\d{2}/.test(rest) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(exact) ? Date.UTC(Number(namedYear), index / 3, Number(dayAfter ?? dayFirst)) : exact;
}
