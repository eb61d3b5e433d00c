/**
 * Chooses the passages of a search among its candidates: they are reranked, repeated texts (copies or versions of a package)
 * are dropped, and each page is limited to four passages, unless the index is so small that its pages are returned whole.
 */
import { allows, type SourceRules } from '../../../protocol/source-rules.ts';
import type { Passage } from '../../engine/ports/snapshot.ts';
import { maxPerPage } from './limits.ts';
import { createOwnBonus } from './own-documentation.ts';
import { createPlaceReader, type Place } from './place-passages.ts';
import { createMatcher, type Match, scoreMatch, type WeightedTerm } from './rerank.ts';

export interface Candidate {
  readonly bm25: number;
  /** 1 when the page's title is the query. */
  readonly titled: number;
  readonly snapshot: string;
  readonly url: string;
  readonly title: string;
  readonly headings: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly published_at: string | null;
}

/** Added when the query is the page's title; larger than any other score, so that this page comes first. Set by hand. */
const titleBonus = 100;

interface Choice {
  readonly rules: SourceRules;
  readonly limit: number;
  /** Whether the candidates are all passages of their pages. */
  readonly isWhole: boolean;
  /** As in `Passage`. */
  readonly corpusSize: Passage['corpusSize'];
  /** Whether this package's own documentation is preferred; see own-documentation.ts. */
  readonly prefersOwn: boolean;
}

/** The best of the candidates for the query, best first; `terms` are those of its text, weighted. */
export function choosePassages(
  candidates: readonly Candidate[],
  text: string,
  terms: readonly WeightedTerm[],
  { rules, limit, isWhole, corpusSize, prefersOwn }: Choice,
): Passage[] {
  const match = createMatcher(text, terms);
  const words = terms.map(({ word }) => word);
  const bonusOf = prefersOwn ? createOwnBonus(candidates, words) : () => 0;
  const weighed = candidates.map((candidate) =>
    toPassage(candidate, match(candidate, candidate.bm25), bonusOf(candidate)),
  );
  const ranked = weighed.sort((a, b) => b.score - a.score);
  const chosen = isWhole
    ? choose(ranked, rules, limit, { perPage: limit })
    : choose(ranked, rules, limit, {
        perPage: maxPerPage,
        placeOf: createPlaceReader(text),
        isFilled: corpusSize !== undefined,
      });
  return corpusSize === undefined ? chosen : chosen.map((passage) => ({ ...passage, corpusSize }));
}

/** Candidates that are close in meaning, closest first, with the same limits; their order stays. */
export function chooseClose(
  candidates: readonly Candidate[],
  text: string,
  terms: readonly WeightedTerm[],
  { rules, limit }: Pick<Choice, 'rules' | 'limit'>,
): Passage[] {
  const match = createMatcher(text, terms);
  const ranked = candidates.map((candidate) => toPassage(candidate, match(candidate, 0), 0));
  return choose(ranked, rules, limit, { perPage: maxPerPage });
}

function toPassage({ bm25: _, titled, published_at, ...passage }: Candidate, match: Match, bonus: number): Passage {
  const score = scoreMatch(match) + (titled === 1 ? titleBonus : 0) + bonus;
  return { ...passage, score, coverage: match.coverage, ...(published_at === null ? {} : { published_at }) };
}

interface Limits {
  readonly perPage: number;
  readonly placeOf?: (passage: Passage) => Place;
  /** Whether further passages of the same pages follow where other pages have too few: somebody's long document may be the only one. */
  readonly isFilled?: boolean;
}

function choose(
  ranked: readonly Passage[],
  rules: SourceRules,
  limit: number,
  { perPage, placeOf = () => 'first', isFilled = false }: Limits,
): Passage[] {
  const chosen: Record<Place, Passage[]> = { first: [], after: [], alone: [] };
  const further: Passage[] = [];
  const texts = new Set<string>();
  const countByPage = new Map<string, number>();
  for (const passage of ranked) {
    if (chosen.first.length === limit) break;
    const count = countByPage.get(passage.url) ?? 0;
    if (texts.has(passage.text) || !allows(rules, passage.url)) continue;
    if (count === perPage) {
      if (isFilled && placeOf(passage) === 'first') further.push(passage);
      continue;
    }
    texts.add(passage.text);
    countByPage.set(passage.url, count + 1);
    chosen[placeOf(passage)].push(passage);
  }
  const answering = [...chosen.first, ...further, ...chosen.after];
  return (answering.length > 0 ? answering : chosen.alone).slice(0, limit);
}
