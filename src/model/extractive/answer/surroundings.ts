/** The units around one that it belongs with: its list, its paragraph, what it announces, the steps or the day that it is one of. */
import { dayIn } from '../../../base/text/dates/days.ts';
import { isNamedValue } from '../../../base/text/lines/plain-lines.ts';
import type { AnalysedQuestion } from '../question/analyse.ts';
import { announces } from '../text/announces.ts';
import { goesOnAbout, pointsToTime } from '../text/goes-on-about.ts';
import type { ReadUnit } from '../text/passages.ts';
import { isListed } from '../text/sentences.ts';
import { countWords } from '../text/words.ts';

// Set by hand.
/** Words up to which a piece takes in neighbours: about two sentences, the length of a search engine's snippet. */
export const pieceWords = 40;
/** Words up to which a list is shown whole. */
export const listWords = 80;
/** Probability, as a share of the unit's own, from which a neighbour in its paragraph is part of the answer. */
const minNeighbourShare = 0.35;
/** Sentences that a chain of references may bring: "It …" after "She …" after a name. */
const maxAntecedents = 2;

/** Words of a day that a paragraph begins with: "Tuesday 9 July 2024". Set by hand. */
const maxDayWords = 5;

/**
 * The day that a paragraph of a diary begins with, "**9 July.** First tomato ripe.", for a sentence of it that has no time of its
 * own.
 */
export function dayAbove(units: readonly ReadUnit[], index: number): ReadUnit | undefined {
  const { text } = units[index]!;
  const { from } = blockAround(units, index);
  const first = units[from]!;
  const isDay = from < index && first.words.length <= maxDayWords && dayIn(first.text) !== undefined;
  return isDay && dayIn(text) === undefined && !yearOrTime.test(text) ? first : undefined;
}

/** A year, or a time of the day. */
const yearOrTime = /\b\d{1,2}[.:]\d\d\b|\b(?:1\d|20)\d\d\b/;

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

/** The index of the last unit that a colon announces: all items or rows that are short, or one block of code; `index` if none. */
export function endOfAnnounced(units: readonly ReadUnit[], index: number): number {
  const next = units[index + 1];
  if (next?.section !== units[index]!.section) return index;
  if (next.kind === 'code') return index + 1;
  if (next.kind === 'row') return endOfTable(units, index + 1);
  if (!isListed(next)) return next.kind === 'sentence' && !announces(next) ? index + 1 : index;
  const { to } = listAround(units, index + 1);
  let end = index;
  while (end < to && countUnitWords(units.slice(index, end + 2)) <= listWords) end += 1;
  return end;
}

/** The index of the last row of a table from its first on, as far as they are short. */
function endOfTable(units: readonly ReadUnit[], first: number): number {
  const isNext = (at: number) => units[at]?.kind === 'row' && units[at].header === units[first]!.header;
  let end = first;
  while (isNext(end + 1) && countUnitWords(units.slice(first, end + 2)) <= listWords) end += 1;
  return end;
}

/** The sentence with what it refers to and with likely neighbours of its paragraph, as far as they are short. */
export function paragraphAround(
  units: readonly ReadUnit[],
  index: number,
  isOfFewPages: boolean,
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
  // "In winter it costs 12 euros.", "It is closed during that time."
  const goesOn = ({ refersBack, text }: ReadUnit) =>
    refersBack || (isOfFewPages && (goesOnAbout(text) || pointsToTime(text)));
  for (let back = 0; back < maxAntecedents && goesOn(units[from]!) && fits(from - 1); back += 1) from -= 1;
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
export function stepsAround(
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
export function blockAround(units: readonly ReadUnit[], index: number): { readonly from: number; readonly to: number } {
  const { block } = units[index]!;
  let from = index;
  let to = index;
  while (units[from - 1]?.block === block) from -= 1;
  while (units[to + 1]?.block === block) to += 1;
  return { from, to };
}

/** Words of units, code apart. */
export function countUnitWords(units: readonly ReadUnit[]): number {
  return units.reduce((sum, unit) => sum + (unit.kind === 'code' ? 0 : countWords(unit.text)), 0);
}
