/**
 * A piece of an answer: a unit with the neighbours that it needs to be understood. A pronoun brings the sentence before it, a
 * colon the list or code after it, a table row its headings. A question about a whole list brings the list. Pieces consist
 * of whole units, so none begins or ends in mid-sentence.
 */
import { dayIn } from '../../../base/text/dates/days.ts';
import { isNamedValue } from '../../../base/text/lines/plain-lines.ts';
import type { StemmedLanguage } from '../../../base/text/stems/foreign-stemmer.ts';
import { coverage } from '../match/coverage.ts';
import type { AnalysedQuestion } from '../question/analyse.ts';
import { valueAskedBy } from '../question/asked/asked-value.ts';
import type { QuestionKind } from '../question/question-kinds.ts';
import type { RankedUnit } from '../rank/rank.ts';
import { announces } from '../text/announces.ts';
import type { ReadUnit, Source } from '../text/passages.ts';
import { isListed } from '../text/sentences.ts';
import { countWords } from '../text/words.ts';

/** Units of one passage, in order. */
export interface Piece {
  readonly source: Source;
  readonly units: readonly ReadUnit[];
  /** Words as a reader counts them, without code. */
  readonly words: number;
}

// Set by hand.
/** Words up to which a piece takes in neighbours: about two sentences, the length of a search engine's snippet. */
export const pieceWords = 40;
/** Words up to which a list is shown whole. */
export const listWords = 80;
/** Probability, as a share of the unit's own, from which a neighbour in its paragraph is part of the answer. */
const minNeighbourShare = 0.35;
/** An item that ends the sentence that announces it: "Do not take it:", "if you have asthma". */
const goesOn = /^(?:if|when|unless|because|that|to|wenn|falls|weil|dass|si|quand|cuando)\b/;
/** Questions that one item answers. */
const asksForValue: ReadonlySet<QuestionKind> = new Set([
  'person',
  'place',
  'date',
  'year',
  'count',
  'amount',
  'which',
  'yesno',
]);
/** Sentences that a chain of references may bring: "It …" after "She …" after a name. */
const maxAntecedents = 2;

/** Completes units of one ranking. */
export function createPieces(question: AnalysedQuestion, ranked: readonly RankedUnit[]): (best: RankedUnit) => Piece {
  const probabilities = new Map(ranked.map(({ unit, probability }) => [unit, probability]));
  const cover = coverage(question.terms.map(({ weight }) => weight));
  const details = ranked[0]?.fewPages?.details;
  /** Units of a few pages that have a word of the question, in other words, too. */
  const spoken =
    details &&
    new Set(ranked.flatMap((each) => (details.get(each)?.wide.some((value) => value > 0) ? [each.unit] : [])));

  const asksForDay = details !== undefined && valueAskedBy(question.text) === 'day';

  return (best) => {
    const { source, passage, index, unit } = best;
    const { units } = passage;
    const piece = (from: number, to: number): Piece => {
      const taken = units.slice(from, to + 1);
      return { source, units: taken, words: countUnitWords(taken) };
    };
    if (unit.kind === 'row') return piece(index, index);
    if (unit.kind === 'code') return announces(units[index - 1]) ? piece(index - 1, index) : piece(index, index);
    if (isListed(unit)) {
      const list = listAround(units, index);
      const isOfList =
        (announces(units[list.from]) && goesOn.test(unit.text)) ||
        (!asksForValue.has(question.kind) && cover(best.own) < cover(best.around));
      if (isOfList && countUnitWords(units.slice(list.from, list.to + 1)) <= listWords)
        return piece(list.from, list.to);
      const item = blockAround(units, index);
      // An item that says how is a step, or several.
      const isStep = question.kind === 'manner' && countUnitWords(units.slice(item.from, item.to + 1)) <= pieceWords;
      if (isStep || unit.kind === 'item') return piece(item.from, item.to);
    }
    const day = asksForDay ? dayAbove(units, index) : undefined;
    if (day !== undefined) {
      const taken = [day, unit];
      return { source, units: taken, words: countUnitWords(taken) };
    }
    if (announces(unit)) {
      const end = endOfAnnounced(units, index);
      if (end > index) return piece(index, end);
    }
    const steps = details !== undefined && question.kind === 'manner' ? stepsAround(question, units, index) : undefined;
    if (steps !== undefined) return piece(steps.from, steps.to);
    const [from, likely] = paragraphAround(units, index, (at) => probabilities.get(units[at]!) ?? 0);
    const reason = details !== undefined && from === likely ? reasonAfter(question, units, index) : index;
    if (reason > index) return piece(index, reason);
    const isDenial = details !== undefined && from === likely && asksForMore(question) && deniesAll.test(unit.text);
    const to = isDenial ? afterDenial(units, index, (each) => spoken?.has(each) === true) : likely;
    if (!announces(units[to])) return piece(from, to);
    // What is announced belongs to it; without it, neither does what announces it.
    const end = endOfAnnounced(units, to);
    return piece(from, end > to ? end : Math.max(index, to - 1));
  };
}

/** Words of a day that a paragraph begins with: "Tuesday 9 July 2024". Set by hand. */
const maxDayWords = 5;

/**
 * The day that a paragraph of a diary begins with, "**9 July.** First tomato ripe.", for a sentence of it that has no time of its
 * own.
 */
function dayAbove(units: readonly ReadUnit[], index: number): ReadUnit | undefined {
  const { text } = units[index]!;
  const { from } = blockAround(units, index);
  const first = units[from]!;
  const isDay = from < index && first.words.length <= maxDayWords && dayIn(first.text) !== undefined;
  return isDay && dayIn(text) === undefined && !hasTime.test(text) ? first : undefined;
}

/** A year, or a time of the day. */
const hasTime = /\b\d{1,2}[.:]\d\d\b|\b(?:1\d|20)\d\d\b/;

/** The items around one, and the sentence that announces them. */
export function listAround(units: readonly ReadUnit[], index: number): { from: number; to: number } {
  const isSameList = (at: number) =>
    units[at] !== undefined && isListed(units[at]) && units[at].section === units[index]!.section;
  let from = index;
  let to = index;
  while (isSameList(from - 1)) from -= 1;
  while (isSameList(to + 1)) to += 1;
  return { from: announces(units[from - 1]) ? from - 1 : from, to };
}

/** The index of the last unit that a colon announces: all items of a short list, or one block of code; `index` if none. */
function endOfAnnounced(units: readonly ReadUnit[], index: number): number {
  const next = units[index + 1];
  if (next?.section !== units[index]!.section) return index;
  if (next.kind === 'code') return index + 1;
  if (!isListed(next)) return next.kind === 'sentence' && !announces(next) ? index + 1 : index;
  const { to } = listAround(units, index + 1);
  let end = index;
  while (end < to && countUnitWords(units.slice(index, end + 2)) <= listWords) end += 1;
  return end;
}

/** The sentence with what it refers to and with likely neighbours of its paragraph, as far as they are short. */
function paragraphAround(
  units: readonly ReadUnit[],
  index: number,
  probabilityAt: (index: number) => number,
): [from: number, to: number] {
  const { block, section } = units[index]!;
  let [from, to] = [index, index];
  const fits = (at: number) => {
    const unit = units[at];
    return (
      unit?.block === block &&
      unit.section === section &&
      countUnitWords(units.slice(Math.min(from, at), Math.max(to, at) + 1)) <= pieceWords
    );
  };
  for (let back = 0; back < maxAntecedents && units[from]!.dependsOnContext && fits(from - 1); back += 1) from -= 1;
  const least = minNeighbourShare * probabilityAt(index);
  for (;;) {
    const next = [from - 1, to + 1]
      .filter((at) => fits(at) && probabilityAt(at) >= least)
      .sort((a, b) => probabilityAt(b) - probabilityAt(a))[0];
    if (next === undefined) return [from, to];
    [from, to] = [Math.min(from, next), Math.max(to, next)];
  }
}

/** The whole of a short paragraph below a heading that a question how to do something names: its sentences are steps. */
function stepsAround(
  { terms }: AnalysedQuestion,
  units: readonly ReadUnit[],
  index: number,
): { readonly from: number; readonly to: number } | undefined {
  const { sectionStems } = units[index]!;
  if (!terms.some(({ stem }) => sectionStems.has(stem))) return undefined;
  const { from, to } = blockAround(units, index);
  const taken = units.slice(from, to + 1);
  const isOfSteps = taken.every((unit) => !isNamedValue(unit.text) && !announces(unit));
  return isOfSteps && countUnitWords(taken) <= pieceWords ? { from, to } : undefined;
}

/** The units of the same paragraph or item. */
function blockAround(units: readonly ReadUnit[], index: number): { readonly from: number; readonly to: number } {
  const { block } = units[index]!;
  let from = index;
  let to = index;
  while (units[from - 1]?.block === block) from -= 1;
  while (units[to + 1]?.block === block) to += 1;
  return { from, to };
}

const saysWhy =
  /(?<!\p{L})(?:because|since|as (?:he|she|it|they|we|you|there|the)|due to|so that|so (?:we|they|it|he|she)|otherwise|therefore|weil|denn|da (?:er|sie|es|wir|das|die|der)|damit|deshalb|sonst|sodass|wegen|parce que?|puisque|donc|afin|à cause|porque|ya que|por eso|para que|omdat|perché)(?!\p{L})|:\s+\S+\s+\S/iu;
/** Words that say something else in English: "the car", "we want". */
const saysWhyIn: Partial<Record<StemmedLanguage, RegExp>> = {
  fr: /(?<!\p{L})car(?!\p{L})/iu,
  nl: /(?<!\p{L})want(?!\p{L})/iu,
};
/** Sentences after one that says again what is asked, among which the reason is looked for. Set by hand. */
const maxToReason = 2;

/**
 * For "why", where a sentence only says again what is asked: the index of the one after it, in the same paragraph, that says why, as
 * in "Fireworks: no. The insurers said no, because of the thatch."; else `index`.
 */
function reasonAfter({ kind, language }: AnalysedQuestion, units: readonly ReadUnit[], index: number): number {
  const { text, block, kind: unitKind } = units[index]!;
  const isReason = (said: string) =>
    saysWhy.test(said) || (language !== undefined && saysWhyIn[language]?.test(said) === true);
  if (kind !== 'reason' || unitKind !== 'sentence' || isReason(text)) return index;
  for (let to = index + 1; to <= index + maxToReason; to += 1) {
    if (units[to]?.block !== block || countUnitWords(units.slice(index, to + 1)) > pieceWords) return index;
    if (isReason(units[to]!.text)) return to;
  }
  return index;
}

/** "Where can I park?" is not answered by where one cannot. */
function asksForMore({ kind }: AnalysedQuestion): boolean {
  return kind === 'place' || kind === 'manner' || kind === 'which';
}

/** A sentence that says what is not so, and nothing else: "Dogs may come, but not cats" says both. */
const deniesAll =
  /^(?!.*(?:;|, (?:but|aber|mais|pero|ma|maar)\b|\bonly\b)).*(?<!\p{L})(?:not|no|never|cannot|nicht|keine?[rsmn]?|ne|pas|aucune?|non|niet|geen|não|nem|forbidden|prohibited|verboten|interdite?s?|prohibid[oa]s?|vietat[oa]|proibid[oa]s?)(?!\p{L})/isu;

/**
 * The index of the last sentence after one that denies which belongs to it: the next one, and others that go on about what is
 * asked, in the same paragraph and as far as they are short.
 */
function afterDenial(units: readonly ReadUnit[], index: number, isSpoken: (unit: ReadUnit) => boolean): number {
  let to = index;
  const { block } = units[index]!;
  while (
    units[to + 1]?.block === block &&
    countUnitWords(units.slice(index, to + 2)) <= pieceWords &&
    (to === index || isSpoken(units[to + 1]!))
  )
    to += 1;
  return to;
}

/** Words of units, code apart. */
export function countUnitWords(units: readonly ReadUnit[]): number {
  return units.reduce((sum, unit) => sum + (unit.kind === 'code' ? 0 : countWords(unit.text)), 0);
}
