/** What tells the documents of people and firms, letters, rules, prices and notes, from articles about a subject. */

/** Words that speak to somebody, or of those who write. Polite forms have a capital: "sie" is she. */
const speaks =
  /(?<!\p{L})(?:[Yy]ours?|[Yy]ou|[Pp]lease|[Ww]e|[Oo]urs?|[Uu]s|Sie|Ihnen|Ihre?[mnrs]?|[Bb]itte|[Ww]ir|[Uu]ns|[Uu]nsere?[mnrs]?|[Vv]ous|[Vv]otre|[Nn]ous|[Nn]otre|[Uu]stedes|[Uu]sted|[Nn]osotr[ao]s|[Nn]uestr[ao]s?|[Nn]ostr[aoie]|[Uu]w|[Oo]nze|[Vv]ocês?|[Nn]oss[ao]s?)(?!\p{L})/u;
/** "Rent: 820 euros", rows of tables and items of lists. */
const isListed = /^[ \t]*(?:(?:[-*•][ \t]+)?\p{L}[^:\n]{1,30}:[ \t]+\S.{0,60}$|\|.*\||(?:[-*•]|\d{1,2}[.)])[ \t])/mu;
const price = /[€£$]\s?\d|\d\s?(?:€|EUR|kr|euros?|pounds)(?!\p{L})/u;
const timeOfDay = /(?<![\d:.])(?:[01]?\d|2[0-3])[:.][0-5]\d(?!\d|[:.]\d)|\d\s?(?:am|pm|Uhr)(?!\p{L})/u;

/** Whether a text looks like an everyday document. */
export function isEveryday(text: string): boolean {
  return speaks.test(text) || isListed.test(text) || price.test(text) || timeOfDay.test(text);
}
