/**
 * Cues that a unit answers, besides the words it shares with the question: something of the asked type close to them, a
 * definition of the subject, a naming phrase where a name is asked for, the year of the question and no other.
 */

import type { Strengths, TermMatch, WordMatches } from '../match/term-matcher.ts';
import type { AnalysedQuestion } from '../question/analyse.ts';
import { createTypeFinder } from '../question/answer-type.ts';
import type { ReadUnit } from '../text/passages.ts';

export interface AnswerCues {
  /** How much of the asked type it has, 0 to 1 (two or more); one half where the type is unknown. */
  readonly typed: number;
  /** 1 / (1 + words between something of the type and the nearest term of the question); 0 where there is none. */
  readonly typedNear: number;
  /** Share of the question's weight within 8 words of something of the type, 0 to 1. */
  readonly typedAmong: number;
  /** Highest share of the question's weight in one clause, and in one clause with something of the type. */
  readonly clause: number;
  readonly clauseTyped: number;
  /** 1 if it begins with a term of the question and goes on with "is" or the like. */
  readonly defines: number;
  /** 1 if a name is asked for and it says "called" or "known as". */
  readonly calls: number;
  /** 1 if it has years, but none of the question's. */
  readonly otherYear: number;
  /** Share of the question's adjacent words, stop words included, that are adjacent here, 0 to 1. */
  readonly phrases: number;
  /** Strengths of the two rarest terms, of the last one and of what is asked for. */
  readonly rarest: number;
  readonly second: number;
  readonly last: number;
  readonly focusTerm: number;
}

const naming = /\b(?:call(?:ed)?|named?|terms?|known|nicknam\p{L}+|refer\p{L}*|titled?|words?|abbreviat\p{L}+)\b/iu;
const named =
  /\b(?:called|named|termed|known|nicknam\p{L}+|referred|titled|dubbed|entitled|abbreviat\p{L}+|label+ed|named after|means?|meaning)\b/iu;
/** Words on each side of something of the asked type that count as its context; set by hand. */
const contextWords = 8;

export type ReadCues = (unit: ReadUnit, own: Strengths, matches: WordMatches) => AnswerCues;

/** Returns a function that reads the cues of a unit, given the strengths of the question's terms in it and its words' matches. */
export function createCueReader(question: AnalysedQuestion): ReadCues {
  const { terms, text, sequence } = question;
  const findTyped = createTypeFinder(question);
  const byRarity = terms.map((_, i) => i).sort((a, b) => terms[b]!.weight - terms[a]!.weight);
  const asksName = naming.test(text);
  const asked = yearsIn(text);
  const focus = terms.findIndex((term) => question.focus.includes(term.stem));
  const followers = new Map<string, Set<string>>();
  sequence.slice(1).forEach((stem, i) => {
    const before = sequence[i]!;
    followers.set(before, (followers.get(before) ?? new Set()).add(stem));
  });
  const weightOfTerms = terms.reduce((sum, { weight }) => sum + weight, 0);
  const neighbours = [...followers.values()].reduce((sum, { size }) => sum + size, 0);

  return (unit, own, matches) => {
    const { words, text: shown, verb } = unit;
    const places = findTyped?.(shown);
    const isMatched = matches.some((match) => match !== undefined && match !== null);
    const years = asked.length === 0 ? [] : yearsIn(shown);
    let phrases = 0;
    for (let i = 1; i < words.length; i += 1) {
      if (followers.get(words[i - 1]!.stem)?.has(words[i]!.stem)) phrases += 1;
    }
    return {
      typed: places === undefined ? 0.5 : Math.min(1, places.length / 2),
      ...(isMatched ? aroundTyped(unit, places ?? [], matches, terms, weightOfTerms) : noneAround),
      ...(isMatched ? byClause(unit, places, matches, terms, weightOfTerms) : noneByClause),
      defines: isMatched && verb > 0 && matches.slice(0, verb).some(isMatch) ? 1 : 0,
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

type Terms = AnalysedQuestion['terms'];

const noneAround = { typedNear: 0, typedAmong: 0 };
const noneByClause = { clause: 0, clauseTyped: 0 };

function isMatch(match: WordMatches[number]): match is TermMatch {
  return match !== undefined && match !== null;
}

function aroundTyped(
  unit: ReadUnit,
  places: readonly number[],
  matches: WordMatches,
  terms: Terms,
  weightOfTerms: number,
) {
  const { words } = unit;
  let typedNear = 0;
  let typedAmong = 0;
  for (const place of places) {
    const found = words.findIndex(({ length }, i) => unit.startOf(i) + length > place);
    const at = Math.max(0, found);
    const around = new Map<number, number>();
    for (let i = Math.max(0, at - contextWords); i < Math.min(words.length, at + contextWords + 2); i += 1) {
      const match = matches[i];
      if (!isMatch(match)) continue;
      around.set(match.term, match.strength * terms[match.term]!.weight);
      typedNear = Math.max(typedNear, 1 / (1 + Math.abs(i - at)));
    }
    typedAmong = Math.max(typedAmong, share(around, weightOfTerms));
  }
  return { typedNear, typedAmong };
}

function byClause(
  unit: ReadUnit,
  places: readonly number[] | undefined,
  matches: WordMatches,
  terms: Terms,
  weightOfTerms: number,
) {
  const { words, clauses } = unit;
  let clause = 0;
  let clauseTyped = 0;
  for (const { start, end } of clauses) {
    const within = new Map<number, number>();
    for (let i = 0; i < words.length; i += 1) {
      const match = matches[i];
      if (!isMatch(match) || unit.startOf(i) < start || unit.startOf(i) + words[i]!.length > end) continue;
      within.set(match.term, Math.max(within.get(match.term) ?? 0, match.strength * terms[match.term]!.weight));
    }
    const part = share(within, weightOfTerms);
    clause = Math.max(clause, part);
    if (places === undefined || places.some((place) => place >= start && place < end))
      clauseTyped = Math.max(clauseTyped, part);
  }
  return { clause, clauseTyped };
}

function yearsIn(text: string): readonly string[] {
  return text.match(/\b(?:1\d{3}|20\d{2})\b/g) ?? [];
}

/** The sum of these weights as a share of the weight of all terms. */
function share(weights: ReadonlyMap<number, number>, weightOfTerms: number): number {
  let part = 0;
  for (const weight of weights.values()) part += weight;
  return weightOfTerms === 0 ? 0 : part / weightOfTerms;
}
