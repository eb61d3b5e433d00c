/**
 * Selects the pieces of an answer: one, the best unit with what it needs to be understood. A second one only where the
 * question has a second part or links two pages. A deep answer goes on with the next best units of its pages.
 */
import { months } from '../../../base/text/dates/months.ts';
import type { AnalysedQuestion } from '../question/analyse.ts';
import { preciseTypes } from '../question/asked/asked-value.ts';
import { isCompound, plainTitle } from '../question/bridge.ts';
import { isLabel } from '../rank/labels.ts';
import type { RankedUnit } from '../rank/rank.ts';
import { countWords } from '../text/words.ts';
import { createPieces, type Piece } from './piece.ts';
import { pieceWords } from './surroundings.ts';

export interface SelectOptions {
  /** Whether the answer may be long. */
  readonly deep?: boolean;
  /** The best units for the further parts of the question, such as "and when did it open?". */
  readonly further?: readonly RankedUnit[];
}

// Set by hand, where nothing else is said.
/** Words in a deep answer. */
const deepWords = 120;
/** Units considered for further pieces, from the top of the ranking. */
const maxRanked = 60;
/** Pages that a question which links two things adds to the first. */
const maxLinked = 2;
/** Further units of a deep answer need at least this probability. */
const minProbability = 0.003;
/** Exponent of the length in the gain of a further unit: 0 ignores length, 1 divides by it. */
const lengthPenalty = 0.9;
/** The length, in words, that shorter units are charged. */
const minLength = 6;
/** Factor for a unit of a page that is not cited yet, which corroborates the answer or corrects it. */
const newPageBonus = 2.2;
/** Share of the best unit's probability below which an item, row or block of code does not belong in a deep answer. */
const minListedShare = 0.35;
/** Share of the first unit's probability that another needs to take its place where the first says too little. */
const minPromotedShare = 0.1;
/** A unit of up to `pieceWords` is preferred to a longer one from this share of its probability on. */
const conciseShare = 0.75;

/** The pieces of an answer, the best first; none without units. `ranked` begins with the best unit. */
export function selectPieces(
  ranked: readonly RankedUnit[],
  question: AnalysedQuestion,
  { deep = false, further = [] }: SelectOptions,
): Piece[] {
  const candidates = ranked.slice(0, maxRanked).filter(isInformative);
  const best = preferConcise(candidates);
  if (best === undefined) return [];
  // What answers says too little to be quoted: the next best is about something else.
  if (best.probability < minPromotedShare * ranked[0]!.probability && !isLabelledValue(best)) return [];
  const complete = createPieces(question, ranked);
  const pieces = [complete(best)];
  const add = (each: RankedUnit) => {
    if (!pieces.some((piece) => piece.units.includes(each.unit) || repeats(piece, each))) pieces.push(complete(each));
  };
  for (const each of further) add(each);
  if (isCompound(question)) for (const each of linkedUnits(candidates, pieces, question)) add(each);
  return deep ? [...pieces, ...furtherUnits(candidates, pieces)] : pieces;
}

/** The best unit, or one that is almost as probable and much shorter. */
function preferConcise(candidates: readonly RankedUnit[]): RankedUnit | undefined {
  const [best] = candidates;
  if (best === undefined || best.unit.kind !== 'sentence' || countWords(best.unit.text) <= pieceWords) return best;
  const least = conciseShare * best.probability;
  const shorter = candidates.find(
    ({ unit, probability }) => probability >= least && unit.kind === 'sentence' && countWords(unit.text) <= pieceWords,
  );
  return shorter ?? best;
}

/**
 * The next units that have a word of the question, by probability for their length, until the answer is long; each a piece of its
 * own.
 */
function furtherUnits(candidates: readonly RankedUnit[], pieces: readonly Piece[]): Piece[] {
  const first = candidates[0]!;
  const chosen = [...pieces];
  const more: Piece[] = [];
  let words = pieces.reduce((sum, piece) => sum + piece.words, 0);
  let rest = candidates.filter(
    ({ unit, own, probability }) =>
      own.some((strength) => strength > 0) &&
      probability >= Math.max(minProbability, unit.kind === 'sentence' ? 0 : minListedShare * first.probability) &&
      unit.kind !== 'code',
  );
  for (;;) {
    const cited = new Set(chosen.map(({ source }) => source));
    rest = rest.filter(
      (each) =>
        words + countWords(each.unit.text) <= deepWords &&
        !chosen.some((piece) => piece.units.includes(each.unit) || repeats(piece, each)),
    );
    const gainOf = ({ unit, source, probability }: RankedUnit) =>
      (probability * (cited.has(source) ? 1 : newPageBonus)) /
      Math.max(minLength, countWords(unit.text)) ** lengthPenalty;
    const next = [...rest].sort((a, b) => gainOf(b) - gainOf(a))[0];
    if (next === undefined) return more;
    const piece = { source: next.source, units: [next.unit], words: countWords(next.unit.text) };
    more.push(piece);
    chosen.push(piece);
    words += piece.words;
  }
}

/** The best unit of each page that the question or a piece names and that is not cited yet. */
function linkedUnits(
  candidates: readonly RankedUnit[],
  pieces: readonly Piece[],
  question: AnalysedQuestion,
): RankedUnit[] {
  const said = [question.text, ...pieces.flatMap(({ units }) => units.map(({ text }) => text))].join(' ').toLowerCase();
  const known = new Set(pieces.map(({ source }) => source.title));
  const found: RankedUnit[] = [];
  for (const each of candidates) {
    const { title } = each.source;
    const name = plainTitle(title);
    if (known.has(title) || name.length < 4 || !said.includes(name)) continue;
    known.add(title);
    found.push(each);
  }
  return found.slice(0, maxLinked);
}

/** "Captain: Henrik Solberg.", "A0 costs 36.00.", "Sunday: closed" */
const statesValue =
  /^\p{L}[^:]*(?:: | )\P{Ll}*[\p{Lu}\p{N}]|^\p{Lu}[^:]*: (?:closed|open|yes|no|none|free|included|optional|required|geschlossen|ja|nein|fermé|oui|non|cerrado|sí|chiuso|gesloten|fechado)\b/u;

/** False for fragments, labels, and in documentation for "Arguments:", which only introduces the next unit. */
function isInformative(candidate: RankedUnit): boolean {
  const { unit, passage, fewPages } = candidate;
  if (fewPages !== undefined && isLabel(candidate)) return saysAskedValue(candidate);
  return (
    saysAskedValue(candidate) ||
    isShortSentence(candidate) ||
    unit.kind === 'code' ||
    unit.kind === 'row' ||
    unit.label !== '' ||
    (fewPages !== undefined && (isAmount(unit) || isAlone(candidate))) ||
    ((unit.words.length >= 4 || statesValue.test(unit.text)) && !(passage.technical && unit.text.endsWith(':')))
  );
}

/** "What: summer fair": the season is of a name, and says no day; that of "Christmas Eve" does. */
const seasonInName =
  /^\D*\b(?:spring|summer|autumn|winter|midsummer|christmas|easter) (?!(?:only|and|or|eve|day|break|holidays?|term|season)\b)\p{L}+\W*$/iu;
const dayOrMonth = new RegExp(
  String.raw`\b(?:${months.join('|')}|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b`,
  'i',
);

/**
 * Whether it has a term of the question and the value that is asked for: "Your accident of 21 October 2023 in Leer", for "When was
 * it?"
 */
function saysAskedValue(candidate: RankedUnit): boolean {
  const { type, details } = candidate.fewPages ?? {};
  if (type === undefined || details === undefined || !preciseTypes.has(type)) return false;
  const { text } = candidate.unit;
  if (type === 'day' && seasonInName.test(text) && !dayOrMonth.test(text)) return false;
  return details.get(candidate)!.values > 0 && saysTerm(candidate);
}

/** "E20: pump blocked", "Router – shoe cupboard": a label with a value after it. */
const isLabelledItem = /^[^:–—]+(?::| [–—-]) \S/u;

/** "When: 12 July" beside "What: summer fair" */
function isLabelledValue(candidate: RankedUnit): boolean {
  return isLabelledItem.test(candidate.unit.text) && (candidate.fewPages?.details.get(candidate)?.values ?? 0) > 0;
}

/** "Child seat ordered.", "- E20: pump blocked.": in a few pages, two words with a term of the question may be all that is said of it. */
function isShortSentence(candidate: RankedUnit): boolean {
  const { kind, text, words } = candidate.unit;
  const isWhole = kind === 'sentence' ? /[.!]$/.test(text) : kind === 'item' && isLabelledItem.test(text);
  return isWhole && words.length > 1 && saysTerm(candidate);
}

/** Whether a unit of a few pages says a term of the question, in other words, too. */
function saysTerm(candidate: RankedUnit): boolean {
  return candidate.fewPages?.details.get(candidate)?.wide.some((strength) => strength > 0) === true;
}

/** "4 eggs", "150 g flour", "14 singers came." */
function isAmount({ kind, text, words }: RankedUnit['unit']): boolean {
  return words.length > (kind === 'item' ? 1 : 2) && /^\p{N}/u.test(text);
}

/** Whether it is all that a heading has below it: "Cycling, ceramics" below "Interests". */
function isAlone({ unit, passage, index }: RankedUnit): boolean {
  const isBeside = (at: number) => passage.units[at]?.section === unit.section;
  return unit.section !== '' && !isBeside(index - 1) && !isBeside(index + 1);
}

/** Whether a unit shares nine tenths of the shorter one's stems with a piece (set by hand). */
function repeats({ units }: Piece, { unit }: RankedUnit): boolean {
  const words = new Set(units.flatMap((each) => each.words.map(({ stem }) => stem)));
  const other = new Set(unit.words.map(({ stem }) => stem));
  let shared = 0;
  for (const stem of other) if (words.has(stem)) shared += 1;
  return shared >= 0.9 * Math.min(words.size, other.size);
}
