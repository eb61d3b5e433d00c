/** Compares the units of all evidence: which terms of the question are rare among them, and how high the best of them are. */
import { coverage, logLikelihoodRatio, mergeInto, scaled, surprisal } from '../match/coverage.ts';
import { type MatchedPassage, type MatchedUnit, matchPassage } from '../match/match-passage.ts';
import type { Strengths, TermMatcher } from '../match/term-matcher.ts';
import type { AnalysedQuestion } from '../question/analyse.ts';
import type { Source } from '../text/passages.ts';

interface WideUnit extends MatchedUnit {
  /** Strengths that include synonyms. */
  readonly wide: Strengths;
}

export type WidePassage = MatchedPassage<WideUnit>;

/** Matches a passage with the question, by synonyms as well. */
export function matchWidely(source: Source, matcher: TermMatcher): WidePassage {
  const matched = matchPassage(source, matcher);
  const units = matched.units.map(({ unit, own, around }) => ({
    unit,
    own,
    around,
    wide: matcher.readTextWithSynonyms(unit, own),
  }));
  return { ...matched, units };
}

export type Comparison = ReturnType<typeof compareAll>;

/** What depends on all units together: which terms are rare among them, and the best values to compare with. */
export function compareAll(question: AnalysedQuestion, passages: readonly WidePassage[]) {
  const all = passages.flatMap(({ units }) => units);
  const own = all.map((unit) => unit.own);
  const likelihoodInUnit = question.terms.map((term) => term.likelihoodInUnit);
  const likelihoodOnPage = question.terms.map((term) => term.likelihoodOnPage);
  const weights = question.terms.map(({ weight }) => weight);
  const localWeights = weights.map((weight, term) => {
    const count = own.filter((strengths) => strengths[term]! > 0).length;
    return weight * (Math.log((all.length + 1) / (count + 0.5)) / Math.log(all.length + 2) + 0.1);
  });
  const cover = coverage(weights);
  const coverLocal = coverage(localWeights);

  const likelyOwn = logLikelihoodRatio(likelihoodInUnit, own);
  const likelyNear = logLikelihoodRatio(
    likelihoodOnPage,
    all.map((unit) => mergeInto(unit.own.slice(), unit.around)),
  );
  const likelyWide = logLikelihoodRatio(
    likelihoodOnPage,
    all.map(({ wide }) => wide),
  );
  const likelyPage = logLikelihoodRatio(
    likelihoodOnPage,
    passages.map(({ whole }) => whole),
  );
  // By passage, then by unit.
  const byUnit = passages.map(({ units }) =>
    units.map((unit, i) => ({
      localWide: coverLocal(unit.wide, unit.around),
      likely: {
        own: likelyOwn(unit.own),
        near: likelyNear(unit.own, unit.around, units[i - 1]?.own ?? unit.own),
        wide: likelyWide(unit.wide, unit.around, scaled(units[i - 1]?.own ?? unit.wide, 0.7)),
      },
    })),
  );
  const flat = byUnit.flatMap((units) => units.map(({ likely }) => likely));
  const pages = passages.map(({ whole }) => likelyPage(whole));
  const covers = own.map((strengths) => cover(strengths));
  const titles = new Map<string, number>();
  for (const { source } of passages) titles.set(source.title, (titles.get(source.title) ?? 0) + 1);
  return {
    weights,
    cover,
    coverLocal,
    surpriseOwn: surprisal(likelihoodInUnit),
    surprisePage: surprisal(likelihoodOnPage),
    nameTerms: question.terms.flatMap((term, i) => (term.name ? [i] : [])),
    digitTerms: question.terms.flatMap((term, i) => (term.digits ? [i] : [])),
    byUnit,
    pages,
    best: {
      own: Math.max(...flat.map((unit) => unit.own)),
      near: Math.max(...flat.map((unit) => unit.near)),
      wide: Math.max(...flat.map((unit) => unit.wide)),
      page: Math.max(...pages),
      cover: Math.max(0, ...covers),
      coverAround: Math.max(0, ...all.map((unit) => cover(unit.own, unit.around))),
      coverLocal: Math.max(0, ...own.map((strengths) => coverLocal(strengths))),
      coverWhole: Math.max(0, ...passages.map(({ whole }) => cover(whole))),
    },
    sorted: {
      cover: Float32Array.from(covers).sort(),
      near: Float32Array.from(flat.map((unit) => unit.near)).sort(),
      pages: Float32Array.from(pages).sort(),
    },
    topScore: Math.max(1e-6, ...passages.map(({ source }) => source.score)),
    scores: passages.map(({ source }) => source.score),
    titles,
  };
}
