/**
 * Whether a few pages have others of what a question names, but not this one: "room 7" where there are rooms 1 to 6, "Zimmer Lilie"
 * where the rooms have other names. Whatever else they say is about something else.
 */
import { createTermMatcher } from '../match/term-matcher.ts';
import { type AnalysedQuestion, stopStems } from '../question/analyse.ts';
import { ofAnything } from '../question/asked/asked-thing.ts';
import { cellsOf } from '../text/cells.ts';
import { type ReadUnit, readPassage, type Source } from '../text/passages.ts';
import { readWords } from '../text/words.ts';
import { lettersBefore, numbersIn } from './numbered.ts';

/** "rooms 1–5", "Rooms 1 to 5" */
const range = /(\p{L}+)\s\d+\s?(?:[-–/,&]|to|and|bis|und|à|et|al?|y)\s?\d+/giu;
/** A number of four figures may be a year. */
const few = /^(?:\d{1,3}|\p{Lu}\d{0,2})$/u;
const articles = /^(?:the|an?|any|some|my|our|your|another) $/i;
/** What an "e-" stands for. */
const electric = /(?:electr|elektr|eléctr|électr|elettr|pedelec)/i;
/** Characters of a cell that is a name. Set by hand. */
const maxName = 40;

/** Whether what is asked about is missing among its like. */
export function lacksAskedThing(question: AnalysedQuestion, sources: readonly Source[]): boolean {
  const numbered = [...numbersIn(question.asked, question.language)].filter(([, number]) => few.test(number));
  const names = namedThings(question);
  const lettered = lettersBefore(question.asked);
  if (numbered.length === 0 && names.length === 0 && lettered.length === 0) return false;
  const units = sources.flatMap((source) => readPassage(source, question.language).units);
  return (
    lettered.some((each) => hasOnlyOthers(each, sources, question)) ||
    numbered.some(([kind, number]) => lacksNumber(kind, number, units, question)) ||
    names.some(({ kind, name }) => lacksName(kind, name, units, sources, question))
  );
}

/** Whether there are bikes, but no e-bikes. */
function hasOnlyOthers(
  { letter, word }: { readonly letter: string; readonly word: string },
  sources: readonly Source[],
  { language }: AnalysedQuestion,
): boolean {
  const isAsked = (text: string) => readWords(text, language).some(({ stem }) => stem === asked?.stem);
  const [asked] = readWords(word, language);
  const texts = sources.flatMap(({ title, headings, text }) => [title, headings, text]);
  if (texts.some((text) => lettersBefore(text).some((each) => each.letter === letter && isAsked(each.word))))
    return false;
  // "Electric bikes", "ebikes"
  if (texts.some((text) => text.toLowerCase().includes(`${letter}${word}`.toLowerCase()))) return false;
  if (letter === 'E' && texts.some((text) => electric.test(text))) return false;
  return texts.some(isAsked);
}

function lacksNumber(
  kind: string,
  number: string,
  units: readonly ReadUnit[],
  { language }: AnalysedQuestion,
): boolean {
  const others = new Set<string>();
  for (const { kind: form, header, text } of units) {
    const said = numbersIn(text, language).get(kind);
    if (said !== undefined) others.add(said);
    const at = form === 'row' && header !== '' ? columnOf(kind, header, language) : -1;
    const cell = at < 0 ? undefined : cellsOf(text)[at];
    if (cell !== undefined && few.test(cell)) others.add(cell);
    const isSaid = (form === 'row' ? cellsOf(text) : [text]).some((part) => {
      const stems = readWords(part, language).map(({ stem }) => stem);
      return stems.includes(kind) && stems.includes(number.toLowerCase());
    });
    const isWithin = [...text.matchAll(range)].some(([, word = '']) => readWords(word, language)[0]?.stem === kind);
    if (said === number || cell === number || isSaid || isWithin) return false;
  }
  return others.size > 1;
}

/** "Lilie" of "Zimmer Lilie", with the word before it; "swimming" of "a swimming club", with the one after it. */
function namedThings({ asked, language }: AnalysedQuestion): { readonly kind: string; readonly name: string }[] {
  const words = readWords(asked, language);
  return words.flatMap(({ stem, capital, digits, start }, at) => {
    const before = words[at - 1];
    if (before === undefined || before.digits || digits || asked.slice(before.end, start) !== ' ') return [];
    const isOfArticle = language === undefined && articles.test(asked.slice(words[at - 2]?.start ?? 0, before.start));
    const isKind =
      isOfArticle && !stopStems.has(before.stem) && !ofAnything.test(asked.slice(before.start, before.end));
    return [
      ...(capital ? [{ kind: before.stem, name: stem }] : []),
      ...(isKind ? [{ kind: stem, name: before.stem }] : []),
    ];
  });
}

function lacksName(
  kind: string,
  name: string,
  units: readonly ReadUnit[],
  sources: readonly Source[],
  question: AnalysedQuestion,
): boolean {
  const term = question.terms.findIndex(({ stem }) => stem === name);
  if (term < 0) return false;
  const { language } = question;
  const isOfKind = ({ kind: form, header, text }: ReadUnit) => {
    const cell = form === 'row' && header !== '' && columnOf(kind, header, language) === 0 ? cellsOf(text)[0]! : '';
    return /^\p{Lu}/u.test(cell) && cell.length <= maxName;
  };
  if (units.filter(isOfKind).length < 2) return false;
  const matcher = createTermMatcher(question);
  const isSaid = (text: string) => matcher.readWithSynonyms(stemsOf(text), matcher.read(stemsOf(text)))[term]! > 0;
  const stemsOf = (text: string) => readWords(text, language).map(({ stem }) => stem);
  return !sources.some(({ title, headings, text }) => isSaid(`${title}\n${headings}\n${text}`));
}

/** The index of the column that is named by this word alone. */
function columnOf(stem: string, header: string, language: AnalysedQuestion['language']): number {
  return cellsOf(header).findIndex((name) => {
    const stems = readWords(name, language).map((word) => word.stem);
    return stems.length === 1 && stems[0] === stem;
  });
}
