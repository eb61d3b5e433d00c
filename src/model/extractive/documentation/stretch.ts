/**
 * A stretch of documentation around the unit that answers: consecutive units of one section, as their author wrote them. A pronoun
 * brings the sentence before it, a colon the list or code after it, an item its list, code the sentence that says what it shows.
 */
import { announces } from '../text/announces.ts';
import type { ReadUnit, Source } from '../text/passages.ts';
import { isListed } from '../text/sentences.ts';
import { countWords } from '../text/words.ts';
import type { DocumentationUnit } from './documentation-features.ts';

/** Consecutive units of one section. */
export interface Stretch {
  readonly source: Source;
  readonly units: readonly ReadUnit[];
  /** As a reader counts them, without code. */
  readonly words: number;
}

export interface StretchLimits {
  /** Words, without code, up to which a stretch grows; its unit may itself have more. */
  readonly words: number;
  /** Whether an item is alone, as the entry of an option does: its list is about others. */
  readonly isAlone: boolean;
  /** Whether a neighbour answers, too. */
  readonly isLikely: (neighbour: ReadUnit) => boolean;
}

// Set by hand on the questions of `npm run bench -- documentation`.
/** Words up to which a list is taken whole, and code. */
const maxListWords = 80;
const maxCodeWords = 100;
/** Sentences that a chain of references may bring: "It …" after "This …" after a name. */
const maxAntecedents = 2;
/** Words of what says something by itself; "Example:" and a heading's rest do not. */
const minWords = 4;

/** The stretch around a unit. */
export function stretchAround(
  { source, passage: { units }, unit }: DocumentationUnit,
  { words, isAlone, isLikely }: StretchLimits,
): Stretch {
  const at = units.indexOf(unit);
  const inSection = (index: number) => units[index]?.section === unit.section;
  const isKind = (index: number, kind: ReadUnit['kind']) => inSection(index) && units[index]!.kind === kind;
  const isOfList = (index: number) => inSection(index) && isListed(units[index]!);
  const fits = (from: number, to: number) => countProse(units.slice(from, to + 1)) <= words;

  const [from, to] = grow();
  const taken = units.slice(from, to + 1);
  return { source, units: taken, words: countProse(taken) };

  function grow(): [from: number, to: number] {
    if (unit.kind === 'row') return [at, at];
    if (unit.kind === 'code') return [says(at - 1) && fits(at - 1, at) ? at - 1 : at, at];
    if (unit.kind === 'item' && !isAlone) {
      const list = listAround();
      if (fits(...list)) return list;
    }
    if (unit.kind === 'item') return [at, endOfAnnounced(at)];
    const [first, last] = sentencesAround();
    return [first, endOfAnnounced(last)];
  }

  /** Whether it is prose that says what the code after it shows. */
  function says(index: number): boolean {
    const isProse = isKind(index, 'sentence') || isKind(index, 'item');
    return isProse && (units[index]!.words.length >= minWords || announces(units[index]!));
  }

  /** The items around it, with the sentence that announces them. */
  function listAround(): [from: number, to: number] {
    let [first, last] = [at, at];
    while (isOfList(first - 1)) first -= 1;
    while (isOfList(last + 1)) last += 1;
    return [inSection(first - 1) && announces(units[first - 1]!) ? first - 1 : first, last];
  }

  /** The sentence with what it refers to, and with likely neighbours. */
  function sentencesAround(): [from: number, to: number] {
    let [first, last] = [at, at];
    for (let back = 0; back < maxAntecedents && units[first]!.refersBack; back += 1) {
      if (!isKind(first - 1, 'sentence') || !fits(first - 1, last)) break;
      first -= 1;
    }
    const takes = (index: number) =>
      isKind(index, 'sentence') && isLikely(units[index]!) && fits(Math.min(first, index), Math.max(last, index));
    for (;;) {
      // What comes after explains, what comes before introduces: a heading's first sentence is seldom what was asked.
      if (takes(last + 1)) last += 1;
      else if (takes(first - 1)) first -= 1;
      else return [first, last];
    }
  }

  /** The last unit that belongs to a sentence or item: the code that shows it, or what a colon announces. */
  function endOfAnnounced(index: number): number {
    if (isKind(index + 1, 'code') && countWords(units[index + 1]!.text) <= maxCodeWords) return index + 1;
    if (!announces(units[index]!)) return index;
    let last = index;
    while (isOfList(last + 1) && countProse(units.slice(index, last + 2)) <= maxListWords) last += 1;
    return last === index && isKind(index + 1, 'sentence') ? index + 1 : last;
  }
}

/** Whether it says nothing alone: a heading's rest or a link of a list, "Licence & copyright.". */
export function isFragment({ kind, words }: ReadUnit): boolean {
  return (kind === 'sentence' || kind === 'item') && words.length < minWords;
}

function countProse(units: readonly ReadUnit[]): number {
  return units.reduce((sum, { kind, text }) => sum + (kind === 'code' ? 0 : countWords(text)), 0);
}
