/** Times of the day as texts write them: "14:30", "2.30 pm", "14.30 Uhr", "14 h 30". */

const halves = /(?<![\d.:])(1[0-2]|0?[1-9])(?:[:.]([0-5]\d))?(?::([0-5]\d))?\s?([ap])\.?m\b/giu;
const whole = /(?<![\d.:+-])([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?(?![\d:]|\s?[ap]\.?m\b)/giu;
/** After a date, or with a zone. */
const iso = /(?:(?<=\d)T|(?<![\d.:]))\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?\s?(?:Z|[+-]\d{2}:?\d{2})?/g;
const named =
  /(?<![\d.:])([01]?\d|2[0-3])(?:[.:]([0-5]\d))?\s?Uhr\b|(?<![\d.:])([01]?\d|2[0-3])\s?h\s?([0-5]\d)(?!\d)/giu;

/** A text without its times of the day. */
export function withoutClockTimes(text: string): string {
  return [halves, iso, whole, named].reduce((rest, times) => rest.replace(times, ' '), text);
}

/** The times of a text, each once, as "14:30:00". */
export function clockTimesIn(text: string): string[] {
  const half = [...text.matchAll(halves)].map(([, hours, minutes, seconds, half]) =>
    toTime((Number(hours) % 12) + (half!.toLowerCase() === 'p' ? 12 : 0), minutes, seconds),
  );
  const full = [...text.matchAll(whole)].map(([, hours, minutes, seconds]) => toTime(Number(hours), minutes, seconds));
  const said = [...text.matchAll(named)].map(([, hours, minutes, before, after]) =>
    toTime(Number(hours ?? before), minutes ?? after, undefined),
  );
  return [...new Set([...half, ...full, ...said])];
}

function toTime(hours: number, minutes = '00', seconds = '00'): string {
  return `${String(hours).padStart(2, '0')}:${minutes}:${seconds}`;
}
