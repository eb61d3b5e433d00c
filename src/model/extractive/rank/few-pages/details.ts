/**
 * Reads each unit of a small corpus for one question: which of the question's terms it says, which are said above and beside it, and
 * whether it has what is asked for.
 */

import { mergeInto, scaled } from '../../match/coverage.ts';
import { createEverydayMatcher } from '../../match/everyday.ts';
import { lowerLoneSigns } from '../../match/lone-signs.ts';
import { createOppositeCheck, raiseSameParticle } from '../../match/particles.ts';
import { raiseSameDay } from '../../match/same-day.ts';
import { createTermMatcher, type Strengths } from '../../match/term-matcher.ts';
import { raiseWithinRange } from '../../match/within-range.ts';
import type { AnalysedQuestion } from '../../question/analyse.ts';
import { hasAskedCell, hasFocusCell, lacksAskedCell } from '../../question/asked/asked-column.ts';
import { readAskedForm } from '../../question/asked/asked-form.ts';
import { asksForDayOfDeed, saysOnlyAsVerb } from '../../question/asked/asked-thing.ts';
import { preciseTypes, type ValueType } from '../../question/asked/asked-value.ts';
import { goesOnAbout } from '../../text/goes-on-about.ts';
import { plainStems } from '../../text/words.ts';
import type { Candidate } from '../features.ts';
import { readLabels } from '../labels.ts';
import { createContraryCheck, languageAskedFor } from './contrary.ts';
import { createInstructionCheck, createNameCheck } from './named-units.ts';

/** What is known of a unit. Strengths count synonyms, and words that everyday texts use for the same thing. */
export interface Detail {
  /** What the unit says, and in part the sentence that it refers back to. */
  readonly wide: Strengths;
  /** What the headings in its passage say, and its label: the unit before it that is like a heading. */
  readonly section: Strengths;
  readonly label: Strengths;
  /** What all that is above it says: these, the title and the headings of its passage. */
  readonly above: Strengths;
  /** What the units before and after it below the same heading say, and both together. */
  readonly before: Strengths;
  readonly after: Strengths;
  readonly beside: Strengths;
  /** Whether it is the label of others. */
  readonly isLabel: boolean;
  /** Values of the asked type that the question does not have itself. */
  readonly values: number;
  /** Whether it is a row of a table or a line whose name is in the question word for word: "No sound", "Start date: …". */
  readonly isNamed: boolean;
  /** Whether it begins with what the question asks how to do, or when: "To top up: …", "If you take too many, …". */
  readonly isInstruction: boolean;
  /** Whether it cannot answer: it has no value of the asked form, or does not speak of the thing that is asked after. */
  isDisqualified: boolean;
  /** Whether it is about something else for certain. */
  isAboutOther: boolean;
}

/** What a question asks for. */
export interface AnswerTarget {
  readonly type: ValueType | undefined;
  /** The stem of the thing that has to be spoken of; see `thingAskedFor`. */
  readonly thing: string | undefined;
}

/** What a neighbour's words are credited with, as a share of a unit's own. Set by hand. */
export const neighbourShare = 0.7;

/** What is known of each unit alone, in the order of the candidates. */
export function readDetails(
  question: AnalysedQuestion,
  candidates: readonly Candidate[],
  asked: AnswerTarget,
): Detail[] {
  const nothing = new Float32Array(question.terms.length);
  const matcher = createTermMatcher(question);
  const raise = createEverydayMatcher(question);
  const readWidely = (stems: Iterable<string>, exact: Strengths) =>
    raise(stems, matcher.readWithSynonyms(stems, exact));
  const wide = candidates.map(({ unit, own }) =>
    raise(plainStems(unit.words), matcher.readTextWithSynonyms(unit, own)),
  );
  candidates.forEach((candidate, i) => {
    // "It is serviced every September" is about the boiler of the sentence before it.
    if (!refersBack(candidate, candidates[i - 1])) return;
    wide[i] = mergeInto(wide[i]!.slice(), scaled(wide[i - 1]!, neighbourShare));
  });
  const units = candidates.map(({ unit }) => unit);
  const texts = units.map(({ text }) => text);
  raiseSameDay(question, texts, wide);
  lowerLoneSigns(question, texts, wide);
  raiseSameParticle(question, texts, wide);
  const isOfOtherRange = raiseWithinRange(question, units, wide);
  const besideOf = (at: number, other: number) =>
    isBeside(candidates[at]!, candidates[other]) ? wide[other]! : nothing;

  const labels = readLabels(candidates);
  const labelIndexes = new Set(labels);
  const values = countValues(question, candidates, asked);
  const isListed = asked.type === 'person' || (asked.type !== undefined && preciseTypes.has(asked.type));
  const isNamed = createNameCheck(question.text);
  const isInstruction = createInstructionCheck(question);
  const isSilent = createSilenceCheck(question, asked);
  const saysOpposite = createOppositeCheck(question.text);
  const isContrary = createContraryCheck(question);
  return candidates.map((candidate, i) => {
    const { unit, passage, around } = candidate;
    const section = readWidely(unit.sectionStems, matcher.read(unit.sectionStems));
    const label = labels[i] === undefined ? nothing : wide[labels[i]]!;
    const heading = readWidely([...passage.headingStems, ...passage.titleStems], around);
    const above = mergeInto(mergeInto(heading, section), label);
    const before = besideOf(i, i - 1);
    const after = besideOf(i, i + 1);
    const { count, isMissing } = values[i]!;
    const isOther = isContrary(unit, candidate.source.title) || isOfOtherRange[i]!;
    return {
      wide: wide[i]!,
      section,
      label,
      above,
      before,
      after,
      beside: mergeInto(before.slice(), after),
      isLabel: labelIndexes.has(i),
      values: count,
      isNamed: isNamed(unit, count > 0 && isListed) && !isMessage(candidate),
      isInstruction: unit.kind !== 'row' && isInstruction(unit.text),
      isDisqualified: isMissing || isSilent(candidate, wide[i]!, above) || saysOpposite(unit.text) || isOther,
      isAboutOther: isOther,
    };
  });
}

/** Whether it is what somebody writes in a chat: other units of the passage begin with the same name, which names none of them. */
function isMessage({ unit, passage }: Candidate): boolean {
  const [name] = /^\p{Lu}[\p{L} ]{0,30}: /u.exec(unit.text) ?? [];
  return (
    name !== undefined && unit.kind === 'item' && passage.units.filter(({ text }) => text.startsWith(name)).length > 1
  );
}

/** "Then I give the talk.", "Ben: will do", "Ben: can bring it", which name the sender; not "I think Ben does" or "Ben: can you come?". */
const ofSender =
  /(?<!\p{L})(?:I(?:['’](?:m|ll|ve|d))?|ich|ik|yo|io|j['’])(?!\p{L})(?! (?:also |just |really |nicht )?(?:think|guess|believe|suppose|hope|wonder|heard|ask(?:ed)?|wish|(?:do not|don['’]?t|did not|didn['’]?t) |can['’]?t|cannot|have no|glaube|denke|weiß|hoffe|frage|denk|weet|geloof|creo|no |credo|non ))|: (?:will do|on it|mach ich)(?!\p{L})/iu;

/** "Ben: me! can bring the tent", "Jo: can't, sorry", "Leo: no nuts for me", where the sender is left out; not "Ben: can you come". */
const withoutSender =
  /: (?:(?:me|yes|yeah|ok|okay|sure|hi|sorry)[!.,]* )?(?:(?:can|could|will)(?!['’\p{L}]| (?:you|we|i|he|she|it|they|someone|somebody|anyone|anybody|everyone|this|that|the|be|\p{Lu}\p{L}*)(?!\p{L}))|(?:can|won)['’]?t(?!\p{L}| (?:you|we|someone|anyone)(?!\p{L}))|cannot|bringing|happy to)(?!\p{L})|(?<!\p{L})no \p{L}+ for me(?!\p{L})/u;
const denied = /(?<!\p{L})(?:can['’]?t|cannot|won['’]?t|unable)(?!\p{L})/iu;

/** Whether a message without a subject is what the question asks its sender for: it says its last word, and both or neither that one cannot. */
function isOfSilentSender({ asked, terms }: AnalysedQuestion, { unit: { text }, own }: Candidate): boolean {
  const isSaid = terms.length > 0 && own[terms.length - 1]! > 0;
  return isSaid && withoutSender.test(text) && denied.test(text) === denied.test(asked);
}

/** Whether a unit begins with a word for what the one before it is about. */
function refersBack({ unit, source }: Candidate, before: Candidate | undefined): boolean {
  return before?.source === source && before.unit.block === unit.block && goesOnAbout(unit.text);
}

function isBeside(one: Candidate, other: Candidate | undefined): boolean {
  return other !== undefined && other.source === one.source && other.unit.section === one.unit.section;
}

/** "Boiler: in the cellar", "Router: shoe cupboard" */
const labelledPlace =
  /^[^:–—]{1,40}(?::| [–—-]) (?:(?:in|at|on|under|behind|beside|next to|near|im|am|auf|unter|hinter|neben|beim|dans|sur|sous|en|nel|nella) )/iu;
const labelledThing = /^[^:–—]{1,40}(?::| [–—-]) (?:\p{L}[\p{L}'’-]*(?:,? |\W*$)){1,5}$/u;

/** Whether it says where something is without a preposition, as an item of a list of which another one says it with one. */
function isListedPlace(at: number, candidates: readonly Candidate[]): boolean {
  const { unit } = candidates[at]!;
  return (
    unit.kind === 'item' &&
    labelledThing.test(unit.text) &&
    candidates.some((other) => isBeside(candidates[at]!, other) && labelledPlace.test(other.unit.text))
  );
}

/** The values of the asked form that each unit has, and whether it does not answer for want of one. */
function countValues(
  question: AnalysedQuestion,
  candidates: readonly Candidate[],
  { type }: AnswerTarget,
): { readonly count: number; readonly isMissing: boolean }[] {
  const form = readAskedForm(question.text, question.language !== undefined);
  const isPrecise = type !== undefined && preciseTypes.has(type);
  let before = 0;
  return candidates.map((candidate, i) => {
    const { unit } = candidate;
    const isRow = unit.kind === 'row';
    const stated = form?.count(unit.text, isRow) ?? 0;
    const isBelow =
      isRow && (hasAskedCell(type, unit.header, unit.text) || hasFocusCell(question, unit.header, unit.text));
    const isBlank = isPrecise && isRow && lacksAskedCell(question, unit.header, unit.text);
    // "She does the visits" names somebody if the sentence before it does.
    const isOfBefore = type === 'person' && refersBack(candidate, candidates[i - 1]);
    const isPlace = type === 'place' && stated === 0 && isListedPlace(i, candidates);
    const isOfSender =
      type === 'person' &&
      (ofSender.test(unit.text) || isOfSilentSender(question, candidate)) &&
      !unit.text.endsWith('?') &&
      isMessage(candidate);
    const count = stated > 0 ? stated : isBelow || isPlace || isOfSender ? 1 : isOfBefore ? before : 0;
    before = count;
    const isWithout = form?.isRequired === true && count === 0 && !form.isOther(unit.text);
    return { count, isMissing: isBlank || isWithout };
  });
}

/** Returns a function that says whether a unit does not speak of the thing, or of the language, that is asked after. */
function createSilenceCheck(
  question: AnalysedQuestion,
  { thing: stem }: AnswerTarget,
): (candidate: Candidate, wide: Strengths, above: Strengths) => boolean {
  const thing = question.terms.findIndex((term) => term.stem === stem);
  const isNoun = !asksForDayOfDeed(question.text);
  const language = languageAskedFor(question);
  return ({ unit, own, around }, wide, above) =>
    (thing >= 0 &&
      above[thing] === 0 &&
      (wide[thing] === 0 || (isNoun && saysOnlyAsVerb(unit.text, question.terms[thing]!.stem)))) ||
    (language >= 0 && own[language] === 0 && around[language] === 0);
}
