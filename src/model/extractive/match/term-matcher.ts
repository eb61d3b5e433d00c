/**
 * Which of the question's words a stretch of text has, and how well: 1 for the same stem, part of it for a word that
 * begins alike ("Tibet", "Tibetan"). One strength for each term of the question, in the question's order.
 */

import { initialsIn } from '../../../base/text/initials.ts';
import type { Question } from '../question/analyse.ts';
import type { Word } from '../text/words.ts';
import { synonyms } from './synonyms.ts';

export type Strengths = Float32Array;

export interface Matcher {
  /** Like `read`, with words that mean nearly the same counting half. */
  readRelated(stems: Iterable<string>, exact: Strengths): Strengths;
  /** Index of the term the stem meets and how well, or undefined. */
  meet(stem: string): { readonly term: number; readonly strength: number } | undefined;
  read(stems: Iterable<string>): Strengths;
}

export function createMatcher(question: Question): Matcher {
  const exact = new Map<string, { term: number; strength: number }>();
  const alike = new Map<string, { term: number; stem: string }>();
  question.terms.forEach(({ stem, initials }, term) => {
    exact.set(stem, { term, strength: 1 });
    if (initials !== undefined) exact.set(initials, { term, strength: 1 });
    if (stem.length >= 5 && /^\p{L}+$/u.test(stem)) alike.set(stem.slice(0, 5), { term, stem });
  });
  const kin = new Map<string, number[]>();
  question.terms.forEach(({ stem }, term) => {
    for (const other of synonyms.get(stem) ?? []) kin.set(other, [...(kin.get(other) ?? []), term]);
  });
  /** Every stem that was met, or, as null, looked for in vain. */
  const known = new Map<string, { term: number; strength: number } | null>(exact);
  const meet = (stem: string) => {
    const found = known.get(stem);
    if (found !== undefined) return found ?? undefined;
    if (stem.length < 5) return undefined;
    const near = alike.get(stem.slice(0, 5));
    const met = (near && beginsAlike(stem, near)) ?? slipped(stem);
    known.set(stem, met ?? null);
    return met;
  };
  const beginsAlike = (stem: string, near: { term: number; stem: string }) => {
    const part = sharedPrefix(stem, near.stem) / Math.max(stem.length, near.stem.length);
    return part >= 0.55 ? { term: near.term, strength: 0.4 + 0.4 * part } : undefined;
  };
  const slipped = (stem: string) => {
    const term = question.terms.findIndex((other) => isSlip(stem, other.stem));
    return term === -1 ? undefined : { term, strength: slipStrength };
  };
  return {
    meet,
    read(stems) {
      const strengths = new Float32Array(question.terms.length);
      for (const stem of stems) {
        const met = meet(stem);
        if (met !== undefined && met.strength > strengths[met.term]!) strengths[met.term] = met.strength;
      }
      return strengths;
    },
    readRelated(stems, exact) {
      const strengths = exact.slice();
      for (const stem of stems) {
        for (const term of kin.get(stem) ?? []) if (strengths[term]! < 0.5) strengths[term] = 0.5;
      }
      return strengths;
    },
  };
}

/** The stems of a text's words, parts of identifiers included, and the initials of its names. */
export function stemsOf(text: string, words: readonly Word[]): string[] {
  return [...plainStems(words), ...initialsIn(text)];
}

/** The same without the initials. */
export function plainStems(words: readonly Word[]): string[] {
  return words.flatMap((word) => [word.stem, ...word.parts]);
}

/** What a word counts that is another but for one letter more, less, other or swapped: "Schwarzeneger". */
const slipStrength = 0.6;
const shortestSlip = 7;

function isSlip(a: string, b: string): boolean {
  if (a[0] !== b[0] || Math.max(a.length, b.length) < shortestSlip || Math.abs(a.length - b.length) > 1) return false;
  if (/\d/.test(b)) return false;
  const from = sharedPrefix(a, b);
  const restA = a.slice(from);
  const restB = b.slice(from);
  return (
    restA.slice(1) === restB ||
    restA === restB.slice(1) ||
    restA.slice(1) === restB.slice(1) ||
    (restA.slice(2) === restB.slice(2) && restA[0] === restB[1] && restA[1] === restB[0])
  );
}

function sharedPrefix(a: string, b: string): number {
  let i = 0;
  while (i < a.length && a[i] === b[i]) i += 1;
  return i;
}
