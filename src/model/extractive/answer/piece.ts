/**
 * A piece of an answer: a unit with the neighbours that it needs to be understood. A pronoun brings the sentence before it, a
 * colon the list or code after it, a table row its headings. A question about a whole list brings the list. Pieces consist
 * of whole units, so none begins or ends in mid-sentence.
 */
import type { StemmedLanguage } from '../../../base/text/stems/foreign-stemmer.ts';
import { coverage } from '../match/coverage.ts';
import type { AnalysedQuestion } from '../question/analyse.ts';
import { valueAskedBy } from '../question/asked/asked-value.ts';
import type { QuestionKind } from '../question/question-kinds.ts';
import type { RankedUnit } from '../rank/rank.ts';
import { announces } from '../text/announces.ts';
import type { ReadUnit, Source } from '../text/passages.ts';
import { isListed } from '../text/sentences.ts';
import {
  blockAround,
  countUnitWords,
  dayAbove,
  endOfAnnounced,
  listAround,
  listWords,
  paragraphAround,
  pieceWords,
  stepsAround,
} from './surroundings.ts';

/** Units of one passage, in order. */
export interface Piece {
  readonly source: Source;
  readonly units: readonly ReadUnit[];
  /** Words as a reader counts them, without code. */
  readonly words: number;
}

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
    const [from, likely] = paragraphAround(
      units,
      index,
      details !== undefined,
      (at) => probabilities.get(units[at]!) ?? 0,
    );
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
