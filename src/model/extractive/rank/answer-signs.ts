/**
 * Signs that a unit answers, besides the words it shares with the question: something of the asked type close to them,
 * the question's subject defined, a thing named where a name is asked for, the year of the question and not another.
 */

import type { Matcher, Strengths } from '../match/term-matcher.ts';
import { type Question, stopStems } from '../question/analyse.ts';
import { typeFinder } from '../question/answer-type.ts';
import type { ReadUnit } from '../text/passages.ts';

export interface AnswerSigns {
  /** How many of the asked type, 0 to 1 (two or more); one half where the type is not known. */
  readonly typed: number;
  /** How close the nearest of them stands to a telling word of the question, 0 to 1. */
  readonly typedNear: number;
  /** The weight of what matched within a few words of it, 0 to 1. */
  readonly typedAmong: number;
  /** The most of the question's weight that one clause has, and that one clause with something of the type has. */
  readonly clause: number;
  readonly clauseTyped: number;
  /** It begins with what is asked about and goes on with "is a". */
  readonly defines: number;
  /** Where a name is asked for: it says "called", "known as". */
  readonly calls: number;
  /** It has other years, and not the question's. */
  readonly otherYear: number;
  /** Neighbours of the question, small words among them, that are neighbours here, 0 to 1. */
  readonly phrases: number;
  /** The most telling words of the question, the rarest first, and what the question ends with. */
  readonly rarest: number;
  readonly second: number;
  readonly last: number;
  readonly focusTerm: number;
}

const naming = /\b(?:call(?:ed)?|named?|terms?|known|nicknam\p{L}+|refer\p{L}*|titled?|words?|abbreviat\p{L}+)\b/iu;
const named =
  /\b(?:called|named|termed|known|nicknam\p{L}+|referred|titled|dubbed|entitled|abbreviat\p{L}+|label+ed|named after|means?|meaning)\b/iu;
const defining = /^(?:is|are|was|were|refers?|means?|consists?|denotes?)$/;
/** Words around something typed that count as its company. */
const company = 8;

export type ReadSigns = (unit: ReadUnit, own: Strengths) => AnswerSigns;

export function signReader(question: Question, matcher: Matcher): ReadSigns {
  const { terms, text, sequence } = question;
  const findTyped = typeFinder(question);
  const byRarity = terms.map((_, i) => i).sort((a, b) => terms[b]!.weight - terms[a]!.weight);
  const asksName = naming.test(text);
  const asked = yearsIn(text);
  const focus = terms.findIndex((term) => question.focus.includes(term.stem));
  const followers = new Map<string, Set<string>>();
  sequence.slice(1).forEach((stem, i) => {
    const before = sequence[i]!;
    followers.set(before, (followers.get(before) ?? new Set()).add(stem));
  });
  const neighbours = [...followers.values()].reduce((sum, { size }) => sum + size, 0);

  return (unit, own) => {
    const { words, text: shown } = unit;
    const met = words.map(({ stem }) => (stopStems.has(stem) ? undefined : matcher.meet(stem)));
    const places = findTyped?.(shown);
    const verb = words.slice(0, 9).findIndex((word) => defining.test(shown.slice(word.start, word.end)));
    const years = asked.length === 0 ? [] : yearsIn(shown);
    let phrases = 0;
    for (let i = 1; i < words.length; i += 1) {
      if (followers.get(words[i - 1]!.stem)?.has(words[i]!.stem)) phrases += 1;
    }
    return {
      typed: places === undefined ? 0.5 : Math.min(1, places.length / 2),
      ...aroundTyped(unit, places ?? [], met, terms),
      ...byClause(unit, places, met, terms),
      defines: verb > 0 && met.slice(0, verb).some((match) => match !== undefined) ? 1 : 0,
      calls: asksName && named.test(shown) ? 1 : 0,
      otherYear: years.length > 0 && !asked.some((year) => years.includes(year)) ? 1 : 0,
      phrases: Math.min(1, phrases / Math.max(1, neighbours)),
      rarest: own[byRarity[0] ?? -1] ?? 0,
      second: own[byRarity[1] ?? -1] ?? 0,
      last: own[terms.length - 1] ?? 0,
      focusTerm: focus === -1 ? 0.5 : own[focus]!,
    };
  };
}

/** For each word of a unit which term of the question it meets, if any. */
type Met = readonly (ReturnType<Matcher['meet']> | undefined)[];
type Terms = Question['terms'];

function aroundTyped({ words }: ReadUnit, places: readonly number[], met: Met, terms: Terms) {
  let typedNear = 0;
  let typedAmong = 0;
  for (const place of places) {
    const found = words.findIndex(({ end }) => end > place);
    const at = Math.max(0, found);
    const around = new Map<number, number>();
    for (let i = Math.max(0, at - company); i < Math.min(words.length, at + company + 2); i += 1) {
      const match = met[i];
      if (match === undefined) continue;
      around.set(match.term, match.strength * terms[match.term]!.weight);
      typedNear = Math.max(typedNear, 1 / (1 + Math.abs(i - at)));
    }
    typedAmong = Math.max(typedAmong, share(around, terms));
  }
  return { typedNear, typedAmong };
}

function byClause({ words, clauses }: ReadUnit, places: readonly number[] | undefined, met: Met, terms: Terms) {
  let clause = 0;
  let clauseTyped = 0;
  for (const { start, end } of clauses) {
    const within = new Map<number, number>();
    words.forEach((word, i) => {
      const match = met[i];
      if (match === undefined || word.start < start || word.end > end) return;
      within.set(match.term, Math.max(within.get(match.term) ?? 0, match.strength * terms[match.term]!.weight));
    });
    const part = share(within, terms);
    clause = Math.max(clause, part);
    if (places === undefined || places.some((place) => place >= start && place < end))
      clauseTyped = Math.max(clauseTyped, part);
  }
  return { clause, clauseTyped };
}

function yearsIn(text: string): readonly string[] {
  return text.match(/\b(?:1\d{3}|20\d{2})\b/g) ?? [];
}

/** What these weights come to, of those of all terms. */
function share(weights: ReadonlyMap<number, number>, terms: Terms): number {
  let part = 0;
  for (const weight of weights.values()) part += weight;
  const total = terms.reduce((sum, { weight }) => sum + weight, 0);
  return total === 0 ? 0 : part / total;
}
