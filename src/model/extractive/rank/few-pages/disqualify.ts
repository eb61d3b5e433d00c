/**
 * Disqualifies units that cannot answer because of what the other units say: the last service where the next one is said,
 * somebody's number where that of the person is, "Yes" below another question, everything where nothing speaks of what a price is
 * asked for.
 */
import { isClosing } from '../../../../base/text/lines/mail-lines.ts';
import { mergeInto } from '../../match/coverage.ts';
import { answerStrength } from '../../match/everyday.ts';
import type { Strengths } from '../../match/term-matcher.ts';
import type { AnalysedQuestion } from '../../question/analyse.ts';
import { isColumnOf } from '../../question/asked/asked-column.ts';
import { kindAskedFor, pricedThings } from '../../question/asked/asked-thing.ts';
import { cellsOf } from '../../text/cells.ts';
import { fileNameOf } from '../../text/document-date.ts';
import { readWords, stemOf } from '../../text/words.ts';
import type { Candidate } from '../features.ts';
import { isYesOrNo } from '../labels.ts';
import type { AnswerTarget, Detail } from './details.ts';

/** Words of the name below a letter; set by hand. */
const maxNameWords = 4;
const asksForName = /\b(?:named?|surname|called|sign(?:s|ed)?|wrote|sender)\b/i;
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
  /^\P{L}*\p{L}+ .*(?<!\p{L})((?:erlaubt|gestattet|verboten|zulässig|autorisée?s?|permise?s?|interdite?s?|permitid[oa]s?|prohibid[oa]s?|permess[oi]|vietat[oa]|toegestaan|verboden|permitid[oa]s?|proibid[oa]s?))\P{L}*$/iu;

/** The terms for what a question in another language asks whether it is allowed; none for others. */
function permittedThing({ terms, asked, language, text }: AnalysedQuestion): number[] {
  const found = language === undefined ? undefined : asksOfPermission.exec(asked)?.[1];
  if (found === undefined) return [];
  const at = readWords(text, language).findIndex(({ start, end }) => text.slice(start, end) === found);
  return terms.flatMap((term, i) => (term.at < at ? [i] : []));
}

/** Whose number is asked for, or what may be allowed: where a unit says it of that, those about others do not answer. */
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
    // The name before a number may be its owner's, unless the number has one of its own.
    const isOfBefore = !isSaid && isOf(each.before) && !ownLabel.test(candidates[i]!.unit.text);
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

/** "F.75", "HR-229-118", "error f-75": a letter or a few with figures after a dot or a hyphen; not "p. 12", "v2.1", "top-10" or "mid-2024". */
const codeAsked =
  /(?<![\p{L}\p{N}.-])(?!(?:[PpVvSs]|[Pp]p|[Nn]o|[Nn]r|[Ss]t|[Vv]ol|[Cc]h|[Ss]ec|[Aa]rt|[Ff]ig|[Rr]s|[Kk]l|[Aa]bt|[Cc]a|DIN|EN|ISO|BGB|GMT|UTC|FSK)[.-])(?:\p{Lu}{1,4}-\d{1,4}|\p{L}{1,3}\.\d{1,4}|(?<=(?:[Ee]rror|[Ff]ault|[Cc]ode|[Aa]larm|[Ff]ehler|[Ee]rreur|[Cc]ódigo) )\p{L}{1,3}-\d{1,4})(?:[.-]\d{1,4})*(?![\p{L}\p{N}]|[.-]\p{N})/gu;

/** What says that a code of one or two figures is one: "error F.75", "Was bedeutet F.75?", not "the tunnel on I-95". */
const codeWord =
  '(?:errors?|faults?|codes?|alarms?|warnings?|messages?|fehler(?:code|meldung)?|störung(?:scode)?|meldung|erreurs?|défaut|código|codice|errore|avería|fallo|foutcode|storing)';
const wordBefore = new RegExp(
  String.raw`(?<!\p{L})(?:${codeWord}|bedeutet|heißt|signifie|significa|betekent|meant by)[ :]+["„“]?$`,
  'iu',
);
const wordAfter = new RegExp(
  String.raw`^["“”]?[ ,:]+(?:${codeWord}|means?|stands? for|bedeutet|bedeuten|signifie|significa|betekent)(?!\p{L})`,
  'iu',
);

/** Where no text has a code that the question names, what is said of another one does not answer. */
export function disqualifyOtherCodes(
  { asked }: AnalysedQuestion,
  candidates: readonly Candidate[],
  details: readonly Detail[],
): void {
  const codes = [...asked.matchAll(codeAsked)]
    .filter(({ 0: code, index }) => {
      const isAsked = wordBefore.test(asked.slice(0, index)) || wordAfter.test(asked.slice(index + code.length));
      return isAsked || code.replace(/\D/g, '').length >= 3;
    })
    .map(([code]) => code);
  if (codes.length === 0) return;
  const places = [
    ...new Set(candidates.flatMap(({ unit, source }) => [unit.text, unit.section, source.title, source.headings])),
  ];
  const said = places.map(withoutMarks);
  const isSaid = (code: string) => {
    const plain = withoutMarks(code);
    const asWord = figuresAlone(code);
    return said.some((text) => text.includes(plain)) || places.some((text) => asWord.test(text));
  };
  if (codes.every(isSaid)) return;
  for (const each of details) each.isDisqualified = true;
}

/** "F.75", "F-75", "F. 75" and "F 75" are the same code. */
function withoutMarks(text: string): string {
  return text.toLowerCase().replace(/(?<=[\p{L}\p{N}])[.\s-]{1,2}(?=\p{N})/gu, '');
}

/** The figures of a code after a word for what it is: "Error 118" for HR-118, "Interstate 495" for I-495. */
function figuresAlone(code: string): RegExp {
  const figures = code.replace(/^\P{N}+/u, '').replace(/[.]/g, '\\.');
  return new RegExp(
    String.raw`(?<!\p{L})(?:\p{Lu}\p{L}{2,}|${codeWord.toLowerCase()}) (?:no\. |nr\. )?${figures}(?![\p{N}]|[.,-]\p{N})`,
    'u',
  );
}

/** "next service", "nächste Wartung", "prochaine révision", "próxima revisión" */
const nextOne = /^(?:next|nächste[rsnm]?|prochaine?s?|próxim[oa]s?)$/i;

/** Where a unit says when the next one is, when another was does not answer. */
export function disqualifyPastOccurrences(
  { terms, asked, language }: AnalysedQuestion,
  details: readonly Detail[],
): void {
  const word = readWords(asked, language).find(({ start, end }) => nextOne.test(asked.slice(start, end)));
  const next = terms.findIndex(({ stem }) => stem === word?.stem);
  if (next < 0) return;
  const isAnswer = ({ wide, above, before, values }: Detail) =>
    values > 0 && wide[next]! > 0 && terms.every((_, term) => wide[term]! > 0 || above[term]! > 0 || before[term]! > 0);
  if (!details.some(isAnswer)) return;
  for (const each of details) {
    if (each.wide[next] !== 0) continue;
    each.isDisqualified = true;
    each.isAboutOther = true;
  }
}

/**
 * Where a sentence says when somebody did what is asked, or how many there were, rows about other things are not about it, though they
 * have the names and years of their own: "They married on 18 June 1949" beside a table of births and deaths.
 */
export function markRowsBesideSentence(
  { terms, language }: AnalysedQuestion,
  candidates: readonly Candidate[],
  details: readonly Detail[],
  { type }: AnswerTarget,
): void {
  if (type !== 'day' && type !== 'count') return;
  const names = terms.filter(({ name }) => name);
  const [done] = terms.filter(({ name, digits }) => !name && !digits).sort((a, b) => b.weight - a.weight);
  if (done === undefined || names.length === 0) return;
  const term = terms.indexOf(done);
  const isSaid = candidates.some(
    ({ unit }, i) => unit.kind === 'sentence' && details[i]!.values > 0 && details[i]!.wide[term]! > answerStrength,
  );
  if (!isSaid) return;
  candidates.forEach(({ unit }, i) => {
    const isNamed = cellsOf(unit.header).some(
      (name, at) =>
        /\d/.test(cellsOf(unit.text)[at] ?? '') &&
        (isColumnOf(type, name) || readWords(name, language).some(({ stem }) => stem === done.stem)),
    );
    if (unit.kind === 'row' && !isNamed && details[i]!.wide[term] === 0) details[i]!.isAboutOther = true;
  });
}

/** "Is there a discount for seniors?", but not "Is there parking for visitors?": any parking may be for them. */
const asksForDiscount =
  /^\W*(?:is|are) there (?:an? |any )?(?:discounts?|reductions?|concessions?|special (?:prices?|rates?))\b/i;

/**
 * Where no text is about the thing or person that a price or a discount is for, or says the kind of thing that may exist, none
 * answers.
 */
export function disqualifyIfUnmentioned(
  { terms, asked, language }: AnalysedQuestion,
  candidates: readonly Candidate[],
  details: readonly Detail[],
  { type, thing }: AnswerTarget,
): void {
  const priced = type === 'money' || asksForDiscount.test(asked) ? pricedThings(asked, language) : [];
  const kinds = thing === undefined ? [] : kindAskedFor(asked);
  const isSaid = (term: number, atLeast: number) =>
    details.some(({ wide, above }) => wide[term]! > atLeast || above[term]! > atLeast);
  const fileStems = new Set(
    [...new Set(candidates.map(({ source }) => fileNameOf(source)))].flatMap((name) =>
      readWords(name, language).map(({ stem }) => stem),
    ),
  );
  const isUnsaid = terms.some(
    ({ stem }, term) =>
      (priced.includes(stem) && !fileStems.has(stem) && !isSaid(term, 0)) ||
      (kinds.includes(stem) && !isSaid(term, answerStrength)),
  );
  if (isUnsaid) for (const each of details) each.isDisqualified = true;
}

/** The name below a letter answers nothing but who signed it. */
export function disqualifySignatures(
  { kind, asked }: AnalysedQuestion,
  candidates: readonly Candidate[],
  details: readonly Detail[],
): void {
  if (kind === 'person' || asksForName.test(asked)) return;
  candidates.forEach(({ unit: { words, text }, source }, i) => {
    const before = candidates[i - 1];
    const isSigned = before?.source === source && isClosing(before.unit.text);
    const isName =
      words.length <= maxNameWords && words.every(({ capital }) => capital) && /^[\p{L} .'’-]+$/u.test(text);
    if (isSigned && isName) details[i]!.isDisqualified = true;
  });
}

const asksForColour =
  /(?<!\p{L})(?:(?:what|which) colou?rs?|in (?:what|which) colou?rs?|colou?rs? (?:is|are|does|do))(?!\p{L})/iu;
const saysOfColour = /(?<!\p{L})(?:colou?r(?:s|ed)?|shades?|available in|comes? in|painted|dyed)(?!\p{L})/iu;
/** "Dark blue, satin": below a heading, all that a text has to say of the thing. */
const colourFirst =
  /^(?:(?:dark|light|pale|deep|bright|matt?e?)[ -])?(?:red|blue|green|black|white|yellow|gr[ea]y|brown|orange|purple|pink|violet|silver|gold|beige|turquoise|navy|anthracite)(?!\p{L})/iu;
const colourStems: ReadonlySet<string> = new Set(['color', 'colour'].map(stemOf));

/** "Press the red button." says no colour of the stove: a text says one of what it speaks of. */
export function disqualifyOtherColours(
  { asked, terms, language }: AnalysedQuestion,
  candidates: readonly Candidate[],
  details: readonly Detail[],
): void {
  if (language !== undefined || !asksForColour.test(asked)) return;
  candidates.forEach(({ unit: { text } }, i) => {
    const { wide, above, section, label } = details[i]!;
    const beginsWithColour = colourFirst.test(text);
    const isOfThing = terms.some(
      ({ stem }, term) =>
        !colourStems.has(stem) &&
        (beginsWithColour ? Math.max(wide[term]!, section[term]!, label[term]!) : wide[term]!) > answerStrength,
    );
    const isOfColour =
      saysOfColour.test(text) || terms.some(({ stem }, term) => colourStems.has(stem) && above[term]! > 0);
    if (!isOfThing && !isOfColour) details[i]!.isDisqualified = true;
  });
}

/** In a list of questions, "Yes, …" below one, or below a heading, answers nothing of which neither says a word. */
export function disqualifyAnswersToOthers(candidates: readonly Candidate[], details: readonly Detail[]): void {
  candidates.forEach(({ unit, source }, i) => {
    if (!isYesOrNo(unit.text)) return;
    const before = candidates[i - 1];
    const isBelow = before?.source === source && before.unit.section === unit.section && before.unit.text.endsWith('?');
    if (!isBelow && unit.sectionStems.size === 0) return;
    const { section, wide } = details[i]!;
    // A sentence that says all of the question answers it, whatever is above.
    if (wide.every((strength) => strength > 0) && wide.some((strength) => strength > answerStrength)) return;
    const own = isBelow ? mergeInto(details[i - 1]!.wide.slice(), section) : section;
    const isAsked = own.some((strength) => strength > 0);
    // "On the pitches there is none." is the answer for the pitches.
    const isForAnother = own.some(
      (strength, term) =>
        strength === 0 &&
        wide[term] === 0 &&
        candidates.some(
          (other, at) => other.source === source && other.unit.block === unit.block && details[at]!.wide[term]! > 0,
        ),
    );
    if (isAsked && !isForAnother) return;
    details[i]!.isDisqualified = true;
    details[i]!.isAboutOther = !isAsked;
  });
}
