/** The full stop of a German ordinal, which ends no sentence: "am 17. März", "im 3. Stock". */
import { germanMonths } from './dates/months.ts';

/** A number of one or two digits before a full stop. */
const shortNumber = /(?<![\p{L}\d.,:])\d{1,2}$/u;
/** One that a noun follows: after an article or a preposition with one; "I am 12." is English. */
const beforeNoun =
  /(?<!\p{L})(?<!\bI )(?:[Dd](?:er|ie|as|em|en|es)|[Aa]m|[Ii]m|[Vv]om|[Zz]u[mr]|[Bb]eim|[Jj]ede[rnms]?|[Ee]ine[rnms]?|[Ss]eine[rnms]?|[Ii]hre[rnms]?|[Uu]nsere[rnms]?) \d{1,2}$/u;
/** A month, whole or abbreviated. */
const month = new RegExp(
  String.raw`^(?:${germanMonths.join('|')}|Jänner|Jan\.?|Febr?\.?|Mrz\.?|(?:Apr|Jun|Jul|Aug|Sept?|Okt|Nov|Dez)(?:\.|(?= \d{4})))(?!\p{L})`,
  'u',
);

/** Whether the full stop between these texts is that of an ordinal; `next` begins without a blank. */
export function isOrdinal(before: string, next: string): boolean {
  return shortNumber.test(before) && (month.test(next) || (beforeNoun.test(before) && /^\p{Lu}/u.test(next)));
}
