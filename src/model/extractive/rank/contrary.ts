/**
 * Units that cannot answer though they share most words with a question: the row of rack 3 for "Which boats are on rack 4?", a row of
 * Bremen for "Who is not from Bremen?", a tour in German for "Is there a tour in French?".
 */

import { createDirectionCheck } from '../match/direction.ts';
import type { Strengths } from '../match/term-matcher.ts';
import type { AnalysedQuestion } from '../question/analyse.ts';
import { readSuperlative } from '../question/superlative/superlative.ts';
import { cellsOf } from '../text/cells.ts';
import type { ReadUnit } from '../text/passages.ts';
import { readWords, stemOf } from '../text/words.ts';
import { numbersIn } from './numbered.ts';
import { denies, readComparison, readRowQuestion } from './row-question.ts';

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

const contact = '(?:(?:phone|telephone|mobile|cell) )?number|(?:e-?mail|web)(?: address)?|address|website';
/** "the caretaker's phone number", "Finn's number", "the number of the caretaker" */
const owned = new RegExp(
  String.raw`(\p{L}+)['’]s? (?:${contact})\b|\b(?:${contact}) (?:of|for) (?:the |our |my |your )?(\p{L}+(?: \p{Lu}\p{L}+)?)`,
  'iu',
);

/** The terms for whose telephone number or address is asked for; none where that is not said. */
function ownerAskedFor({ terms, asked, language }: AnalysedQuestion): number[] {
  const found = owned.exec(asked);
  const stems = readWords(found?.[1] ?? found?.[2] ?? '', language).map(({ stem }) => stem);
  return terms.flatMap(({ stem }, term) => (stems.includes(stem) ? [term] : []));
}

/** "Sind Hühner erlaubt?": what is allowed or not is said of something. */
const asksOfPermission =
  /^\P{L}*\p{L}+ .*(?<!\p{L})((?:erlaubt|gestattet|verboten|zulässig|autorisée?s?|permise?s?|interdite?s?|permitid[oa]s?|prohibid[oa]s?|permess[oi]|vietat[oa]|toegestaan|verboden|permitid[oa]s?|proibid[oa]s?))\P{L}*$/iu;

/** The terms for what a question in another language asks whether it is allowed; none for others. */
function permittedThing({ terms, asked, language, text }: AnalysedQuestion): number[] {
  const found = language === undefined ? undefined : asksOfPermission.exec(asked)?.[1];
  if (found === undefined) return [];
  const at = readWords(text, language).findIndex(({ start, end }) => text.slice(start, end) === found);
  return terms.flatMap((term, i) => (term.at < at ? [i] : []));
}

/** Returns a function that says whether a unit cannot answer. */
export function createContraryCheck(question: AnalysedQuestion): (unit: ReadUnit) => boolean {
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
  const isOtherWay = createDirectionCheck(question);
  return ({ kind, text, header }) => {
    const cells = kind === 'row' ? cellsOf(text) : [rankedName.exec(text)?.[0] ?? ''];
    const isOther = cells.some((cell) => cell !== '') && saysOther(cells);
    if (kind !== 'row') return isOther || (isOfPrice && !aboutPrice.test(text));
    if (isOtherWay(header, text)) return true;
    const isOfValues = cells.every((cell) => cell.split(/\s+/).length <= maxWords);
    const isAny = most !== undefined && !text.toLowerCase().includes(most);
    if (isOfValues && (isAny || isOfFate || isCompared || (isNegated && !denies.test(text)))) return true;
    return isOther;
  };
}

/** "next service", "nächste Wartung", "prochaine révision", "próxima revisión" */
const nextOne = /^(?:next|nächste[rsnm]?|prochaine?s?|próxim[oa]s?)$/i;

/** Where a unit says when the next one is, when another was does not answer. */
export function markEarlier({ terms, asked, language }: AnalysedQuestion, details: readonly MarkedDetail[]): void {
  const word = readWords(asked, language).find(({ start, end }) => nextOne.test(asked.slice(start, end)));
  const next = terms.findIndex(({ stem }) => stem === word?.stem);
  if (next < 0) return;
  const isAnswer = ({ wide, above, before, values }: MarkedDetail) =>
    values > 0 && wide[next]! > 0 && terms.every((_, term) => wide[term]! > 0 || above[term]! > 0 || before[term]! > 0);
  if (!details.some(isAnswer)) return;
  for (const each of details) {
    if (each.wide[next] !== 0) continue;
    each.isWanting = true;
    each.isContrary = true;
  }
}

/** What is known of a unit, as few-pages.ts has it; the last two are set. */
export interface MarkedDetail {
  readonly wide: Strengths;
  readonly above: Strengths;
  readonly before: Strengths;
  readonly values: number;
  isWanting: boolean;
  isContrary: boolean;
}

/** Whose number is asked for, or what may be allowed: where a unit says it of that, those about others do not answer. */
export function markOthers(question: AnalysedQuestion, details: readonly MarkedDetail[]): void {
  const owner = ownerAskedFor(question);
  const about = owner.length > 0 ? owner : permittedThing(question);
  if (about.length === 0) return;
  const isOf = (...strengths: readonly Strengths[]) => about.some((term) => strengths.some((each) => each[term]! > 0));
  const isSaid = details.some((each) => each.values > 0 && isOf(each.wide, each.above));
  // Of a person whose number is not said, that of somebody else is none.
  const isNamed = owner.some((term) => question.terms[term]!.name);
  if (!isSaid && !isNamed) return;
  for (const each of details) if (!isOf(each.wide, each.above) && (isSaid || !isOf(each.before))) each.isWanting = true;
}
