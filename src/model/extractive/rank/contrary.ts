/**
 * Units that cannot answer though they share most words with a question: the row of rack 3 for "Which boats are on rack 4?", a row of
 * Bremen for "Who is not from Bremen?", a tour in German for "Is there a tour in French?".
 */

import { type AnalysedQuestion, stopStems } from '../question/analyse.ts';
import { cellsOf } from '../text/cells.ts';
import type { ReadUnit } from '../text/passages.ts';
import { readWords, stemOf } from '../text/words.ts';
import { denies, readRowQuestion } from './row-question.ts';

/** Words of a cell that is a value; a longer one is a text. Set by hand. */
const maxWords = 5;
const languageName =
  /\b(?:in|speak|speaks|spoken|teach|teaches|offer|learn) (english|german|french|spanish|italian|dutch|portuguese|polish|danish|swedish|norwegian|finnish|russian|ukrainian|arabic|chinese|japanese|korean|turkish|greek|czech|hungarian|romanian|latin|welsh)\b(?=\W*$| (?:on|at|for|in|too|here|there|or|and)\b)/i;
/** "What will happen to the Heron?", which what is listed of it does not say. */
const asksOfFate = /\b(?:happen(?:s|ed)?|become|becomes|became) (?:to|of|with)\b/i;
/** A number that is one of several: "rooms 1–5", "rack 2 and 3". */
const goesOn = /^\s?(?:[-–/,+&]|to|and|or|bis|und|oder|à|et|ou|a|y|o)(?![\p{L}])/u;

/** The index of the term for a language that has to be said itself, as any other is a language as well; -1 where none is. */
export function languageAskedFor({ terms, asked }: AnalysedQuestion): number {
  const name = languageName.exec(asked)?.[1];
  return name === undefined ? -1 : terms.findIndex(({ stem }) => stem === stemOf(name));
}

/** Returns a function that says whether a unit cannot answer. */
export function createContraryCheck(question: AnalysedQuestion): (unit: ReadUnit) => boolean {
  const isNegated = denies.test(question.asked) && readRowQuestion(question.asked) !== undefined;
  const isOfFate = asksOfFate.test(question.asked);
  const numbered = numbersIn(question.asked, question);
  return ({ kind, text }) => {
    if (kind !== 'row') return false;
    const cells = cellsOf(text);
    const isOfValues = cells.every((cell) => cell.split(/\s+/).length <= maxWords);
    if (isOfValues && (isOfFate || (isNegated && !denies.test(text)))) return true;
    if (numbered.size === 0) return false;
    const said = cells.flatMap((cell) => [...numbersIn(cell, question)]);
    return [...numbered].some(
      ([word, number]) =>
        said.some(([other, value]) => other === word && value !== number) &&
        !said.some(([other, value]) => other === word && value === number),
    );
  };
}

/** The numbers of a text by the word before each, "rack" of "rack 3". */
function numbersIn(text: string, { language }: AnalysedQuestion): Map<string, string> {
  const words = readWords(text, language);
  return new Map(
    words.flatMap(({ stem, digits, end }, at) => {
      const before = words[at - 1];
      if (!digits || !/^\d+$/.test(stem) || before === undefined || before.digits || stopStems.has(before.stem))
        return [];
      return text.slice(before.end, end - stem.length).trim() === '' && !goesOn.test(text.slice(end))
        ? [[before.stem, stem] as const]
        : [];
    }),
  );
}
