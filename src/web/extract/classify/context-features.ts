/**
 * Features of a block's context for the second forest: the first forest's estimates for the blocks around it. A block between
 * two paragraphs of an article is likelier to belong to it, posts of one thread are rated alike, and the confidence over the
 * whole page shows how to judge an uncertain block. Names and order are part of the model; they and the constants were chosen by
 * hand.
 */
import type { Block } from '../html/blocks.ts';
import type { HtmlElement } from '../html/html-tree.ts';
import { headingLevel } from '../html/markdown.ts';
import { createSignatureReader } from '../html/structural-signature.ts';
import { bestPrefix, expectedWords, probability, type Weighed } from './expected-f1.ts';

const sides = [-3, -2, -1, 1, 2, 3] as const;
const windows = [5, 15, 40] as const;
/** How many elements from a block upwards must have the same structure for two blocks to count as alike. */
const likenesses = [2, 3, 5, 8] as const;
const levels = 6;
/** The log-odds of a neighbour that does not exist. */
const missing = -9;

export const contextFeatureNames: readonly string[] = [
  'odds',
  'odds_over_cut',
  'odds_below_top',
  'odds_rank',
  'sure_f1',
  'sure_cut',
  'sure_top',
  'sure_share',
  'sure_words',
  'sure_kept',
  ...sides.map((at) => `side${at}_odds`),
  ...windows.flatMap((size) => [`before${size}_odds`, `after${size}_odds`]),
  'expected_before',
  'expected_after',
  'words_before',
  'from_first_kept',
  'from_last_kept',
  ...likenesses.flatMap((up) => ['mean', 'count', 'share', 'apart'].map((name) => `alike${up}_${name}`)),
  ...Array.from({ length: levels }, (_, k) =>
    ['mean', 'expected', 'share', 'top'].map((n) => `up${k + 1}_${n}`),
  ).flat(),
  'section_odds',
  'heading_odds',
  'heading_distance',
  'twin_odds',
];

/** A row for each block, in the order of `contextFeatureNames`. */
export function contextFeaturesOf(weighed: readonly Weighed[]): number[][] {
  const page = confidenceOf(weighed);
  const sums = runningSums(weighed);
  const signatureOf = createSignatureReader();
  const alike = likenesses.map((up) => groupBy(weighed, ({ block }) => signatureOf(block, up)));
  const around = ancestorsOf(weighed);
  const sections = sectionsOf(weighed);
  const twins = groupBy(weighed, ({ block }) => block.text.slice(0, 200).toLowerCase());
  const firstKept = weighed.findIndex(({ logOdds, words }) => logOdds >= page.cut && words > 5);
  const lastKept = weighed.findLastIndex(({ logOdds, words }) => logOdds >= page.cut && words > 5);
  return weighed.map((each, at) => {
    const { logOdds } = each;
    const row = [logOdds, logOdds - page.cut, logOdds - page.top, page.ranks[at]!];
    row.push(page.f1, page.cut, page.top, page.expected / page.words, Math.log1p(page.expected), page.keptShare);
    for (const step of sides) row.push(weighed[at + step]?.logOdds ?? missing);
    for (const size of windows) row.push(sums.mean(at - size, at), sums.mean(at + 1, at + 1 + size));
    row.push(...sums.shares(at), at - firstKept, lastKept - at);
    for (const groups of alike) row.push(...likenessOf(each, groups[at]!, page));
    row.push(...levelsOf(around(each.block), page));
    row.push(...sections[at]!, twins[at]!.top - logOdds);
    return row;
  });
}

interface Confidence {
  readonly f1: number;
  /** The log-odds of the last block kept, and of the likeliest one. */
  readonly cut: number;
  readonly top: number;
  readonly words: number;
  readonly expected: number;
  readonly keptShare: number;
  /** For each block, the share of the page's words in it and in likelier blocks. */
  readonly ranks: Float64Array;
}

function confidenceOf(weighed: readonly Weighed[]): Confidence {
  const { order, count, f1, words: kept } = bestPrefix(weighed);
  const words = weighed.reduce((sum, each) => sum + each.words, 0) || 1;
  const ranks = new Float64Array(weighed.length);
  let sum = 0;
  for (const index of order) {
    sum += weighed[index]!.words;
    ranks[index] = sum / words;
  }
  return {
    f1,
    cut: count === 0 ? 0 : weighed[order[count - 1]!]!.logOdds,
    top: order.length === 0 ? 0 : weighed[order[0]!]!.logOdds,
    words,
    expected: expectedWords(weighed),
    keptShare: kept / words,
    ranks,
  };
}

/** Longer blocks weigh more, but less than in proportion to their length. */
function weightOf({ words }: Weighed): number {
  return Math.sqrt(words + 0.3);
}

function runningSums(weighed: readonly Weighed[]) {
  const odds = [0];
  const weights = [0];
  const expected = [0];
  const words = [0];
  for (const each of weighed) {
    odds.push(odds.at(-1)! + each.logOdds * weightOf(each));
    weights.push(weights.at(-1)! + weightOf(each));
    expected.push(expected.at(-1)! + each.words * probability(each.logOdds));
    words.push(words.at(-1)! + each.words);
  }
  const allExpected = expected.at(-1)! || 1;
  const allWords = words.at(-1)! || 1;
  return {
    mean(from: number, to: number): number {
      const start = Math.max(0, from);
      const end = Math.min(weighed.length, to);
      return start < end ? (odds[end]! - odds[start]!) / (weights[end]! - weights[start]!) : missing;
    },
    shares: (at: number) => [expected[at]! / allExpected, 1 - expected[at + 1]! / allExpected, words[at]! / allWords],
  };
}

interface Group {
  odds: number;
  weight: number;
  count: number;
  words: number;
  expected: number;
  top: number;
}

const emptyGroup = (): Group => ({
  odds: 0,
  weight: 0,
  count: 0,
  words: 0,
  expected: 0,
  top: Number.NEGATIVE_INFINITY,
});

function addTo(group: Group, each: Weighed): void {
  group.odds += each.logOdds * weightOf(each);
  group.weight += weightOf(each);
  group.count += 1;
  group.words += each.words;
  group.expected += each.words * probability(each.logOdds);
  group.top = Math.max(group.top, each.logOdds);
}

/** For each block the group it is in. */
function groupBy(weighed: readonly Weighed[], keyOf: (each: Weighed) => string): Group[] {
  const groups = new Map<string, Group>();
  return weighed.map((each) => {
    const key = keyOf(each);
    const group = groups.get(key) ?? emptyGroup();
    groups.set(key, group);
    addTo(group, each);
    return group;
  });
}

function likenessOf(each: Weighed, { odds, weight, count, words }: Group, page: Confidence): number[] {
  const own = weightOf(each);
  const others = weight - own;
  const apart = count > 1 ? each.logOdds - (odds - each.logOdds * own) / others : 0;
  return [odds / weight, Math.log1p(count), words / page.words, apart];
}

/** The groups of a block's ancestors from its element upwards, skipping those with the same blocks as the one below. */
function ancestorsOf(weighed: readonly Weighed[]): (block: Block) => Group[] {
  const groups = new Map<HtmlElement, Group>();
  for (const each of weighed) {
    for (let at: HtmlElement | undefined = each.block.element; at !== undefined; at = at.parent) {
      const group = groups.get(at) ?? emptyGroup();
      groups.set(at, group);
      addTo(group, each);
    }
  }
  return ({ element }) => {
    const found: Group[] = [];
    for (let at: HtmlElement | undefined = element; at !== undefined && found.length < levels; at = at.parent) {
      const group = groups.get(at)!;
      if (group.count !== found.at(-1)?.count) found.push(group);
    }
    return found;
  };
}

function levelsOf(groups: readonly Group[], page: Confidence): number[] {
  const row: number[] = [];
  for (let up = 0; up < levels; up += 1) {
    const group = groups[up];
    if (group === undefined) row.push(missing, 2, 2, missing);
    else
      row.push(group.odds / group.weight, group.expected / (page.expected || 1), group.words / page.words, group.top);
  }
  return row;
}

/** For each block: the mean log-odds of its section (from one heading to the next), the log-odds of its heading, and its distance. */
function sectionsOf(weighed: readonly Weighed[]): number[][] {
  const headings: number[] = [];
  let above = -1;
  for (const [at, { block }] of weighed.entries()) {
    if (headingLevel(block.element) > 0) above = at;
    headings.push(above);
  }
  const groups = groupBy(weighed, (each) => String(headings[each.block.index]));
  return weighed.map((_, at) => {
    const { odds, weight } = groups[at]!;
    const heading = headings[at]! === at ? (headings[at - 1] ?? -1) : headings[at]!;
    return [odds / weight, heading < 0 ? missing : weighed[heading]!.logOdds, heading < 0 ? missing : at - heading];
  });
}
