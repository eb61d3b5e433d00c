/** The whole of a table of which a question names the columns alone: "Which boats are on which rack?", "the weight class of each boat". */
import { answerStrength } from '../../match/everyday.ts';
import { createWideReader } from '../../match/wide-reader.ts';
import type { AnalysedQuestion } from '../../question/analyse.ts';
import { cellsOf } from '../../text/cells.ts';
import type { Source } from '../../text/passages.ts';
import { readWords, stemOf } from '../../text/words.ts';
import { type QuotedRows, quoteRows, tablesIn } from './tables.ts';

const timeUnits =
  'days?|nights?|weeks?|months?|years?|hours?|mornings?|evenings?|Tage?|Wochen?|jours?|semaines?|días?|semanas?|giorn[oi]|dag';
const asksForEach = new RegExp(
  String.raw`(?<!\p{L})(?:(?:each|every|jede[rsnm]?|alle[rn]?|chaque|cada|ogni|elke?|iedere?)(?! (?:${timeUnits})(?!\p{L}))|all (?:of )?(?:the|our|these|my))(?!\p{L})|(?<!\p{L})(?:which|what|welche[rsnm]?|quel(?:le)?s?|qué|quale?)(?!\p{L}).+(?<!\p{L})(?:which|welche[rsnm]?|quel(?:le)?s?|qué|quale?)(?!\p{L})`,
  'iu',
);

const quantifiers: ReadonlySet<string> = new Set(['each', 'every', 'all'].map(stemOf));

/** All rows of the one table whose columns have every word of such a question; undefined for other questions. */
export function quoteEachRow(question: AnalysedQuestion, sources: readonly Source[]): QuotedRows | undefined {
  const { asked, language } = question;
  if (!asksForEach.test(asked)) return undefined;
  const terms = question.terms.flatMap(({ stem }, term) => (quantifiers.has(stem) ? [] : [term]));
  const readWidely = createWideReader(question);
  const found = tablesIn(question, sources).filter(({ header, isNamed }) => {
    const columns = cellsOf(header).map((name) => readWidely(readWords(name, language).map(({ stem }) => stem)));
    const isOf = (term: number, from: number) => columns.slice(from).some((each) => each[term]! > answerStrength);
    const isValue = terms.map((term) => isOf(term, 1));
    return terms.every((term) => isOf(term, 0) || isNamed(term)) && isValue.includes(true) && isValue.includes(false);
  });
  const [table, ...others] = found;
  return table === undefined || others.length > 0 || table.rows.length < 2 ? undefined : quoteRows(table.rows);
}
