/**
 * Whether the evidence answers the question at all. The signs: how much of the question the best unit and its page say,
 * which telling word is nowhere, whether the names and numbers of the question occur, how sure the ranking is.
 */
import { logOddsOf } from '../../../base/learned/boosted-trees.ts';
import { initialsIn, initialsOf } from '../../../base/text/initials.ts';
import { coverage, surprise } from '../match/coverage.ts';
import type { Question } from '../question/analyse.ts';
import { isCompound } from '../question/bridge.ts';
import type { Source } from '../text/passages.ts';
import { type Features, toVector } from './features.ts';
import type { Ranked } from './rank.ts';
import { weights } from './weights.ts';

/** Log odds that the evidence answers; at or below this nothing is answered. */
export const threshold = 0;
/**
 * The odds were learned where one page answers. Of a question that links two things each page says only half, so there it
 * is enough that everything the question names is found.
 */
const compoundThreshold = -1.6;

export function answers(question: Question, ranked: readonly Ranked[], sources: readonly Source[]): boolean {
  const named =
    isCompound(question) &&
    question.names.length >= 2 &&
    question.names.every((name) => sources.some((source) => namesKept([name], source) === 1));
  return answerability(question, ranked) > (named ? compoundThreshold : threshold);
}

export function answerability(question: Question, ranked: readonly Ranked[]): number {
  if (ranked.length === 0 || question.terms.length === 0) return Number.NEGATIVE_INFINITY;
  return logOddsOf(weights.answers, signsOf(question, ranked));
}

export function signsOf(question: Question, ranked: readonly Ranked[]): number[] {
  const best = ranked[0]!;
  const cover = coverage(question.terms.map((term) => term.weight));
  const top = ranked.slice(0, 3);
  const everywhere = new Float32Array(question.terms.length);
  for (const { own, around } of ranked) {
    for (let term = 0; term < everywhere.length; term += 1)
      everywhere[term] = Math.max(everywhere[term]!, own[term]!, around[term]!);
  }
  const surprisePage = surprise(question.terms.map((term) => term.expectPage));
  const total = question.terms.reduce((sum, term) => sum + term.weight, 0);
  const lost = question.terms.filter((_, term) => everywhere[term] === 0);
  const most = (name: keyof Features) => Math.max(...top.map(({ features }) => features[name]));
  return [
    best.probability,
    top.reduce((sum, candidate) => sum + candidate.probability, 0),
    best.score,
    cover(best.own),
    cover(best.own, best.around),
    most('withTitle'),
    most('inPassage'),
    cover(everywhere),
    Math.max(0, ...lost.map((term) => term.weight)),
    lost.some((term) => term.name || term.digits) ? 1 : 0,
    Math.min(1, question.terms.length / 12),
    total / Math.max(1, question.terms.length),
    surprisePage(everywhere) / 5,
    surprisePage(best.own, best.around) / 5,
    Math.min(...top.map((candidate) => candidate.features.surpriseNear)),
    most('local'),
    namesKept(question.names, best.source),
    Math.max(...ranked.slice(0, 5).map(({ source }) => namesKept(question.names, source))),
    pairsKept(question, top),
    question.names.length === 0 ? 1 : 0,
    Math.max(...ranked.slice(0, 8).map((candidate) => candidate.features.titleAsked * candidate.features.inTitle)),
    steepness(ranked, 1),
    steepness(ranked, 5),
    steepness(ranked, 11),
    share(ranked, best),
    most('typedAmong'),
    most('phrases'),
    Math.max(...ranked.map(({ source }) => source.score)) / 20,
    best.source.score / 20,
    namesKept(question.names, everything(ranked)),
    ...toVector(best.features, question),
  ];
}

/** The share of the question's names that stand whole or spelled out in a passage or above it; 1 where it has none. */
function namesKept(
  names: readonly string[],
  { text, title, headings }: Pick<Source, 'text' | 'title' | 'headings'>,
): number {
  if (names.length === 0) return 1;
  const place = `${title}\n${headings}\n${text}`;
  const lower = place.toLowerCase();
  const isKept = (name: string) => lower.includes(name.toLowerCase()) || spells(place, initialsOf(name));
  return names.filter(isKept).length / names.length;
}

function spells(place: string, initials: string | undefined): boolean {
  return initials !== undefined && initialsIn(place).includes(initials);
}

/** All that was found, as one passage. */
function everything(ranked: readonly Ranked[]): Pick<Source, 'text' | 'title' | 'headings'> {
  const sources = [...new Set(ranked.map(({ source }) => source))];
  const text = sources.map((source) => `${source.title}\n${source.text}`).join('\n');
  return { text, title: '', headings: '' };
}

/** The share of the question's pairs of telling neighbours that stand side by side in one of the units. */
function pairsKept(question: Question, top: readonly Ranked[]): number {
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

/** How far the best score of the search stands above the one `down` places below it, 0 to 1. */
function steepness(ranked: readonly Ranked[], down: number): number {
  const scores = [...new Map(ranked.map(({ source }) => [source.n, source.score])).values()].sort((a, b) => b - a);
  const first = scores[0] ?? 0;
  const other = scores[Math.min(down, scores.length - 1)] ?? 0;
  return first <= 0 ? 0 : 1 - other / first;
}

/** The probability that the answer is in the best unit's passage, and whether other passages say it too. */
function share(ranked: readonly Ranked[], best: Ranked): number {
  return ranked.reduce((sum, each) => sum + (each.source.title === best.source.title ? each.probability : 0), 0);
}
