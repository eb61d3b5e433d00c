/** The names of the months, to find dates in prose. */

/** January first. */
export const months = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** The same in German. */
export const germanMonths = 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember'.split(
  ' ',
);

/** As written before a full stop or a day; May has none. "Sept" comes before "Sep", so that an alternation tries it first. */
export const monthAbbreviations = 'Jan Feb Mar Apr Jun Jul Aug Sept Sep Oct Nov Dec'.split(' ');

/** The same in French, Spanish, Italian, Dutch and Portuguese, in lower case. */
export const foreignMonths = [
  'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
  'januari februari maart april mei juni juli augustus september oktober november december',
  'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro',
].map((names) => names.split(' '));

/** The numbers of the months, January 1, by their names in these languages and their English abbreviations, in lower case. */
export const monthNumbers: ReadonlyMap<string, number> = new Map([
  ...[months, germanMonths, ...foreignMonths].flatMap((names) =>
    names.map((name, at) => [name.toLowerCase(), at + 1] as const),
  ),
  ...monthAbbreviations.map((name) => [name.toLowerCase(), numberOf(name)] as const),
]);

function numberOf(abbreviation: string): number {
  return months.findIndex((month) => month.startsWith(abbreviation.slice(0, 3))) + 1;
}

/** The month that a word names without a day or a year beside it; undefined for "sept", which is seven in French. */
export function monthAlone(word: string): number | undefined {
  return word === 'sept' ? undefined : monthNumbers.get(word.toLowerCase());
}
