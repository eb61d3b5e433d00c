/** The English names of the months, for patterns that find dates in prose. */

/** January first. */
export const months = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** As written before a full stop or a day; May has none. "Sept" comes before "Sep", so that an alternation tries it first. */
export const monthAbbreviations = 'Jan Feb Mar Apr Jun Jul Aug Sept Sep Oct Nov Dec'.split(' ');
