/** The number of a heading in a manual: "5.6.8. Renaming a Table", "Chapter 3. Queries", "E.21.3. Changes", "(3) May I …?". */
const number =
  /^(?:(?:chapter|appendix|part|section)\s+[\dA-Z]+(?:\.\d+)*[.:]|(?:[A-Z]\.)?\d+(?:\.\d+)+\.?|[A-Z]\.\d+\.|\(\d{1,3}\)|Q(?:uestion)?(?: ?\d{1,3})?[.:)])\s+(?=[\p{L}`"“])/iu;

/** A heading without its number. One figure stays: it may be a day. */
export function withoutNumber(heading: string): string {
  return heading.replace(number, '');
}
