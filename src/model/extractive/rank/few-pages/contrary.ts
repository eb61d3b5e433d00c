/**
 * Units that cannot answer though they share most words with a question: the row of rack 3 for "Which boats are on rack 4?", a row of
 * Bremen for "Who is not from Bremen?", a tour in German for "Is there a tour in French?".
 */
import { createDirectionCheck } from '../../match/direction.ts';
import type { AnalysedQuestion } from '../../question/analyse.ts';
import { denies, readComparison, readRowQuestion } from '../../question/asked/row-question.ts';
import { readSuperlative } from '../../question/superlative/superlative.ts';
import { cellsOf } from '../../text/cells.ts';
import type { ReadUnit } from '../../text/passages.ts';
import { stemOf } from '../../text/words.ts';
import { numbersIn } from '../numbered.ts';
import { createNumberCheck } from './other-numbers.ts';

/** Words of a cell that is a value; a longer one is a text. Set by hand. */
const maxWords = 5;
const languageName =
  /\b(?:in|speak|speaks|spoken|teach|teaches|offer|learn) (english|german|french|spanish|italian|dutch|portuguese|polish|danish|swedish|norwegian|finnish|russian|ukrainian|arabic|chinese|japanese|korean|turkish|greek|czech|hungarian|romanian|latin|welsh)\b(?=\W*$| (?:on|at|for|in|too|here|there|or|and)\b)/i;
/** "2. Vorsitzende:" */
const rankedName = /^\d{1,2}\. \p{Lu}[^:.]{2,40}(?=:)/u;
/** "What will happen to the Heron?", which what is listed of it does not say. */
const asksOfFate = /\b(?:happen(?:s|ed)?|become|becomes|became) (?:to|of|with)\b/i;
/** What is the cheapest is said with a price, or with such a word. */
const aboutPrice =
  /[€£$¥]|\b(?:cheap|expens|inexpens|cost|price|pricey|afford|free|fee|fare|rate|budget|bargain|dear)/i;

/** The index of the term for a language that has to be said itself, as any other is a language as well; -1 where none is. */
export function languageAskedFor({ terms, asked }: AnalysedQuestion): number {
  const name = languageName.exec(asked)?.[1];
  return name === undefined ? -1 : terms.findIndex(({ stem }) => stem === stemOf(name));
}

/** Returns a function that says whether a unit cannot answer. */
export function createContraryCheck(question: AnalysedQuestion): (unit: ReadUnit, title: string) => boolean {
  const asksForRows = readRowQuestion(question.asked) !== undefined;
  const isNegated = asksForRows && denies.test(question.asked);
  const isCompared = asksForRows && readComparison(question.asked) !== undefined;
  const superlative = readSuperlative(question.asked);
  const most =
    superlative?.isOfTime === false
      ? question.asked.slice(superlative.start, superlative.end).toLowerCase()
      : undefined;
  const isOfPrice =
    question.language === undefined &&
    superlative !== undefined &&
    superlative.columns.some(({ isNamed }) => isNamed('price'));
  const isOfFate = asksOfFate.test(question.asked);
  const numbered = numbersIn(question.asked, question.language);
  const saysOther = (cells: readonly string[]) => {
    if (numbered.size === 0) return false;
    const said = cells.flatMap((cell) => [...numbersIn(cell, question.language)]);
    return [...numbered].some(
      ([word, number]) =>
        said.some(([other, value]) => other === word && value !== number) &&
        !said.some(([other, value]) => other === word && value === number),
    );
  };
  const isOfOtherNumber = createNumberCheck(question.asked);
  const isOtherWay = createDirectionCheck(question);
  return ({ kind, text, header, section }, title) => {
    const cells = kind === 'row' ? cellsOf(text) : [rankedName.exec(text)?.[0] ?? ''];
    const isOther = cells.some((cell) => cell !== '') && saysOther(cells);
    if (kind !== 'row')
      return isOther || isOfOtherNumber(text, `${title}\n${section}`) || (isOfPrice && !aboutPrice.test(text));
    if (isOtherWay(header, text)) return true;
    const isOfValues = cells.every((cell) => cell.split(/\s+/).length <= maxWords);
    const isAny = most !== undefined && !text.toLowerCase().includes(most);
    if (isOfValues && (isAny || isOfFate || isCompared || (isNegated && !denies.test(text)))) return true;
    return isOther;
  };
}
