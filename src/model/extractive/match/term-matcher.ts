/**
 * Matches the words of a text with the terms of a question: by stem, by a common prefix ("Tibet", "Tibetan"), with typos,
 * by initials ("NYC") and by synonyms.
 */

import type { StemmedLanguage } from '../../../base/text/stems/foreign-stemmer.ts';
import { type AnalysedQuestion, stopStems } from '../question/analyse.ts';
import { lifeTermsOf } from '../question/lifespan.ts';
import {
  areApart,
  beginsCompound,
  endsCompound,
  isFeminine,
  isTypo,
  minPrefix,
  sharedPrefix,
} from '../text/stem-likeness.ts';
import type { Form } from '../text/words.ts';
import { synonyms } from './synonyms.ts';

/** For each term of the question, in order, how well a text has it: 0 (not at all) to 1 (the same stem). */
export type Strengths = Float32Array;

export interface TermMatch {
  /** Index of the term. */
  readonly term: number;
  readonly strength: number;
}

/** For each word of a unit, in order, the term it matches; null for a stop word, whatever it matches. */
export type WordMatches = readonly (TermMatch | undefined | null)[];

/** A text whose words have been read. */
export interface ReadText {
  readonly words: readonly Form[];
  /** Of the names in it: see `initialsIn`. */
  readonly initials: readonly string[];
  /** Whether it says when somebody was born and died without these words. */
  readonly hasLifespan?: boolean;
}

export interface TermMatcher {
  /** Whose stems texts are read with; English ones if undefined. */
  readonly language: StemmedLanguage | undefined;
  /** The term that a stem matches, or undefined. */
  match(stem: string): TermMatch | undefined;
  matchWords(words: readonly Form[]): WordMatches;
  /** The strengths of a text. */
  readText(text: ReadText): Strengths;
  /** `exact`, the result of `readText` for the same text, raised to 0.5 for terms that have a synonym in it. */
  readTextWithSynonyms(text: ReadText, exact: Strengths): Strengths;
  /** The same of a text given by its stems. */
  read(stems: Iterable<string>): Strengths;
  readWithSynonyms(stems: Iterable<string>, exact: Strengths): Strengths;
}

/** What a form is to a question. */
interface Found {
  /** The term that its stem matches; null for a stop word. */
  readonly match: TermMatch | undefined | null;
  /** Those that its stem and its parts match. */
  readonly matches: readonly TermMatch[];
  /** The terms that its stem and its parts are synonyms of. */
  readonly linked: readonly number[];
}

/** What most forms are. */
const nothing: Found = { match: undefined, matches: [], linked: [] };
const stopWord: Found = { match: null, matches: [], linked: [] };

/** Numbers of matchers; they begin again before they would take more than 31 bits. */
let lastMatcher = 0;

/** The share of the longer of two stems that has to be their common prefix. Set by hand, as are the strengths below. */
const minSharedPrefix = 0.55;
const synonymStrength = 0.5;
/** The strength of a stem that differs in one letter, or in the order of two: "Schwarzeneger". */
const typoStrength = 0.6;
/** The strength of a word that ends in another: "Wasserrohrbruch" and "Rohrbruch". */
const compoundStrength = 0.7;
/** The strength of a word that begins with another: "Aufnahmegebühr" for "Aufnahme". */
const modifierStrength = 0.5;
/** The strength of "Kassiererin" for "Kassierer". */
const feminineStrength = 0.9;
/** A matcher for the terms of one question; it caches what it looked up. */
export function createTermMatcher(question: AnalysedQuestion): TermMatcher {
  const cache = new Map<string, TermMatch | null>();
  const byPrefix = new Map<string, { term: number; stem: string }>();
  question.terms.forEach(({ stem, initials }, term) => {
    cache.set(stem, { term, strength: 1 });
    if (initials !== undefined) cache.set(initials, { term, strength: 1 });
    if (stem.length >= minPrefix && /^\p{L}+$/u.test(stem)) byPrefix.set(stem.slice(0, minPrefix), { term, stem });
  });
  const bySynonym = new Map<string, number[]>();
  question.terms.forEach(({ stem }, term) => {
    for (const other of synonyms.get(stem) ?? []) bySynonym.set(other, [...(bySynonym.get(other) ?? []), term]);
  });
  /** First characters of the terms: a word with a different one shares no prefix with any, and typos there are not allowed. */
  const firsts = createCharacterSet(question.terms.map(({ stem }) => stem.charCodeAt(0)));
  const match = (stem: string) => {
    const cached = cache.get(stem);
    if (cached !== undefined) return cached ?? undefined;
    if (stem.length < minPrefix) return undefined;
    const isNear = firsts(stem.charCodeAt(0));
    // A compound begins with another letter than what it ends in.
    if (!isNear && !hasCompounds) return undefined;
    const near = byPrefix.get(stem.slice(0, minPrefix));
    const found =
      (near && matchPrefix(stem, near)) ??
      (isNear ? matchTypo(stem) : undefined) ??
      (hasCompounds ? matchCompound(stem) : undefined);
    cache.set(stem, found ?? null);
    return found;
  };
  const matchPrefix = (stem: string, near: { term: number; stem: string }) => {
    const shared = sharedPrefix(stem, near.stem);
    const share = shared / Math.max(stem.length, near.stem.length);
    if (share < minSharedPrefix || areApart(stem.slice(shared), near.stem.slice(shared))) return undefined;
    return { term: near.term, strength: 0.4 + 0.4 * share };
  };
  const spelled = question.terms.map(({ stem }) => (/\d/.test(stem) ? '' : stem));
  const matchTypo = (stem: string) => {
    for (let term = 0; term < spelled.length; term += 1) {
      if (isTypo(stem, spelled[term]!)) return { term, strength: typoStrength };
    }
    return undefined;
  };
  const isGerman = question.language === 'de';
  const hasCompounds = question.language === 'de' || question.language === 'nl';
  const matchCompound = (stem: string) => {
    for (let term = 0; term < spelled.length; term += 1) {
      if (isGerman && isFeminine(stem, spelled[term]!)) return { term, strength: feminineStrength };
      if (endsCompound(stem, spelled[term]!)) return { term, strength: compoundStrength };
      if (beginsCompound(stem, spelled[term]!)) return { term, strength: modifierStrength };
    }
    return undefined;
  };
  // No stem of a word is a run of capitals, unless the question has one.
  const mayMatchInitials = question.terms.some(({ stem, initials }) => initials !== undefined || /\p{Lu}/u.test(stem));
  const ofLife = lifeTermsOf(question);
  lastMatcher = (lastMatcher % 0x3fffffff) + 1;
  const number = lastMatcher;
  /** Indexed by the number stored on each form for this question; numbers instead of references, to spare the garbage collector. */
  const founds: Found[] = [nothing, stopWord];
  const isRelated = (stem: string) => match(stem) !== undefined || bySynonym.has(stem);
  const look = (form: Form): Found => {
    if (form.matcher === number) return founds[form.found]!;
    const { stem, parts } = form;
    form.isStop ??= stopStems.has(stem);
    const { isStop } = form;
    let found = isStop ? 1 : 0;
    if (isRelated(stem) || (parts.length > 0 && parts.some(isRelated))) {
      const stems = [stem, ...parts];
      found = founds.length;
      founds.push({
        match: isStop ? null : match(stem),
        matches: stems.flatMap((each) => match(each) ?? []),
        linked: stems.flatMap((each) => bySynonym.get(each) ?? []),
      });
    }
    form.matcher = number;
    form.found = found;
    return founds[found]!;
  };
  const raise = (strengths: Strengths, { term, strength }: TermMatch) => {
    if (strength > strengths[term]!) strengths[term] = strength;
  };
  return {
    language: question.language,
    match,
    matchWords: (words) => words.map((form) => look(form).match),
    readText(text) {
      const strengths = new Float32Array(question.terms.length);
      for (const form of text.words) for (const found of look(form).matches) raise(strengths, found);
      if (ofLife.length > 0 && text.hasLifespan) for (const term of ofLife) strengths[term] = 1;
      if (!mayMatchInitials) return strengths;
      for (const initials of text.initials) {
        const found = match(initials);
        if (found !== undefined) raise(strengths, found);
      }
      return strengths;
    },
    readTextWithSynonyms({ words }, exact) {
      const strengths = exact.slice();
      if (bySynonym.size === 0) return strengths;
      for (const form of words)
        for (const term of look(form).linked) strengths[term] = Math.max(strengths[term]!, synonymStrength);
      return strengths;
    },
    read(stems) {
      const strengths = new Float32Array(question.terms.length);
      for (const stem of stems) {
        const found = match(stem);
        if (found !== undefined) raise(strengths, found);
      }
      return strengths;
    },
    readWithSynonyms(stems, exact) {
      const strengths = exact.slice();
      if (bySynonym.size === 0) return strengths;
      for (const stem of stems) {
        const linked = bySynonym.get(stem);
        if (linked === undefined) continue;
        for (const term of linked) if (strengths[term]! < synonymStrength) strengths[term] = synonymStrength;
      }
      return strengths;
    },
  };
}

/** Returns a function that says whether a UTF-16 code unit is one of these: a table is several times as fast as a set. */
function createCharacterSet(codes: readonly number[]): (code: number) => boolean {
  const all = new Set(codes);
  const ascii = Uint8Array.from({ length: 128 }, (_, code) => Number(all.has(code)));
  return (code) => (code < 128 ? ascii[code] === 1 : all.has(code));
}
