/** What a question wants of the rows of a table: all that have something in common, those that do not, or how many they are. */

/**
 * `isNegated` if the rows are meant that do not have what the question names; `least` is from how many rows on there is something
 * to list.
 */
export interface RowQuestion {
  readonly isNegated: boolean;
  readonly least: 1 | 2;
}

/** "Which boats …", "Who …", "List the members …"; the same in other languages. */
const asksForRows =
  /^\W*(?:and )?(?:(?:in|on|at|for|from|auf|an|für|bei|aus|dans|en|à) )?(?:which|what|who|whose|(?:please )?(?:list|name|show|tell|give)\b|welche[rsnm]?|wer|was|quel(?:le)?s|qui|cu[áa]les|qu[eé] \p{L}+s|qui[ée]n(?:es)?|quali|chi|welke|wie|quais|quem)(?!\p{L})/iu;
/** "How many boats …", which a reader of the rows can count. */
const asksForCount =
  /^\W*(?:and )?(?:how many|wie ?viele|combien (?:de|du|des|d['’])|cu[áa]nt[oa]s|quant[ieoa]s?|hoeveel)(?!\p{L})/iu;
/** "Is there a tour …" */
const asksForAny =
  /^\W*(?:and )?(?:(?:is|are) there|(?:do|does) (?:you|they|it|we|the \p{L}+) (?:have|offer|sell|run)|gibt es|haben sie|y a-t-il|avez-vous|hay|tienen|c['’]è|ci sono|(?:is|zijn) er|há)(?!\p{L})/iu;
/** What turns a question around; then the rows that it does not name are meant. */
export const denies =
  /(?<!\p{L})(?:not|never|except|other than|nicht|außer|pas|sauf|excepté|excepto|tranne|niet|behalve|não|exceto)(?!\p{L})|n['’]t(?!\p{L})/iu;
/** The same, and words that may belong to what is named: "no sound", "without a bath". */
const excludes = /(?<!\p{L})(?:no|without|keine?[rsmn]?|ohne|sans|sin|non|senza|geen|zonder|sem)(?!\p{L})/iu;

/** What a question wants of rows; undefined if it does not ask for rows. */
export function readRowQuestion(question: string): RowQuestion | undefined {
  const isNegated = denies.test(question) || excludes.test(question);
  if (asksForCount.test(question)) return { isNegated, least: 1 };
  const isOne = isNegated || readComparison(question) !== undefined;
  if (asksForRows.test(question)) return { isNegated, least: isOne ? 1 : 2 };
  return asksForAny.test(question) && !isNegated ? { isNegated, least: 1 } : undefined;
}

const compared =
  /\b(before|under|below|(?:less|fewer|cheaper|younger|smaller) than|after|over|above|(?:more|older|bigger|larger) than) (?:[£€$]\s?)?(\d+)(?![\d:.,]*\d)(?= (?:euros?|pounds|dollars|francs)\b|\W*$)/i;

/** A bound for the values of a column, "before 2015": `isBelow` if they are less than it. */
export interface Comparison {
  readonly bound: number;
  readonly isBelow: boolean;
}

/** The bound that a question ends in, "before 2015", "cheaper than 80 euros"; undefined for others. */
export function readComparison(question: string): Comparison | undefined {
  const [, than, bound] = compared.exec(question) ?? [];
  if (than === undefined) return undefined;
  return { bound: Number(bound), isBelow: /^(?:before|under|below|less|fewer|cheaper|younger|smaller)/i.test(than) };
}
