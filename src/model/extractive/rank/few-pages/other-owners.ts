/**
 * Whose number or address is asked for, or what may be allowed: where the units say it of that person or thing, those about others do
 * not answer.
 */
import { answerStrength } from '../../match/everyday.ts';
import type { Strengths } from '../../match/term-matcher.ts';
import type { AnalysedQuestion } from '../../question/analyse.ts';
import { readWords } from '../../text/words.ts';
import type { Candidate } from '../features.ts';
import type { Detail } from './details.ts';

const contact = '(?:(?:phone|telephone|mobile|cell) )?number|(?:e-?mail|web)(?: address)?|address|website';
/** "the caretaker's phone number", "Finn's number", "the number of the caretaker" */
const owned = new RegExp(
  String.raw`(\p{L}+)['’]s? (?:${contact})\b|\b(?:${contact}) (?:of|for) (?:the |our |my |your )?(\p{L}+(?: \p{Lu}\p{L}+)?)`,
  'iu',
);

/** "Water warden: Sam Okoye, 0151 774 201" */
const ownLabel = /^\p{Lu}[^:.!?]{1,40}:\s.*\p{L}/su;

/** The terms for whose telephone number or address is asked for; none where that is not said. */
function ownerAskedFor({ terms, asked, language }: AnalysedQuestion): number[] {
  const found = owned.exec(asked);
  const stems = readWords(found?.[1] ?? found?.[2] ?? '', language).map(({ stem }) => stem);
  return terms.flatMap(({ stem }, term) => (stems.includes(stem) ? [term] : []));
}

/** "Sind Hühner erlaubt?": what is allowed or not is said of something. */
const asksOfPermission =
  /^\P{L}*\p{L}+ .*(?<!\p{L})((?:erlaubt|gestattet|verboten|zulässig|autorisée?s?|permise?s?|interdite?s?|permitid[oa]s?|prohibid[oa]s?|permess[oi]|vietat[oa]|toegestaan|verboden|proibid[oa]s?))\P{L}*$/iu;

/** The terms for what a question in another language asks whether it is allowed; none for others. */
function permittedThing({ terms, asked, language, text }: AnalysedQuestion): number[] {
  const found = language === undefined ? undefined : asksOfPermission.exec(asked)?.[1];
  if (found === undefined) return [];
  const at = readWords(text, language).findIndex(({ start, end }) => text.slice(start, end) === found);
  return terms.flatMap((term, i) => (term.at < at ? [i] : []));
}

/** Disqualifies units about others where some unit has what is asked for of the right owner, or the owner is known. */
export function disqualifyOtherOwners(
  question: AnalysedQuestion,
  candidates: readonly Candidate[],
  details: readonly Detail[],
): void {
  const owner = ownerAskedFor(question);
  const about = owner.length > 0 ? owner : permittedThing(question);
  if (about.length === 0) return;
  const isOf = (...strengths: readonly Strengths[]) => about.some((term) => strengths.some((each) => each[term]! > 0));
  const isSaid = details.some((each) => each.values > 0 && isOf(each.wide, each.above));
  // Where the number of a person is not said, somebody else's does not answer.
  const isKnown =
    owner.some((term) => question.terms[term]!.name) ||
    (owner.length > 0 && details.some(({ wide }) => owner.every((term) => wide[term]! > answerStrength)));
  if (!isSaid && !isKnown) {
    disqualifyNamedOwners(owner, candidates, details);
    return;
  }
  details.forEach((each, i) => {
    // The name before a number may be its owner's, unless the number has one of its own, as in a row.
    const { kind, text } = candidates[i]!.unit;
    const isOfBefore = !isSaid && isOf(each.before) && kind !== 'row' && !ownLabel.test(text);
    if (!isOf(each.wide, each.above) && !isOfBefore) each.isDisqualified = true;
  });
}

/** "Provider hotline 0800 …", "office number: …" */
const ownNoun = /(?<!\p{L})\p{L}{3,}[ -](?:hotline|helpline|help desk|support|service|office|desk|line)(?!\p{L})/iu;

/** Where nothing speaks of whose number is asked for, that of somebody else who is named does not answer. */
function disqualifyNamedOwners(
  owner: readonly number[],
  candidates: readonly Candidate[],
  details: readonly Detail[],
): void {
  const isUnsaid = owner.every((term) => details.every(({ wide, above }) => wide[term] === 0 && above[term] === 0));
  if (owner.length === 0 || !isUnsaid) return;
  const isOfSeveral = new Set(candidates.map(({ source }) => source.url)).size > 1;
  candidates.forEach(({ unit: { text } }, i) => {
    if (isOfSeveral || ownNoun.test(text) || ownLabel.test(text)) details[i]!.isDisqualified = true;
  });
}
