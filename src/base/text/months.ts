/** The names of the months in English and German, for patterns that find dates in prose. */

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
