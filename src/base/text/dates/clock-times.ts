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

/** Where a text writes times, with each as "14:30:00". */
export function clockSpansIn(text: string) {
  const half = [...text.matchAll(halves)].map((found) => {
    const [, hours, minutes, seconds, part] = found;
    return spanOf(found, toTime((Number(hours) % 12) + (part!.toLowerCase() === 'p' ? 12 : 0), minutes, seconds));
  });
  const full = [...text.matchAll(whole)].map((found) => spanOf(found, toTime(Number(found[1]), found[2], found[3])));
  const said = [...text.matchAll(named)].map((found) =>
    spanOf(found, toTime(Number(found[1] ?? found[3]), found[2] ?? found[4])),
  );
  return [...half, ...full, ...said];
}

/** The times of a text, each once, as "14:30:00". */
export function clockTimesIn(text: string): string[] {
  return [...new Set(clockSpansIn(text).map(({ time }) => time))];
}

function spanOf({ 0: text, index }: RegExpExecArray, time: string) {
  return { text, start: index, end: index + text.length, time };
}

function toTime(hours: number, minutes = '00', seconds = '00'): string {
  return `${String(hours).padStart(2, '0')}:${minutes}:${seconds}`;
}
