/**
 * Whether a unit has the kind of thing that a question asks for: a name for "who", a number for "how many". Words of the
 * question itself do not count.
 */

import { months } from '../../../base/text/months.ts';
import { smallNumbers, tens } from '../../../base/text/numbers.ts';
import type { WordMatches } from '../match/term-matcher.ts';
import type { AnalysedQuestion } from '../question/analyse.ts';
import type { ReadUnit } from '../text/passages.ts';
import { type Form, stemOf } from '../text/words.ts';

export interface AnswerTypeFeatures {
  /** Number of words that fit, 0 to 1 (three or more). */
  readonly some: number;
  /** 1 / (1 + words between one that fits and the nearest term of the question); 0 where there is none. */
  readonly near: number;
  /** 1 if what is asked for ("city") is named next to a word that fits, 0.5 if it is named elsewhere, else 0. */
  readonly focus: number;
  /** Share of the words, stop words aside, that the question does not have. */
  readonly novel: number;
}

const monthStems = new Set(months.map(stemOf));
/** Without "one" to "ten", as the weights were trained. */
const numberStems = new Set(
  [
    ...smallNumbers.slice(11),
    ...tens,
    ...'hundred thousand million billion dozen twice once several half double quarter'.split(' '),
  ].map(stemOf),
);
const reasons =
  /\b(?:because|due to|so that|in order to|since|as a result|caused?|led to|result(?:ed|ing) (?:in|from)|reason|to (?:avoid|prevent|make|allow|protect|reduce|help|keep)|therefore|thus|for fear)\b/i;
const manners = /\b(?:by \w+ing|through|using|via|with the (?:help|aid|use)|by means|method|process|such as|allow)\b/i;
const prepositions = /\b(?:in|at|near|from|to|of|on|outside|throughout|between) (?:the )?$/i;

/** The features of one unit, given the matches of its words. */
export function readAnswerTypeFeatures(
  unit: ReadUnit,
  question: AnalysedQuestion,
  matches: WordMatches,
): AnswerTypeFeatures {
  const { words } = unit;
  const fits = createKindTest(question, unit);
  let count = 0;
  let near = 0;
  let novel = 0;
  let content = 0;
  let focus = 0;
  let lastMatch = -100;
  let lastCandidate = -100;
  let lastFocus = -100;
  for (let at = 0; at < words.length; at += 1) {
    const match = matches[at];
    if (match === null) continue;
    const word = words[at]!;
    content += 1;
    const isTerm = match !== undefined;
    if (isTerm) lastMatch = at;
    else novel += 1;
    if (question.focus.includes(word.stem)) {
      lastFocus = at;
      focus = Math.max(focus, at - lastCandidate <= 3 ? 1 : 0.5);
    }
    if (!isTerm && fits(word, at)) {
      count += 1;
      lastCandidate = at;
      if (at - lastFocus <= 3) focus = 1;
    }
    if (lastCandidate >= 0 && lastMatch >= 0) near = Math.max(near, 1 / (1 + Math.abs(lastCandidate - lastMatch)));
  }
  return { some: Math.min(1, count / 3), near, focus, novel: content === 0 ? 0 : novel / content };
}

/** Returns a test for words that could belong to an answer of the asked kind. */
function createKindTest(question: AnalysedQuestion, unit: ReadUnit): (word: Form, at: number) => boolean {
  const isName = (word: Form, at: number) =>
    word.capital && !word.digits && (at > 0 || unit.words[1]?.capital === true);
  const isNumber = (word: Form) => word.digits || numberStems.has(word.stem);
  const isYear = (word: Form) => word.digits && /^(?:1\d{3}|20\d{2})/.test(word.stem);
  switch (question.kind) {
    case 'person':
      return isName;
    case 'place':
      return (word, at) =>
        isName(word, at) &&
        (at === 0 ||
          prepositions.test(unit.text.slice(Math.max(0, unit.starts[at]! - 14), unit.starts[at]!)) ||
          unit.words[at - 1]!.capital);
    case 'date':
      return (word) =>
        word.digits ||
        monthStems.has(word.stem) ||
        /^(?:centuri|decad|dai|week|month|season|spring|summer|autumn|winter|monday|tuesdai|wednesdai|thursdai|fridai|saturdai|sundai)$/.test(
          word.stem,
        );
    case 'year':
      return (word) =>
        isYear(word) || (word.digits && /^\d{1,4}$/.test(word.stem)) || /^(?:centuri|decad)$/.test(word.stem);
    case 'count':
    case 'amount':
      return isNumber;
    case 'reason':
      return reasons.test(unit.text) ? () => true : () => false;
    case 'manner':
      return manners.test(unit.text) ? () => true : () => false;
    default:
      return (word, at) => isName(word, at) || word.digits;
  }
}
