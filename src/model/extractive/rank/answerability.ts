/**
 * Decides whether the evidence answers the question at all: by how much of the question the best unit and its page cover,
 * which terms are missing, whether the names and numbers of the question occur, and how certain the ranking is.
 *
 * Evidence from few pages has odds of its own; see few-pages.ts.
 */
import { logOddsOf } from '../../../base/learned/boosted-trees.ts';
import { initialsIn, initialsOf } from '../../../base/text/initials.ts';
import { coverage, surprisal } from '../match/coverage.ts';
import type { AnalysedQuestion } from '../question/analyse.ts';
import { isCompound } from '../question/bridge.ts';
import type { Source } from '../text/passages.ts';
import { type Features, toVector } from './features.ts';
import { oddsOfFewPages } from './few-pages/odds.ts';
import type { RankedUnit } from './rank.ts';
import { weights } from './weights.ts';

/** Log odds at or below which nothing is answered; the trained odds are shifted so that this is 0. */
export const threshold = 0;
/**
 * The threshold for a question that links two things, if all its names are found: the odds were trained on questions that
 * one page answers, and here each page covers only half. Set by hand on the questions of `npm run bench -- two-hops`.
 */
const compoundThreshold = -1.6;

/** Whether to answer from the ranked units of these sources. */
export function isAnswerable(
  question: AnalysedQuestion,
  ranked: readonly RankedUnit[],
  sources: readonly Source[],
): boolean {
  const named =
    isCompound(question) &&
    question.names.length >= 2 &&
    question.names.every((name) => sources.some((source) => shareOfNames([name], source) === 1));
  const odds = answerability(question, ranked);
  const fewPages = ranked[0]?.fewPages;
  if (fewPages !== undefined && question.terms.length > 0)
    return oddsOfFewPages(question, ranked, fewPages, odds) > threshold;
  return odds > (named ? compoundThreshold : threshold);
}

/** Log odds that the evidence answers; negative infinity without units or terms. */
export function answerability(question: AnalysedQuestion, ranked: readonly RankedUnit[]): number {
  if (ranked.length === 0 || question.terms.length === 0) return Number.NEGATIVE_INFINITY;
  return logOddsOf(weights.answerability, answerabilityFeatures(question, ranked));
}

/** The input of the trained weights, in their order. `ranked` begins with the best unit and is not empty. */
export function answerabilityFeatures(question: AnalysedQuestion, ranked: readonly RankedUnit[]): number[] {
  const best = ranked[0]!;
  const cover = coverage(question.terms.map((term) => term.weight));
  const top = ranked.slice(0, 3);
  const everywhere = new Float32Array(question.terms.length);
  for (const { own, around } of ranked) {
    for (let term = 0; term < everywhere.length; term += 1)
      everywhere[term] = Math.max(everywhere[term]!, own[term]!, around[term]!);
  }
  const surprisalOnPage = surprisal(question.terms.map((term) => term.likelihoodOnPage));
  const total = question.terms.reduce((sum, term) => sum + term.weight, 0);
  const missing = question.terms.filter((_, term) => everywhere[term] === 0);
  const highest = (name: keyof Features) => Math.max(...top.map(({ features }) => features[name]));
  return [
    best.probability,
    top.reduce((sum, candidate) => sum + candidate.probability, 0),
    best.score,
    cover(best.own),
    cover(best.own, best.around),
    highest('withTitle'),
    highest('inPassage'),
    cover(everywhere),
    Math.max(0, ...missing.map((term) => term.weight)),
    missing.some((term) => term.name || term.digits) ? 1 : 0,
    Math.min(1, question.terms.length / 12),
    total / Math.max(1, question.terms.length),
    surprisalOnPage(everywhere) / 5,
    surprisalOnPage(best.own, best.around) / 5,
    Math.min(...top.map((candidate) => candidate.features.surpriseNear)),
    highest('local'),
    shareOfNames(question.names, best.source),
    Math.max(...sourcesOf(ranked.slice(0, 5)).map((source) => shareOfNames(question.names, source))),
    shareOfPairs(question, top),
    question.names.length === 0 ? 1 : 0,
    Math.max(...ranked.slice(0, 8).map((candidate) => candidate.features.titleAsked * candidate.features.inTitle)),
    steepness(ranked, 1),
    steepness(ranked, 5),
    steepness(ranked, 11),
    shareOfBestTitle(ranked, best),
    highest('typedAmong'),
    highest('phrases'),
    Math.max(...ranked.map(({ source }) => source.score)) / 20,
    best.source.score / 20,
    shareOfNamesAnywhere(question.names, ranked),
    ...toVector(best.features, question),
  ];
}

/** The share of names that occur in a passage or above it, as written or spelled out ("NYC"); 1 without names. */
function shareOfNames(names: readonly string[], { text, title, headings }: Source): number {
  return shareOf(names, (name) => occursIn(name, `${title}\n${headings}\n${text}`));
}

/** The same of all passages together, without what is above them. Most names are in the first. */
function shareOfNamesAnywhere(names: readonly string[], ranked: readonly RankedUnit[]): number {
  const sources = sourcesOf(ranked);
  return shareOf(names, (name) => sources.some(({ title, text }) => occursIn(name, `${title}\n${text}`)));
}

/** Each once. */
function sourcesOf(ranked: readonly RankedUnit[]): Source[] {
  return [...new Set(ranked.map(({ source }) => source))];
}

function shareOf(names: readonly string[], occurs: (name: string) => boolean): number {
  return names.length === 0 ? 1 : names.filter(occurs).length / names.length;
}

/** Names have no line breaks. As written is looked for first: changing the case of a passage takes longer. */
function occursIn(name: string, place: string): boolean {
  return place.includes(name) || place.toLowerCase().includes(name.toLowerCase()) || spells(place, initialsOf(name));
}

function spells(place: string, initials: string | undefined): boolean {
  return initials !== undefined && initialsIn(place).includes(initials);
}

/** The share of neighbouring terms of the question that follow each other within 3 words in one of the units; 0.5 without pairs. */
function shareOfPairs(question: AnalysedQuestion, top: readonly RankedUnit[]): number {
  const pairs = question.terms.slice(1).map((term, i) => [question.terms[i]!.stem, term.stem] as const);
  if (pairs.length === 0) return 0.5;
  const kept = pairs.filter(([first, second]) =>
    top.some(({ unit }) =>
      unit.words.some(
        (word, i) => word.stem === first && unit.words.slice(i + 1, i + 4).some(({ stem }) => stem === second),
      ),
    ),
  );
  return kept.length / pairs.length;
}

/** How far the best search score exceeds the one `down` ranks below it, as a share of the best, 0 to 1. */
function steepness(ranked: readonly RankedUnit[], down: number): number {
  const scores = [...new Map(ranked.map(({ source }) => [source.n, source.score])).values()].sort((a, b) => b - a);
  const first = scores[0] ?? 0;
  const other = scores[Math.min(down, scores.length - 1)] ?? 0;
  return first <= 0 ? 0 : 1 - other / first;
}

/** The total probability of the units with the best one's title. */
function shareOfBestTitle(ranked: readonly RankedUnit[], best: RankedUnit): number {
  return ranked.reduce((sum, each) => sum + (each.source.title === best.source.title ? each.probability : 0), 0);
}
