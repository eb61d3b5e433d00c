/** Which way a question goes, for timetables: "When do we land in Gatwick?" is about a row with Gatwick below "To", not below "From". */
import type { AnalysedQuestion } from '../question/analyse.ts';
import { cellsOf } from '../text/cells.ts';
import { readWords } from '../text/words.ts';

const there =
  /(?<!\p{L})(?:to|into|reach|(?:land|arrive|get|be)(?:s|ed|ing)?(?: back| home)? (?:at|in)|back (?:at|in)|nach|ankunft in) (\p{Lu}[\p{L}-]+)/gu;
const from = /(?<!\p{L})(?:from|leave|leaves|leaving|out of|depart(?:s|ing)?(?: from)?|von|ab) (\p{Lu}[\p{L}-]+)/gu;
const columns = {
  there: /^(?:to|arrives? (?:at|in)|destination|nach|ziel)$/i,
  from: /^(?:from|departs? from|origin|von|ab|start)$/i,
};

/** A function that says whether a row goes from where the question wants to go to, or to where it wants to leave. */
export function createDirectionCheck({ asked, language }: AnalysedQuestion): (header: string, row: string) => boolean {
  const stemsIn = (text: string) => readWords(text, language).map(({ stem }) => stem);
  const placesOf = (pattern: RegExp) => [...asked.matchAll(pattern)].flatMap(([, place]) => stemsIn(place!));
  const wanted = { there: placesOf(there), from: placesOf(from) };
  return (header, row) => {
    if (wanted.there.length === 0 && wanted.from.length === 0) return false;
    const names = cellsOf(header);
    const cells = cellsOf(row);
    const read = (column: RegExp) => stemsIn(cells[names.findIndex((name) => column.test(name))] ?? '');
    const said = { there: read(columns.there), from: read(columns.from) };
    if (said.there.length === 0 || said.from.length === 0) return false;
    const isAgainst = (places: readonly string[], own: readonly string[], other: readonly string[]) =>
      places.some((place) => other.includes(place) && !own.includes(place));
    return isAgainst(wanted.there, said.there, said.from) || isAgainst(wanted.from, said.from, said.there);
  };
}
