/**
 * What is known of a unit as an answer to a question, as numbers: how much of the question it and its surroundings say,
 * how close together, whether it holds the kind of thing that was asked for, and where it stands. The order is fixed:
 * the weights were learned for it.
 */
import { kinds, type Question, stopStems, weightOf } from './analyse.ts';
import { candidatesIn } from './candidates.ts';
import { createMatcher, type Strengths, stemsOf } from './matches.ts';
import { type ReadPassage, type ReadUnit, readPassage, type Source } from './passages.ts';

export interface Candidate {
  readonly source: Source;
  readonly passage: ReadPassage;
  /** Index of the source in the evidence. */
  readonly rank: number;
  readonly unit: ReadUnit;
  readonly index: number;
  /** Strength of each term of the question in the unit itself, and in its page's title and headings. */
  readonly own: Strengths;
  readonly around: Strengths;
  readonly features: Float32Array;
}

/** How much of a neighbour's words a unit is credited with. */
const fading = 0.6;

export const featureCount = 60 + kinds.length;

export function readCandidates(question: Question, sources: readonly Source[]): Candidate[] {
  const matcher = createMatcher(question);
  const termCount = question.terms.length;
  const passages = sources.map((source) => {
    const passage = readPassage(source);
    const head = matcher.read(passage.titleStems);
    const headings = mergeInto(matcher.read(passage.headingStems), head);
    const units = passage.units.map((unit) => {
      const own = matcher.read(stemsOf(unit.words));
      const around = unit.section === '' ? headings : mergeInto(matcher.read(unit.sectionStems), headings);
      return { unit, own, around, wide: matcher.readRelated(stemsOf(unit.words), own) };
    });
    const whole = Float32Array.from(headings);
    for (const { own } of units) mergeInto(whole, own);
    return { source, passage, head, units, whole };
  });

  const allUnits = passages.flatMap((passage) => passage.units);
  const weights = question.terms.map((term) => term.weight);
  const localWeights = weights.map((weight, term) => {
    let df = 0;
    for (const { own } of allUnits) df += own[term]! > 0 ? 1 : 0;
    return weight * (Math.log((allUnits.length + 1) / (df + 0.5)) / Math.log(allUnits.length + 2) + 0.1);
  });
  const unitLikelihood = likelihood(
    question.terms.map((term) => term.expectOwn),
    allUnits.map(({ own }) => own),
  );
  const nearLikelihood = likelihood(
    question.terms.map((term) => term.expectPage),
    allUnits.map(({ own, around }) => mergeInto(Float32Array.from(own), around)),
  );
  const pageLikelihood = likelihood(
    question.terms.map((term) => term.expectPage),
    passages.map(({ whole }) => whole),
  );
  const likelyUnits = allUnits.map(({ own }) => unitLikelihood(own));
  const likelyNear = passages.flatMap(({ units }) =>
    units.map(({ own, around }, i) => nearLikelihood(own, around, units[i - 1]?.own ?? own)),
  );
  const likelyPages = passages.map(({ whole }) => pageLikelihood(whole));
  const wideLikelihood = likelihood(
    question.terms.map((term) => term.expectPage),
    allUnits.map(({ wide }) => wide),
  );
  const likelyWide = passages.flatMap(({ units }) =>
    units.map(({ wide, around }, i) => wideLikelihood(wide, around, scaled(units[i - 1]?.own ?? wide, 0.7))),
  );
  const bestWide = Math.max(...likelyWide);
  const bestUnit = Math.max(...likelyUnits);
  const bestNear = Math.max(...likelyNear);
  const bestPage = Math.max(...likelyPages);
  const sortedNear = Float32Array.from(likelyNear).sort();
  const sortedPages = Float32Array.from(likelyPages).sort();
  const surpriseOwn = surprise(question.terms.map((term) => term.expectOwn));
  const surprisePage = surprise(question.terms.map((term) => term.expectPage));
  let unitNumber = -1;
  const cover = coverage(weights);
  const coverLocal = coverage(localWeights);
  const unitCover = allUnits.map(({ own }) => cover(own));
  const bestCover = Math.max(0, ...unitCover);
  const bestAround = Math.max(0, ...allUnits.map(({ own, around }) => cover(own, around)));
  const bestLocal = Math.max(0, ...allUnits.map(({ own }) => coverLocal(own)));
  const wholeCover = passages.map(({ whole }) => cover(whole));
  const bestWhole = Math.max(0, ...wholeCover);
  const sortedCover = Float32Array.from(unitCover).sort();
  const topScore = Math.max(1e-6, ...sources.map((source) => source.score));
  const titles = new Map<string, number>();
  for (const source of sources) titles.set(source.title, (titles.get(source.title) ?? 0) + 1);
  const nameTerms = question.terms.flatMap((term, i) => (term.name ? [i] : []));
  const digitTerms = question.terms.flatMap((term, i) => (term.digits ? [i] : []));
  const kindHot = kinds.map((kind) => (kind === question.kind ? 1 : 0));
  const empty = new Float32Array(termCount);

  const candidates: Candidate[] = [];
  passages.forEach(({ source, passage, head, units, whole }, rank) => {
    const titleShare = share(passage.titleStems, (stem) => matcher.meet(stem) !== undefined);
    const contexts = spread(units.map(({ own }) => own));
    const next = passages[rank + 1]?.source.score ?? source.score;
    units.forEach(({ unit, own, around, wide }, index) => {
      const before = units[index - 1]?.own ?? empty;
      const after = units[index + 1]?.own ?? empty;
      unitNumber += 1;
      const likelyUnit = likelyUnits[unitNumber]!;
      const near = likelyNear[unitNumber]!;
      const inUnit = cover(own);
      const withTitle = cover(own, around);
      const found = candidatesIn(unit, question, matcher);
      const order = orderOf(unit, question, matcher);
      const features = Float32Array.of(
        inUnit,
        withTitle,
        cover(own, around, scaled(before, 0.7)),
        cover(own, around, before, after),
        cover(whole),
        coverLocal(own),
        coverLocal(own) - bestLocal,
        inUnit - bestCover,
        withTitle - bestAround,
        cover(whole) - bestWhole,
        rankIn(sortedCover, inUnit),
        missing(weights, own, around),
        missing(weights, whole),
        order.pairs,
        order.density,
        order.inOrder,
        part(nameTerms, own),
        part(nameTerms, own, around),
        part(nameTerms, whole),
        part(digitTerms, own),
        digitTerms.length === 0 ? 0 : 1 - part(digitTerms, whole),
        titleShare,
        cover(head),
        found.some,
        found.near,
        found.focus,
        found.novel,
        1 / (1 + rank),
        source.score / topScore,
        (source.score - next) / topScore,
        titles.get(source.title)! / sources.length,
        index === 0 ? 1 : 0,
        index / Math.max(1, units.length),
        Math.log(1 + unit.words.length) / 4,
        unit.leans ? 1 : 0,
        cover(before),
        cover(after),
        unit.kind === 'sentence' ? 0 : 1,
        unit.text.endsWith('?') || unit.text.endsWith(':') ? 1 : 0,
        Math.min(1, termCount / 12),
        likelyUnit / 10,
        (likelyUnit - bestUnit) / 10,
        near / 10,
        (near - bestNear) / 10,
        rankIn(sortedNear, near),
        likelyPages[rank]! / 10,
        (likelyPages[rank]! - bestPage) / 10,
        rankIn(sortedPages, likelyPages[rank]!),
        surpriseOwn(own) / 5,
        surprisePage(own, around, before) / 5,
        surprisePage(whole) / 5,
        coverLocal(contexts[index]!, around),
        coverLocal(own, around),
        coverLocal(whole),
        order.close,
        Math.min(1, unit.words.length / 60),
        cover(wide),
        coverLocal(wide, around),
        likelyWide[unitNumber]! / 10,
        (likelyWide[unitNumber]! - bestWide) / 10,
        ...kindHot,
      );
      candidates.push({ source, passage, rank, unit, index, own, around, features });
    });
  });
  return candidates;
}

/** The share of the question's weight that any of the strengths has. */
export function coverage(weights: readonly number[]): (...strengths: Strengths[]) => number {
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  return (...strengths) => {
    let sum = 0;
    for (let term = 0; term < weights.length; term += 1) {
      let best = 0;
      for (const strength of strengths) if (strength[term]! > best) best = strength[term]!;
      sum += best * weights[term]!;
    }
    return sum / total;
  };
}

/**
 * Log likelihood ratio of a text with these words being the one that was asked for, against being any of `texts`; a
 * word of the question counts by how likely it was to be there and how rare it is among them.
 */
function likelihood(expected: readonly number[], texts: readonly Strengths[]): (...strengths: Strengths[]) => number {
  const ratios = expected.map((expect, term) => {
    let count = 0;
    for (const text of texts) if (text[term]! > 0) count += 1;
    const usual = Math.min(0.95, (count + 0.3) / (texts.length + 1));
    return [Math.log(Math.max(expect, usual) / usual), Math.log((1 - Math.max(expect, usual)) / (1 - usual))] as const;
  });
  return (...strengths) => {
    let sum = 0;
    ratios.forEach(([there, missing], term) => {
      let best = 0;
      for (const strength of strengths) if (strength[term]! > best) best = strength[term]!;
      sum += best * there + (1 - best) * missing;
    });
    return sum;
  };
}

/** How surprising it is, in nats, that the missing words are missing. */
export function surprise(expected: readonly number[]): (...strengths: Strengths[]) => number {
  return (...strengths) =>
    expected.reduce(
      (sum, expect, term) => sum + (strengths.some((strength) => strength[term]! > 0) ? 0 : -Math.log(1 - expect)),
      0,
    );
}

/** The weight of the most telling word that none of the strengths has. */
function missing(weights: readonly number[], ...strengths: Strengths[]): number {
  let most = 0;
  for (let term = 0; term < weights.length; term += 1) {
    if (weights[term]! > most && strengths.every((strength) => strength[term] === 0)) most = weights[term]!;
  }
  return most;
}

function part(terms: readonly number[], ...strengths: Strengths[]): number {
  if (terms.length === 0) return 0.5;
  return terms.filter((term) => strengths.some((strength) => strength[term]! > 0)).length / terms.length;
}

function share<T>(items: readonly T[], test: (item: T) => boolean): number {
  return items.length === 0 ? 0 : items.filter(test).length / items.length;
}

function mergeInto(target: Strengths, more: Strengths): Strengths {
  for (let term = 0; term < target.length; term += 1) if (more[term]! > target[term]!) target[term] = more[term]!;
  return target;
}

/** Each unit's strengths with those of the units around it, fading with their distance. */
function spread(units: readonly Strengths[]): Strengths[] {
  const contexts = units.map((own) => Float32Array.from(own));
  for (let i = 1; i < contexts.length; i += 1) mergeInto(contexts[i]!, scaled(contexts[i - 1]!, fading));
  for (let i = contexts.length - 2; i >= 0; i -= 1) mergeInto(contexts[i]!, scaled(contexts[i + 1]!, fading));
  return contexts;
}

function scaled(strengths: Strengths, by: number): Strengths {
  return strengths.map((strength) => strength * by);
}

function rankIn(sorted: Float32Array, value: number): number {
  let above = 0;
  for (let i = sorted.length - 1; i >= 0 && sorted[i]! > value + 1e-6; i -= 1) above += 1;
  return 1 / (1 + above);
}

/** Pairs of neighbours kept, matched words for each word of the stretch that holds them, and matches in the question's order. */
function orderOf(unit: ReadUnit, question: Question, matcher: ReturnType<typeof createMatcher>) {
  let pairs = 0;
  let first = -1;
  let last = -1;
  let inOrder = 0;
  let previous = -1;
  let weight = 0;
  const seen = new Set<number>();
  let close = 0;
  let closeMost = 0;
  const lastAt = new Map<number, number>();
  for (let i = 0; i < unit.words.length; i += 1) {
    const stem = unit.words[i]!.stem;
    if (i > 0 && question.pairs.has(`${unit.words[i - 1]!.stem} ${stem}`)) pairs += 1;
    if (stopStems.has(stem)) continue;
    const met = matcher.meet(stem);
    if (met === undefined) continue;
    if (first === -1) first = i;
    last = i;
    if (!seen.has(met.term)) weight += weightOf(stem);
    seen.add(met.term);
    lastAt.set(met.term, i);
    for (const neighbour of [met.term - 1, met.term + 1]) {
      const at = lastAt.get(neighbour);
      if (at !== undefined && i - at <= 6)
        close += Math.min(weightOf(stem), question.terms[neighbour]!.weight) / Math.sqrt(i - at);
    }
    if (met.term > previous && previous !== -1) inOrder += 1;
    previous = met.term;
  }
  const most = Math.max(1, question.terms.length - 1);
  for (let term = 1; term < question.terms.length; term += 1)
    closeMost += Math.min(question.terms[term - 1]!.weight, question.terms[term]!.weight);
  return {
    pairs: Math.min(1, pairs / Math.max(1, question.pairs.size)),
    density: first === -1 ? 0 : weight / (last - first + 1),
    inOrder: Math.min(1, inOrder / most),
    close: Math.min(1, close / Math.max(0.3, closeMost)),
  };
}
