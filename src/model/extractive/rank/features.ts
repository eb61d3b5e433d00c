/**
 * What is known of a unit as an answer to a question, as numbers: how much of the question it and its surroundings say,
 * how close together, whether it holds the kind of thing that was asked for, and where it stands. The order of the
 * numbers is fixed: the weights were learned for it.
 */

import { coverage, likelihood, mergeInto, missing, part, scaled, spread, surprise } from '../match/coverage.ts';
import { type MatchedPassage, type MatchedUnit, matchPassage } from '../match/match-passage.ts';
import { createMatcher, type Matcher, type Strengths } from '../match/term-matcher.ts';
import { orderOf } from '../match/term-proximity.ts';
import { kinds, type Question } from '../question/analyse.ts';
import type { ReadPassage, ReadUnit, Source } from '../text/passages.ts';
import { type ReadSigns, signReader } from './answer-signs.ts';
import { candidatesIn } from './answer-type-features.ts';

export interface Candidate {
  readonly source: Source;
  readonly passage: ReadPassage;
  readonly unit: ReadUnit;
  /** Its place in the passage. */
  readonly index: number;
  /** Strength of each term of the question in the unit itself, and in its page's title and headings. */
  readonly own: Strengths;
  readonly around: Strengths;
  readonly features: Features;
}

export type Features = ReturnType<typeof featuresOf>;

interface WideUnit extends MatchedUnit {
  /** With words that mean nearly the same. */
  readonly wide: Strengths;
}

type WidePassage = MatchedPassage<WideUnit>;

export function readCandidates(question: Question, sources: readonly Source[]): Candidate[] {
  const matcher = createMatcher(question);
  const passages = sources.map((source) => matchWidely(source, matcher));
  const asked = { question, matcher, readSigns: signReader(question, matcher) };
  const field = compareAll(question, passages);
  return passages.flatMap((matched, rank) => {
    const { source, passage, units } = matched;
    const contexts = spread(units.map(({ own }) => own));
    return units.map(({ unit, own, around }, index) => {
      const features = featuresOf(asked, field, { matched, rank, index, context: contexts[index]! });
      return { source, passage, unit, index, own, around, features };
    });
  });
}

/** The features as the network takes them. */
export function toVector(features: Features, question: Question): number[] {
  const vector: number[] = Object.values(features);
  for (const kind of kinds) vector.push(kind === question.kind ? 1 : 0);
  return vector;
}

function matchWidely(source: Source, matcher: Matcher): WidePassage {
  const matched = matchPassage(source, matcher);
  const units = matched.units.map((each) => ({ ...each, wide: matcher.readRelated(each.unit.stems, each.own) }));
  return { ...matched, units };
}

type Field = ReturnType<typeof compareAll>;

/** What can only be said of all units together: which words are rare among them, and how good the best one is. */
function compareAll(question: Question, passages: readonly WidePassage[]) {
  const all = passages.flatMap(({ units }) => units);
  const own = all.map((unit) => unit.own);
  const expectOwn = question.terms.map((term) => term.expectOwn);
  const expectPage = question.terms.map((term) => term.expectPage);
  const weights = question.terms.map(({ weight }) => weight);
  const localWeights = weights.map((weight, term) => {
    const count = own.filter((strengths) => strengths[term]! > 0).length;
    return weight * (Math.log((all.length + 1) / (count + 0.5)) / Math.log(all.length + 2) + 0.1);
  });
  const cover = coverage(weights);
  const coverLocal = coverage(localWeights);

  const likelyOwn = likelihood(expectOwn, own);
  const likelyNear = likelihood(
    expectPage,
    all.map((unit) => mergeInto(unit.own.slice(), unit.around)),
  );
  const likelyWide = likelihood(
    expectPage,
    all.map(({ wide }) => wide),
  );
  const likelyPage = likelihood(
    expectPage,
    passages.map(({ whole }) => whole),
  );
  // By passage, then by unit.
  const byUnit = passages.map(({ units }) =>
    units.map((unit, i) => ({
      own: likelyOwn(unit.own),
      near: likelyNear(unit.own, unit.around, units[i - 1]?.own ?? unit.own),
      wide: likelyWide(unit.wide, unit.around, scaled(units[i - 1]?.own ?? unit.wide, 0.7)),
    })),
  );
  const flat = byUnit.flat();
  const pages = passages.map(({ whole }) => likelyPage(whole));
  const covers = own.map((strengths) => cover(strengths));
  const titles = new Map<string, number>();
  for (const { source } of passages) titles.set(source.title, (titles.get(source.title) ?? 0) + 1);
  return {
    weights,
    cover,
    coverLocal,
    surpriseOwn: surprise(expectOwn),
    surprisePage: surprise(expectPage),
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

interface Asked {
  readonly question: Question;
  readonly matcher: Matcher;
  readonly readSigns: ReadSigns;
}

interface Place {
  readonly matched: WidePassage;
  readonly rank: number;
  readonly index: number;
  readonly context: Strengths;
}

function featuresOf({ question, matcher, readSigns }: Asked, field: Field, { matched, rank, index, context }: Place) {
  const { source, passage, head, whole, units } = matched;
  const { unit, own, around, wide } = units[index]!;
  const { weights, cover, coverLocal, best, sorted, nameTerms, digitTerms } = field;
  const nothing = new Float32Array(own.length);
  const before = units[index - 1]?.own ?? nothing;
  const after = units[index + 1]?.own ?? nothing;
  const likely = field.byUnit[rank]![index]!;
  const likelyPage = field.pages[rank]!;
  const found = candidatesIn(unit, question, matcher);
  const order = orderOf(unit, question, matcher);
  const inUnit = cover(own);
  const withTitle = cover(own, around);
  const nextScore = field.scores[rank + 1] ?? source.score;
  return {
    inUnit,
    withTitle,
    withBefore: cover(own, around, scaled(before, 0.7)),
    withNeighbours: cover(own, around, before, after),
    inPassage: cover(whole),
    local: coverLocal(own),
    localBehind: coverLocal(own) - best.coverLocal,
    behind: inUnit - best.cover,
    withTitleBehind: withTitle - best.coverAround,
    passageBehind: cover(whole) - best.coverWhole,
    place: rankIn(sorted.cover, inUnit),
    missing: missing(weights, own, around),
    missingInPassage: missing(weights, whole),
    pairs: order.pairs,
    density: order.density,
    inOrder: order.inOrder,
    names: part(nameTerms, own),
    namesWithTitle: part(nameTerms, own, around),
    namesInPassage: part(nameTerms, whole),
    digits: part(digitTerms, own),
    digitsLost: digitTerms.length === 0 ? 0 : 1 - part(digitTerms, whole),
    titleAsked: titleAsked(passage, matcher),
    inTitle: cover(head),
    offers: found.some,
    offersNear: found.near,
    focus: found.focus,
    novel: found.novel,
    rank: 1 / (1 + rank),
    score: source.score / field.topScore,
    scoreGap: (source.score - nextScore) / field.topScore,
    titleShare: field.titles.get(source.title)! / field.scores.length,
    first: index === 0 ? 1 : 0,
    position: index / Math.max(1, units.length),
    length: Math.log(1 + unit.words.length) / 4,
    leans: unit.leans ? 1 : 0,
    before: cover(before),
    after: cover(after),
    listed: unit.kind === 'sentence' ? 0 : 1,
    open: unit.text.endsWith('?') || unit.text.endsWith(':') ? 1 : 0,
    terms: Math.min(1, question.terms.length / 12),
    likely: likely.own / 10,
    likelyBehind: (likely.own - best.own) / 10,
    near: likely.near / 10,
    nearBehind: (likely.near - best.near) / 10,
    nearPlace: rankIn(sorted.near, likely.near),
    likelyPage: likelyPage / 10,
    pageBehind: (likelyPage - best.page) / 10,
    pagePlace: rankIn(sorted.pages, likelyPage),
    surprise: field.surpriseOwn(own) / 5,
    surpriseNear: field.surprisePage(own, around, before) / 5,
    surprisePassage: field.surprisePage(whole) / 5,
    localContext: coverLocal(context, around),
    localWithTitle: coverLocal(own, around),
    localPassage: coverLocal(whole),
    close: order.close,
    words: Math.min(1, unit.words.length / 60),
    wide: cover(wide),
    localWide: coverLocal(wide, around),
    likelyWide: likely.wide / 10,
    wideBehind: (likely.wide - best.wide) / 10,
    ...readSigns(unit, own),
  };
}

/** The share of the title's words that are asked for; 1 where its initials are. */
function titleAsked({ titleStems, titleInitials }: ReadPassage, matcher: Matcher): number {
  const isAsked = (stem: string) => matcher.meet(stem) !== undefined;
  return titleInitials.some(isAsked) ? 1 : share(titleStems, isAsked);
}

function share<T>(items: readonly T[], test: (item: T) => boolean): number {
  return items.length === 0 ? 0 : items.filter(test).length / items.length;
}

/** 1 for the best of `sorted`, 1/2 for the next … */
function rankIn(sorted: Float32Array, value: number): number {
  let above = 0;
  for (let i = sorted.length - 1; i >= 0 && sorted[i]! > value + 1e-6; i -= 1) above += 1;
  return 1 / (1 + above);
}
