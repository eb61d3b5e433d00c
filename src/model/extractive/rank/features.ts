/**
 * The features that units are ranked by: how much of the question a unit and its context cover, how close together,
 * whether it has what was asked for, and its position. The order of the features is the one of the trained weights.
 */

import { heaviestMissing, scaled, shareFound, spreadToNeighbours } from '../match/coverage.ts';
import { createTermMatcher, type Strengths, type TermMatcher, type WordMatches } from '../match/term-matcher.ts';
import { createProximityMeasure, type MeasureProximity } from '../match/term-proximity.ts';
import type { AnalysedQuestion } from '../question/analyse.ts';
import { questionKinds } from '../question/question-kinds.ts';
import type { ReadPassage, ReadUnit, Source } from '../text/passages.ts';
import { createCueReader, type ReadCues } from './answer-cues.ts';
import { type AnswerTypeFeatures, createAnswerTypeReader } from './answer-type-features.ts';
import { type Comparison, compareAll, matchWidely, type WidePassage } from './compare-units.ts';

export interface Candidate {
  readonly source: Source;
  readonly passage: ReadPassage;
  readonly unit: ReadUnit;
  /** Index in the passage. */
  readonly index: number;
  /** Strengths of the question's terms in the unit itself, and in the title and headings above it. */
  readonly own: Strengths;
  readonly around: Strengths;
  /** A rough score, from what is known before the features are read: see `estimateOf`. */
  readonly estimate: number;
  /** Read when they are first asked for: they cost more than all else, and most units are out of the question without them. */
  readonly features: Features;
}

export type Features = ReturnType<typeof featuresOf>;

/** All units of the sources, in order. */
export function readCandidates(question: AnalysedQuestion, sources: readonly Source[]): Candidate[] {
  const matcher = createTermMatcher(question);
  const passages = sources.map((source) => matchWidely(source, matcher));
  const context = {
    question,
    matcher,
    readCues: createCueReader(question),
    readAnswerType: createAnswerTypeReader(question),
    measureProximity: createProximityMeasure(question),
    nothing: new Float32Array(question.terms.length),
  };
  const comparison = compareAll(question, passages);
  return passages.flatMap((matched, rank) => {
    const { source, passage, units } = matched;
    let ofPassage: PassageContext | undefined;
    const readFeatures = (index: number) => {
      ofPassage ??= {
        shared: passageFeatures(context, comparison, matched, rank),
        neighbourhoods: spreadToNeighbours(units.map((each) => each.own)),
      };
      return featuresOf(context, comparison, { matched, rank, index, ofPassage });
    };
    return units.map(({ unit, own, around, wide }, index): Candidate => {
      const { localWide, likely } = comparison.byUnit[rank]![index]!;
      const estimate = estimateOf(
        comparison.cover(wide),
        localWide,
        likely.wide,
        rank,
        source.score / comparison.topScore,
      );
      return new LazyCandidate({ source, passage, unit, index, own, around, estimate }, readFeatures);
    });
  });
}

/** A class: an object with a getter of its own for each of a thousand units takes longer to make than to rank. */
class LazyCandidate implements Candidate {
  readonly source: Source;
  readonly passage: ReadPassage;
  readonly unit: ReadUnit;
  readonly index: number;
  readonly own: Strengths;
  readonly around: Strengths;
  readonly estimate: number;
  readonly #read: (index: number) => Features;
  #features: Features | undefined;

  constructor(
    { source, passage, unit, index, own, around, estimate }: Omit<Candidate, 'features'>,
    read: (index: number) => Features,
  ) {
    this.source = source;
    this.passage = passage;
    this.unit = unit;
    this.index = index;
    this.own = own;
    this.around = around;
    this.estimate = estimate;
    this.#read = read;
  }

  get features(): Features {
    this.#features ??= this.#read(this.index);
    return this.#features;
  }
}

/**
 * A linear estimate of the learned score, by tools/training/units/learn-estimate.ts: of 74 units, the 24 with the highest estimate
 * include the one with the highest score for 200 of 200 questions, and hold 98.6 % of the probability.
 */
function estimateOf(wide: number, localWide: number, likelyWide: number, rank: number, score: number): number {
  return 3.06 * wide + 2.27 * localWide + 0.179 * likelyWide + 1.56 / (1 + rank) + 7.54 * score - 9;
}

/** The input of the ranking models: the features and the kind of question, one-hot. */
export function toVector(features: Features, question: AnalysedQuestion): number[] {
  const vector: number[] = Object.values(features);
  for (const kind of questionKinds) vector.push(kind === question.kind ? 1 : 0);
  return vector;
}

interface QuestionContext {
  readonly question: AnalysedQuestion;
  readonly matcher: TermMatcher;
  readonly readCues: ReadCues;
  readonly readAnswerType: (unit: ReadUnit, matches: WordMatches) => AnswerTypeFeatures;
  readonly measureProximity: MeasureProximity;
  /** Strengths of no words at all. */
  readonly nothing: Strengths;
}

/** The features that all units of a passage share. */
function passageFeatures(
  { matcher }: QuestionContext,
  comparison: Comparison,
  { source, passage, head, whole }: WidePassage,
  rank: number,
) {
  const { weights, cover, coverLocal, best, sorted, nameTerms, digitTerms } = comparison;
  const inPassage = cover(whole);
  const likelyPage = comparison.pages[rank]!;
  const nextScore = comparison.scores[rank + 1] ?? source.score;
  return {
    inPassage,
    passageGap: inPassage - best.coverWhole,
    missingInPassage: heaviestMissing(weights, whole),
    namesInPassage: shareFound(nameTerms, whole),
    digitsLost: digitTerms.length === 0 ? 0 : 1 - shareFound(digitTerms, whole),
    titleAsked: shareOfTitleAsked(passage, matcher),
    inTitle: cover(head),
    score: source.score / comparison.topScore,
    scoreGap: (source.score - nextScore) / comparison.topScore,
    titleShare: comparison.titles.get(source.title)! / comparison.scores.length,
    likelyPage: likelyPage / 10,
    pageGap: (likelyPage - best.page) / 10,
    pagePlace: reciprocalRank(sorted.pages, likelyPage),
    surprisePassage: comparison.surprisePage(whole) / 5,
    localPassage: coverLocal(whole),
  };
}

interface UnitPosition {
  readonly matched: WidePassage;
  /** Index of the passage in the evidence. */
  readonly rank: number;
  readonly index: number;
  readonly ofPassage: PassageContext;
}

/** What the units of a passage share. */
interface PassageContext {
  readonly shared: ReturnType<typeof passageFeatures>;
  /** By unit: strengths of the unit and its neighbours. */
  readonly neighbourhoods: readonly Strengths[];
}

function featuresOf(
  { question, matcher, readCues, readAnswerType, measureProximity, nothing }: QuestionContext,
  comparison: Comparison,
  { matched, rank, index, ofPassage: { shared: ofPassage, neighbourhoods } }: UnitPosition,
) {
  const { units } = matched;
  const { unit, own, around, wide } = units[index]!;
  const { weights, cover, coverLocal, best, sorted, nameTerms, digitTerms } = comparison;
  const before = units[index - 1]?.own ?? nothing;
  const after = units[index + 1]?.own ?? nothing;
  const { localWide, likely } = comparison.byUnit[rank]![index]!;
  const neighbourhood = neighbourhoods[index]!;
  const matches = matcher.matchWords(unit.words);
  const found = readAnswerType(unit, matches);
  const order = measureProximity(unit, matches);
  const cues = readCues(unit, own, matches);
  const inUnit = cover(own);
  const withTitle = cover(own, around);
  // In the order of the trained weights; a spread would make the object slower to create and to read.
  return {
    inUnit,
    withTitle,
    withBefore: cover(own, around, scaled(before, 0.7)),
    withNeighbours: cover(own, around, before, after),
    inPassage: ofPassage.inPassage,
    local: coverLocal(own),
    localGap: coverLocal(own) - best.coverLocal,
    unitGap: inUnit - best.cover,
    withTitleGap: withTitle - best.coverAround,
    passageGap: ofPassage.passageGap,
    place: reciprocalRank(sorted.cover, inUnit),
    missing: heaviestMissing(weights, own, around),
    missingInPassage: ofPassage.missingInPassage,
    pairs: order.pairs,
    density: order.density,
    inOrder: order.inOrder,
    names: shareFound(nameTerms, own),
    namesWithTitle: shareFound(nameTerms, own, around),
    namesInPassage: ofPassage.namesInPassage,
    digits: shareFound(digitTerms, own),
    digitsLost: ofPassage.digitsLost,
    titleAsked: ofPassage.titleAsked,
    inTitle: ofPassage.inTitle,
    offers: found.some,
    offersNear: found.near,
    focus: found.focus,
    novel: found.novel,
    rank: 1 / (1 + rank),
    score: ofPassage.score,
    scoreGap: ofPassage.scoreGap,
    titleShare: ofPassage.titleShare,
    first: index === 0 ? 1 : 0,
    position: index / Math.max(1, units.length),
    length: Math.log(1 + unit.words.length) / 4,
    dependsOnContext: unit.dependsOnContext ? 1 : 0,
    before: cover(before),
    after: cover(after),
    listed: unit.kind === 'sentence' ? 0 : 1,
    open: unit.text.endsWith('?') || unit.text.endsWith(':') ? 1 : 0,
    terms: Math.min(1, question.terms.length / 12),
    likely: likely.own / 10,
    likelyGap: (likely.own - best.own) / 10,
    near: likely.near / 10,
    nearGap: (likely.near - best.near) / 10,
    nearPlace: reciprocalRank(sorted.near, likely.near),
    likelyPage: ofPassage.likelyPage,
    pageGap: ofPassage.pageGap,
    pagePlace: ofPassage.pagePlace,
    surprise: comparison.surpriseOwn(own) / 5,
    surpriseNear: comparison.surprisePage(own, around, before) / 5,
    surprisePassage: ofPassage.surprisePassage,
    localContext: coverLocal(neighbourhood, around),
    localWithTitle: coverLocal(own, around),
    localPassage: ofPassage.localPassage,
    close: order.close,
    words: Math.min(1, unit.words.length / 60),
    wide: cover(wide),
    localWide,
    likelyWide: likely.wide / 10,
    wideGap: (likely.wide - best.wide) / 10,
    typed: cues.typed,
    typedNear: cues.typedNear,
    typedAmong: cues.typedAmong,
    clause: cues.clause,
    clauseTyped: cues.clauseTyped,
    defines: cues.defines,
    calls: cues.calls,
    otherYear: cues.otherYear,
    phrases: cues.phrases,
    rarest: cues.rarest,
    second: cues.second,
    last: cues.last,
    focusTerm: cues.focusTerm,
  };
}

/** The share of the title's words that match the question; 1 where its initials do. */
function shareOfTitleAsked({ titleStems, titleInitials }: ReadPassage, matcher: TermMatcher): number {
  const isAsked = (stem: string) => matcher.match(stem) !== undefined;
  return titleInitials.some(isAsked) ? 1 : share(titleStems, isAsked);
}

function share<T>(items: readonly T[], test: (item: T) => boolean): number {
  return items.length === 0 ? 0 : items.filter(test).length / items.length;
}

/** 1 for the highest value of `sorted`, 1/2 for the second highest and so on. */
function reciprocalRank(sorted: Float32Array, value: number): number {
  let above = 0;
  for (let i = sorted.length - 1; i >= 0 && sorted[i]! > value + 1e-6; i -= 1) above += 1;
  return 1 / (1 + above);
}
