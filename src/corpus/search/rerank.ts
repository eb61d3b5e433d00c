/**
 * Scores how well a passage matches a query, beyond BM25, which ignores that words are adjacent, that a name is written exactly
 * as in the query, or that a passage repeats one rare word and lacks the others.
 *
 * The score is linear in a few features of where the query's words occur. The weights were fitted (listwise softmax loss,
 * five folds by topic) on questions whose page is known. Only words that begin like one of the query's are examined, so
 * fifty passages take a fraction of a millisecond.
 */

import { initialsIn } from '../../base/text/initials.ts';
import { plainWordsIn } from '../../base/text/plain-words.ts';
import { foldWord } from '../index/words.ts';
import { definitionOf } from './find-definition.ts';
import { termsToCount } from './fts-query.ts';
import { findHits, readBeginnings, stemOf } from './locate-terms.ts';
import {
  areNeighbours,
  bestWindow,
  countStarts,
  maxQueryChars,
  neighbours,
  readSequence,
  type Term,
} from './term-windows.ts';

export interface WeightedTerm {
  /** As `selectTerms` returns it. */
  readonly word: string;
  /** Inverse document frequency, > 0. */
  readonly idf: number;
}

/** The features of a match: each from 0 to 1, except bm25. */
export interface Match {
  readonly bm25: number;
  /** Share of the query's idf that the passage or its title has. */
  readonly coverage: number;
  /** The same for words in exactly the form of the query, not only with its stem. */
  readonly exact: number;
  /** The same for names and numbers of the query that begin with a capital or digit in the passage. */
  readonly names: number;
  /** Share of neighbouring words of the query that are neighbours here. */
  readonly pairs: number;
  /** The max. coverage within a clause. */
  readonly near: number;
  /** Share of the title's words that are in the query; for "undici › Client" or "init — Manual", of the part that matches best. */
  readonly title: number;
  /** 1 if a heading in the passage asks the query, as in a list of questions and answers; else 0. */
  readonly asked: number;
  /** 1 if a row, an item or a heading begins with an identifier of the query, `PORT` or `queue_full`, or is what it asks the meaning of; else 0. */
  readonly defined: number;
}

export type MatchPassage = (passage: { readonly title: string; readonly text: string }, bm25: number) => Match;

/** Fitted as described above; `asked` and `defined` are set by hand, as the questions' pages have neither. */
const weights: Match = {
  bm25: 0.27,
  coverage: 2.4,
  exact: 3.6,
  names: 1.8,
  pairs: 1.5,
  near: 3.9,
  title: 1.9,
  asked: 6,
  defined: 6,
};

const measures = Object.keys(weights) as (keyof Match)[];

/** A heading that is a question, in Markdown. */
const questionHeading = /^#{1,6} +([^\n]{1,200}\?)[ \t]*$/gm;

/** The separator between a page's name and those of its package or site. */
const titleParts = / [›—–|] /;

/** Characters of a clause; set by hand. */
const clauseChars = 75;

/** The weighted sum of the measures; comparable between passages of one query only. */
export function scoreMatch(match: Match): number {
  let score = 0;
  for (const measure of measures) score += weights[measure] * match[measure];
  return score;
}

/** Prepares a query and its weighted terms once; the function returned measures one passage. */
export function createMatcher(text: string, weighted: readonly WeightedTerm[]): MatchPassage {
  const byStem = new Map<string, number>();
  for (const { word } of weighted) if (!byStem.has(stemOf(word))) byStem.set(stemOf(word), byStem.size);
  const sequence = readSequence(text, byStem);
  const terms = [...byStem].map(([stemmed, term]): Term => {
    const same = weighted.filter(({ word }) => stemOf(word) === stemmed);
    return {
      words: new Set(same.map(({ word }) => foldWord(word))),
      idf: same[0]?.idf ?? 0,
      isName: sequence.some((place) => place.term === term && place.isName),
      initials: sequence.find((place) => place.term === term && place.initials !== undefined)?.initials,
    };
  });
  const beginnings = readBeginnings([...byStem.keys()]);
  const short = terms.filter(({ initials }) => initials !== undefined);
  const total = sum(terms);
  const named = sum(terms.filter((term) => term.isName));
  const pairs = neighbours(sequence, terms);
  const pairTotal = sum(pairs);
  const definition = definitionOf(text.slice(0, maxQueryChars));

  return ({ title, text: passage }, bm25) => {
    const hits = findHits(passage, beginnings, byStem);
    const parts = title.split(titleParts).map((part) => ({ part, hits: findHits(part, beginnings, byStem) }));
    const spelled = spelledIn(title, short);
    const found = new Set(spelled);
    const exact = new Set(spelled);
    const names = new Set(spelled);
    for (const part of parts) for (const hit of part.hits) found.add(terms[hit.term] as Term);
    for (const hit of hits) {
      const term = terms[hit.term] as Term;
      found.add(term);
      const isExact = exact.has(term);
      if (isExact && (!term.isName || names.has(term))) continue;
      const written = passage.slice(hit.start, hit.end);
      if (!isExact && term.words.has(foldWord(written))) exact.add(term);
      if (term.isName && /^[\p{Lu}\p{N}]/u.test(written)) names.add(term);
    }
    return {
      bm25,
      coverage: share(sum(found), total),
      exact: share(sum(exact), total),
      names: share(sum(names), named),
      pairs: share(sum(pairs.filter((pair) => areNeighbours(hits, pair))), pairTotal),
      near: share(bestWindow(hits, terms, clauseChars), total),
      title:
        spelled.length > 0
          ? 1
          : Math.max(...parts.map(({ part, hits: inPart }) => share(countStarts(inPart), countWords(part)))),
      asked: asksQuery(passage, byStem) ? 1 : 0,
      defined: definition?.(passage) ? 1 : 0,
    };
  };
}

/** Whether a heading that is a question has all terms of the query, and at most one other word that counts. */
function asksQuery(passage: string, byStem: ReadonlyMap<string, number>): boolean {
  if (!passage.includes('?\n') || byStem.size === 0) return false;
  for (const [, heading = ''] of passage.matchAll(questionHeading)) {
    const stems = new Set(termsToCount(heading).map(stemOf));
    const others = [...stems].filter((stem) => !byStem.has(stem)).length;
    if (others <= 1 && stems.size - others === byStem.size) return true;
  }
  return false;
}

function spelledIn(title: string, short: readonly Term[]): readonly Term[] {
  if (short.length === 0) return short;
  const initials = initialsIn(title);
  return short.filter((term) => initials.includes(term.initials ?? ''));
}

function countWords(title: string): number {
  return plainWordsIn(title).length;
}

function sum(parts: Iterable<{ readonly idf: number }>): number {
  let idf = 0;
  for (const part of parts) idf += part.idf;
  return idf;
}

function share(part: number, whole: number): number {
  return whole > 0 ? Math.min(1, part / whole) : 0;
}
