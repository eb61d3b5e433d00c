/**
 * Whether a unit has the kind of thing that a question asks for: a name for "who", a number for "how many". Words of the
 * question itself do not count.
 */

import { months } from '../../../base/text/dates/months.ts';
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
/** Stems. */
const times =
  /^(?:centuri|decad|dai|week|month|season|spring|summer|autumn|winter|monday|tuesdai|wednesdai|thursdai|fridai|saturdai|sundai)$/;
const eras = /^(?:centuri|decad)$/;
const prepositions = /\b(?:in|at|near|from|to|of|on|outside|throughout|between) (?:the )?$/i;

/** Returns a function that reads the features of a unit, given the matches of its words. */
export function createAnswerTypeReader(
  question: AnalysedQuestion,
): (unit: ReadUnit, matches: WordMatches) => AnswerTypeFeatures {
  const fits = createKindTest(question);
  return (unit, matches) => readFeatures(unit, question, matches, fits);
}

function readFeatures(
  unit: ReadUnit,
  question: AnalysedQuestion,
  matches: WordMatches,
  fits: KindTest,
): AnswerTypeFeatures {
  const { words } = unit;
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
    // What is asked for is a term.
    if (isTerm && question.focus.includes(word.stem)) {
      lastFocus = at;
      focus = Math.max(focus, at - lastCandidate <= 3 ? 1 : 0.5);
    }
    if (!isTerm && fits(word, at, unit)) {
      count += 1;
      lastCandidate = at;
      if (at - lastFocus <= 3) focus = 1;
    }
    if (lastCandidate >= 0 && lastMatch >= 0) near = Math.max(near, 1 / (1 + Math.abs(lastCandidate - lastMatch)));
  }
  return { some: Math.min(1, count / 3), near, focus, novel: content === 0 ? 0 : novel / content };
}

/** Whether a word of a unit, given its index, could belong to an answer of the asked kind. */
type KindTest = (word: Form, at: number, unit: ReadUnit) => boolean;

/** One for all units of a question: it is asked about each of their words. */
export function createKindTest({ kind }: AnalysedQuestion): KindTest {
  switch (kind) {
    case 'person':
      return isName;
    case 'place':
      return (word, at, unit) =>
        isName(word, at, unit) &&
        (at === 0 ||
          prepositions.test(unit.text.slice(Math.max(0, unit.startOf(at) - 14), unit.startOf(at))) ||
          unit.words[at - 1]!.capital);
    case 'date':
      return (word) => word.digits || monthStems.has(word.stem) || times.test(word.stem);
    case 'year':
      return ({ digits, stem }) => (digits && /^(?:1\d{3}|20\d{2}|\d{1,4}$)/.test(stem)) || eras.test(stem);
    case 'count':
    case 'amount':
      return ({ digits, stem }) => digits || numberStems.has(stem);
    case 'reason':
      return createTextTest(reasons);
    case 'manner':
      return createTextTest(manners);
    default:
      return (word, at, unit) => word.digits || isName(word, at, unit);
  }
}

function isName(word: Form, at: number, { words }: ReadUnit): boolean {
  return word.capital && !word.digits && (at > 0 || words[1]?.capital === true);
}

/** Any word of a unit that has the pattern. The words of a unit are tested one after the other, and the unit once. */
function createTextTest(pattern: RegExp): KindTest {
  let last: ReadUnit | undefined;
  let fits = false;
  return (_word, _at, unit) => {
    if (unit !== last) fits = pattern.test(unit.text);
    last = unit;
    return fits;
  };
}
