/**
 * How well a statement is about a field. It is not unless it carries the field's words: in itself or its label, at best one of three
 * or more in the headings above it; then the words of the objects around the field, and those of the prompt, count.
 */
import { plainWordsIn } from '../../../base/text/plain-words.ts';
import type { AnalysedQuestion } from '../question/analyse.ts';
import { stopStems, weightOf } from '../question/analyse.ts';
import { readWords, type Word } from '../text/words.ts';
import type { FieldWord } from './field-words.ts';
import type { Field } from './fields.ts';
import type { Statement } from './statements.ts';

export interface FieldMatch {
  /** Higher is better; about 1 for all words in the statement itself. */
  readonly score: number;
  /** The words of the statement that are the field's, by index of the field's word. */
  readonly places: readonly (readonly Word[])[];
  /** Whether the label has all of the field's words. */
  readonly isLabelled: boolean;
}

/** Strengths of a word, set by hand. */
const strengths = { synonym: 0.75, context: 0.55 };
/** The share of the words' weights that may be missing, of three words or more; set by hand. */
const maxMissing = 0.3;
/** The share of the words around the field that must be in the statement or above it; set by hand. */
const minHeld = 0.5;
/** Places of a word that are looked at; set by hand, far more than a sentence has. */
const maxPlaces = 40;

/** How a statement matches; undefined if it is not about the field. `ignored` are words that the value itself says. */
export function matchField(
  field: Field,
  question: AnalysedQuestion,
  statement: Statement,
  ignored: ReadonlySet<string> = new Set(),
): FieldMatch | undefined {
  const { own, context, label, lead } = statement;
  const needed = field.words.filter(({ stem }) => !ignored.has(stem));
  const words = needed.length > 0 ? needed : field.words;
  let sum = 0;
  let total = 0;
  let missing = 0;
  let inOwn = 0;
  for (const word of words) {
    const strength = strengthIn(word, own);
    const around = strength > 0 ? 0 : strengthIn(word, context) * strengths.context;
    total += word.weight;
    sum += word.weight * Math.max(strength, around);
    if (strength > 0) inOwn += 1;
    else if (around === 0) missing += word.weight;
  }
  const isUnderHeading = inOwn === 0 && missing === 0;
  if (inOwn === 0 && !isUnderHeading) return undefined;
  if (missing > 0 && (words.length < 3 || missing / total > maxMissing)) return undefined;
  const parents = field.parents;
  const above = parents.reduce((all, { weight }) => all + weight, 0);
  const held = parents.reduce(
    (share, word) => share + (word.weight / above) * Math.max(strengthIn(word, own), strengthIn(word, context) * 0.9),
    0,
  );
  if (parents.length > 0 && held < minHeld) return undefined;
  // A row of a table counts if it is the one that the field or the prompt names.
  if (lead.length > 0) {
    const said = lead.filter(
      (stem) =>
        question.stems.has(stem) ||
        [...field.words, ...field.parents].some((word) => word.stem === stem || word.alternatives.has(stem)),
    );
    if (said.length * 2 < lead.length) return undefined;
    if (isOfOtherColumn(field, statement) || isUnasked(question.text, statement)) return undefined;
  }
  const asked =
    question.terms.length === 0 ? 0 : question.terms.filter(({ stem }) => own.has(stem)).length / question.terms.length;
  const isLabelled = label.size > 0 && words.every((word) => strengthIn(word, label) > 0);
  const extra = isLabelled
    ? [...label].filter((stem) => !words.some((word) => word.stem === stem) && !lead.includes(stem)).length
    : 0;
  return {
    score:
      sum / total +
      0.4 * held +
      0.3 * asked +
      (isLabelled ? 0.4 - 0.08 * extra : 0) -
      (isUnderHeading ? 0.25 : 0) +
      leadBonus(statement, field, question),
    places: words.map((word) =>
      statement.words
        .filter(({ stem, parts }) => isWord(word, stem) || parts.some((part) => isWord(word, part)))
        .slice(0, maxPlaces),
    ),
    isLabelled,
  };
}

/**
 * Whether another column is headed by a word of the field that this one lacks: `rabies_price` is not in "Doses", beside "Price". But
 * `adult_price` is in "Adult", beside "Price of a child", which is about something else, too.
 */
function isOfOtherColumn({ words }: Field, { column, headings }: Statement): boolean {
  const stemsOf = (text: string) => new Set(readWords(text).map(({ stem }) => stem));
  const own = stemsOf(column);
  const isOwn = (stem: string) => words.some((word) => isWord(word, stem));
  const isAll = own.size > 0 && [...own].every(isOwn);
  const others = headings
    .slice(1)
    .filter((each) => each !== column)
    .map(stemsOf)
    .filter((stems) => !isAll || [...stems].every((stem) => isOwn(stem) || stopStems.has(stem)));
  return words.some((word) => strengthIn(word, own) === 0 && others.some((other) => strengthIn(word, other) > 0));
}

/**
 * Whether the prompt has the heading of another column, of which this one's is a part or the reverse: "TX-40 E" asks neither for
 * "TX-40" nor for "TX-40 E Plus".
 */
function isUnasked(prompt: string, { column, headings }: Statement): boolean {
  const plain = (text: string) => ` ${plainWordsIn(text.toLowerCase()).join(' ')} `;
  const own = plain(column);
  if (own.trim() === '') return false;
  const asked = plain(prompt);
  const others = headings
    .slice(1)
    .map(plain)
    .filter((other) => other !== own && other.trim() !== '' && asked.includes(other));
  const longer = others.filter((other) => other.includes(own));
  // "TX-40 or TX-40 E" asks for both.
  const rest = longer.reduce((text, other) => text.replaceAll(other, ' / '), asked);
  const isShorter = longer.length > 0 && !rest.includes(own);
  return isShorter || (!asked.includes(own) && others.some((other) => own.includes(other)));
}

/** Whether the statement has the word, 1 as it is, less for a synonym, 0 if not at all. */
export function strengthIn(word: FieldWord, stems: ReadonlySet<string>): number {
  if (stems.has(word.stem)) return 1;
  for (const other of word.alternatives) if (stems.has(other)) return strengths.synonym;
  if (word.stem.length >= 5) {
    for (const stem of stems) if (isPrefix(word.stem, stem)) return strengths.synonym;
  }
  return 0;
}

function isWord(word: FieldWord, stem: string): boolean {
  return stem === word.stem || word.alternatives.has(stem) || (word.stem.length >= 5 && isPrefix(word.stem, stem));
}

/** "engineer" and "engin", "founder" and "found": one begins with the other, or all but its last two letters. */
function isPrefix(one: string, other: string): boolean {
  if (other.length < 4 || one.slice(0, 4) !== other.slice(0, 4)) return false;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return long.length - short.length <= 3 && long.startsWith(short);
}

function leadBonus({ lead, kind }: Statement, field: Field, question: AnalysedQuestion): number {
  if (kind !== 'cell' || lead.length === 0) return 0;
  const named = lead.filter((stem) => question.stems.has(stem) || field.words.some((word) => word.stem === stem));
  return (0.3 * named.reduce((sum, stem) => sum + weightOf(stem), 0)) / lead.length;
}

/**
 * How near a span is to the words of the field, 0 to 1: the first words of a name say more than its last. A person may be followed by
 * what they are, "Ada Merrow, the engineer"; a number is not: "£12,905, a surplus of £1,325".
 */
export function closeness(match: FieldMatch, text: string, start: number, end: number, isNumber = false): number {
  let sum = 0;
  let total = 0;
  match.places.forEach((places, i) => {
    const weight = match.places.length > 1 && i === match.places.length - 1 ? 0.6 : 1;
    total += weight;
    if (places.length === 0) return;
    const nearest = Math.min(...places.map((place) => distance(text, place, start, end, isNumber)));
    sum += weight / (1 + nearest);
  });
  return total === 0 ? 0 : sum / total;
}

/** In words; a comma, a colon or a conjunction between counts for more. */
function distance(text: string, place: Word, start: number, end: number, isNumber: boolean): number {
  const between = place.start >= end ? text.slice(end, place.start) : text.slice(place.end, start);
  if (between.length > 400) return 80;
  // "Ada Merrow (the engineer)"
  if (!isNumber && /^\s*(?:\(\s*["“]?(?:the |an? |our )?|,\s*(?:the|an?|our) )$/.test(between)) return 0.5;
  const words = plainWordsIn(between).length;
  const stops = between.match(/[,;–()]|\b(?:and|but|or|of which|und|et|y)\b/gu)?.length ?? 0;
  return 0.6 * words + 2 * stops + (/[.;!?]\s/.test(between) ? 8 : 0);
}
