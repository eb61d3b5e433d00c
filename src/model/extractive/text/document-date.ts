/** The date of a document as its title or the name of its file has it: "Minutes of 12 January 2024", "protokoll-2025.md". */
import { dayNumber } from '../../../base/text/dates/iso-day.ts';
import { monthNumbers } from '../../../base/text/dates/months.ts';
import { smallNumbers } from '../../../base/text/numbers.ts';
import type { Source } from './passages.ts';

const named =
  /(?:(\d{1,2})(?:st|nd|rd|th|\.|er)?\s+(?:of |de )?)?(\p{L}{3,10})\.?\s+(?:de )?(?:(\d{1,2})(?:st|nd|rd|th)?,?\s+)?((?:19|20)\d\d)(?!\d)/giu;
const iso = /(?<!\d)((?:19|20)\d\d)[-_.]?(0[1-9]|1[0-2])(?:[-_.]?([0-2]\d|3[01]))?(?!\d)/;
const dotted = /(?<!\d)(\d{1,2})[./](\d{1,2})[./]((?:19|20)\d\d)(?!\d)/;
const year = /(?<!\d)(?:19|20)\d\d(?!\d)/g;
/** Characters of a title or name that are read. */
const maxLength = 300;

/** The date as a number that grows with it, 20240112 or 20240000; undefined without one. */
export function documentDate({ title, url }: Pick<Source, 'title' | 'url'>): number | undefined {
  return dateIn(title.slice(0, maxLength)) ?? dateIn(fileNameOf({ url }).slice(0, maxLength));
}

/** What a title and the name of a file say beside the date: minutes of two years are of one series. */
export function seriesOf({ title, url }: Pick<Source, 'title' | 'url'>): string {
  const plain = (text: string) =>
    text
      .slice(0, maxLength)
      .toLowerCase()
      .split(/[^\p{L}]+/u)
      .filter((word) => word !== '' && !monthNumbers.has(word));
  return [...plain(title), '/', ...plain(fileNameOf({ url }))].join(' ');
}

/** The name of the file that a passage is from, with what it ends in. */
export function fileNameOf({ url }: Pick<Source, 'url'>): string {
  return url.split(/[?#]/, 1)[0]!.split('/').at(-1)!;
}

/** The first date of a text, as `documentDate` gives it; undefined without one. */
export function dateIn(text: string): number | undefined {
  for (const [, before, month = '', after, of] of text.matchAll(named)) {
    const number = monthNumbers.get(month.toLowerCase());
    if (number !== undefined) return dayNumber(Number(of), number, Number(before ?? after ?? 0));
  }
  const figures = iso.exec(text);
  if (figures !== null) return dayNumber(Number(figures[1]), Number(figures[2]), Number(figures[3] ?? 0));
  const day = dotted.exec(text);
  if (day !== null) return dayNumber(Number(day[3]), Number(day[2]), Number(day[1]));
  const years = text.match(year) ?? [];
  return years.length === 0 ? undefined : dayNumber(Math.max(...years.map(Number)));
}

/** "Minutes of the board", "AGM minutes", "minutes-2026-05.md"; not "10 minutes from the station", nor "Meetings and minutes". */
const ofMeeting = new RegExp(
  [
    String.raw`(?<!\p{L})(?<!(?:\p{N}|${smallNumbers.slice(1).join('|')}|few|several|some|many|and|&|of)[ -]?)minutes(?=[ _](?:of|from|for)(?!\p{L})|[\s,:_.–-]*\p{N}|[\s,:_–-]+(?:${[...monthNumbers.keys()].join('|')})(?!\p{L}))`,
    String.raw`(?<!\p{L})(?:meeting|board|committee|council|assembly|agm|club)['’]?s?[ -]minutes(?!\p{L})`,
    String.raw`(?<!\p{L})(?<!(?:und|et|y|e|en|&)\s)(?:meeting[ -]notes|(?:meeting|sitzungs|gesprächs|versammlungs)?-?protokoll?|niederschrift|procès-verbal|compte[ -]rendu|acta|verbale|notulen|ata)(?!\p{L})`,
  ].join('|'),
  'iu',
);

/** Whether a document is the minutes of a meeting: what its title names, with a date, has been. */
export function isOfMeeting(source: Pick<Source, 'title' | 'headings' | 'url'>): boolean {
  const { title, headings } = source;
  return (
    ofMeeting.test(`${title}\n${headings}`.slice(0, 2 * maxLength)) &&
    (documentDate(source) ?? dateIn(headings.slice(0, maxLength))) !== undefined
  );
}
