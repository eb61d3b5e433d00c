/**
 * Disqualifies units that cannot answer because of what the other units say: the last service where the next one is said, "Yes" below
 * another question, everything where nothing speaks of what a price is asked for.
 */
import { isClosing } from '../../../../base/text/lines/mail-lines.ts';
import { mergeInto } from '../../match/coverage.ts';
import { answerStrength } from '../../match/everyday.ts';
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

const asksForLeave =
  /\b(?:have to|must|may|can|need to|should|allowed|permitted|compulsory|mandatory|obligatory|required)\b|(?<!\p{L})(?:muss|müssen|darf|dürfen|kann|können|dois-je|doit-on|faut-il|puis-je|peut-on|debo|hay que|puedo|se puede|devo|posso|si può|moet|mag|kan)(?!\p{L})/iu;
/** A column that says why, or may, or a cell that says whether. */
const reasonColumn =
  /(?<!\p{L})(?:reasons?|why|causes?|remarks?|notes?|comments?|Bemerkung(?:en)?|Anmerkung(?:en)?|Hinweise?|remarques?|notas?|observaciones|opmerking(?:en)?|Grund|Gründe|Ursache|raisons?|motivos?|motiv[oi]|reden)(?!\p{L})/iu;
const whether = /(?:^|\| ?)(?:yes|no|ja|nein|oui|non|sí|sì|no|nee|sim|não|x|✓|✔|✗|✘)(?= ?\||$)/iu;

/** "Site visit | 12 March" says no reason and no duty, where a sentence about the same does: "The site visit is compulsory." */
export function disqualifyRowsBesideReason(
  { terms, asked }: AnalysedQuestion,
  candidates: readonly Candidate[],
  details: readonly Detail[],
  { type }: AnswerTarget,
): void {
  if (type !== 'reason' && !(type === 'permission' && asksForLeave.test(asked))) return;
  // What a sentence is about may be in the heading above it.
  const has = (at: number, term: number) =>
    details[at]!.wide[term]! > answerStrength || candidates[at]!.unit.sectionStems.has(terms[term]!.stem);
  candidates.forEach(({ unit: { kind, text, header } }, i) => {
    if (kind !== 'row' || details[i]!.values > 0 || reasonColumn.test(header) || whether.test(text)) return;
    const own = terms.flatMap((_, term) => (has(i, term) ? [term] : []));
    const isSaid =
      own.length > 0 &&
      candidates.some(
        ({ unit }, at) => unit.kind !== 'row' && details[at]!.values > 0 && own.every((term) => has(at, term)),
      );
    if (isSaid) details[i]!.isDisqualified = true;
  });
}
