/**
 * Trains the model of the extraction from labelled pages: the lexicon, the words that tell kinds of pages, a first forest, and a
 * second one, the mean of three, that also sees the first one's scores of neighbouring blocks on pages it was not trained on. All
 * features are computed by the product's own code.
 */

import { type Model, minSecondPassLogOdds } from '../../src/web/extract/classify/classify-blocks.ts';
import { contextFeatureNames, contextFeaturesOf } from '../../src/web/extract/classify/context-features.ts';
import { featureNames, readPlainFeatures, readWordFeatures } from '../../src/web/extract/classify/features.ts';
import { labelWordReader } from '../../src/web/extract/classify/label-words.ts';
import { selfDescription } from '../../src/web/extract/classify/page-kinds.ts';
import { countWords } from '../../src/web/extract/extraction.ts';
import type { Block } from '../../src/web/extract/html/blocks.ts';
import type { Metadata } from '../../src/web/extract/metadata.ts';
import { beside, bin } from './bins.ts';
import { boost, boostOften } from './boost.ts';
import { learnKinds } from './extraction/learn-kinds.ts';
import { learnLexicon, type NamedExample } from './extraction/learn-lexicon.ts';

export interface LabelledPage {
  readonly host: string;
  /** One of `pageKinds`. */
  readonly type: string;
  readonly blocks: readonly Block[];
  readonly metadata: Metadata;
  /** For each block the share of its words that are content. */
  readonly labels: readonly number[];
}

const innerFolds = 3;
const forests = {
  first: { trees: 120, leaves: 24, rate: 0.12, leafWeight: 20, l2: 5, groupShare: 0.7, featureShare: 0.3 },
  second: { trees: 80, leaves: 12, rate: 0.1, leafWeight: 30, l2: 10, groupShare: 0.7, featureShare: 0.25 },
};

/** Second forests that are averaged: trained on a few hundred pages, each depends much on the pages it sampled. */
const draws = 3;
/** Words added to the length of every page when a block is weighted by its share of the page. Set by hand. */
const shortPage = 50;
/** Share of a page's words that a wrong decision adds to the content. Set by hand. */
const mistakable = 0.3;

/** Trains on these pages; the same pages in the same order with the same seed result in the same model. */
export function trainModel(pages: readonly LabelledPage[], seed: number): Model {
  const lexicon = learnLexicon(pages.flatMap(namedExamplesOf));
  const kinds = learnKinds(
    pages.map(({ host, type, blocks, metadata }) => ({ host, type, description: selfDescription(blocks, metadata) })),
  );
  const rows = pages.flatMap((page) => {
    const learned = { lexicon: lexicon.without(page.host), kinds: kinds.without(page.host) };
    const words = readWordFeatures(page.blocks, page.metadata, learned);
    return plainRowsOf(page).map((row, at) => Float64Array.from([...row, ...words(at)]));
  });
  const owners = Int32Array.from(pages.flatMap(({ blocks }, at) => blocks.map(() => at)));
  const examples = { labels: Float64Array.from(pages.flatMap(({ labels }) => labels)), groups: owners };
  const byRoot = { ...examples, weights: rootWeights(pages) };
  const all = Uint32Array.from(rows.keys());

  const firstBins = bin(featureNames.length, rows.length, (row, feature) => rows[row]![feature]!);
  const train = (which: Uint32Array, seedOf: number) =>
    boost(firstBins, byRoot, which, { ...forests.first, seed: seedOf });
  const first = train(all, seed).forest;

  const folds = foldsOf(
    pages.map(({ host }) => host),
    innerFolds,
  );
  const unseen = new Float64Array(rows.length);
  for (let fold = 0; fold < innerFolds; fold += 1) {
    const isOut = (row: number) => folds[owners[row]!] === fold;
    const { scores } = train(
      all.filter((row) => !isOut(row)),
      seed + 1 + fold,
    );
    for (const row of all) if (isOut(row)) unseen[row] = scores[row]!;
  }

  const around = lookAround(pages, unseen);
  const aroundBins = bin(contextFeatureNames.length, rows.length, (row, feature) => around[row]![feature]!);
  const secondBins = beside(firstBins, aroundBins);
  const hopeful = all.filter((row) => unseen[row]! >= minSecondPassLogOdds);
  const even = { ...examples, weights: meanOf(byRoot.weights, f1Weights(pages)) };
  const second = boostOften(secondBins, even, hopeful, { ...forests.second, seed: seed + 9 }, draws);
  return {
    features: [...featureNames, ...contextFeatureNames],
    lexicon: lexicon.whole,
    kinds: kinds.whole,
    first,
    second,
  };
}

function namedExamplesOf({ host, blocks, labels }: LabelledPage): NamedExample[] {
  const words = labelWordReader(blocks);
  return blocks.map(({ element, text }, at) => {
    return { host, element, labels: words(at), words: countWords(text), label: labels[at]! };
  });
}

/** Computed once for all folds. */
const plainRows = new WeakMap<LabelledPage, readonly Float64Array[]>();

function plainRowsOf(page: LabelledPage): readonly Float64Array[] {
  let rows = plainRows.get(page);
  if (rows === undefined) {
    const read = readPlainFeatures(page.blocks, page.metadata);
    rows = page.blocks.map((_, at) => Float64Array.from(read(at)));
    plainRows.set(page, rows);
  }
  return rows;
}

/** The fold of each page: hosts, ordered by a hash of their name, are assigned in turn, so the same pages get the same folds. */
export function foldsOf(hosts: readonly string[], count: number): number[] {
  const order = [...new Set(hosts)].sort((a, b) => hashOf(a) - hashOf(b) || (a < b ? -1 : 1));
  const fold = new Map(order.map((host, at) => [host, at % count]));
  return hosts.map((host) => fold.get(host)!);
}

function lookAround(pages: readonly LabelledPage[], logOdds: Float64Array): number[][] {
  let start = 0;
  return pages.flatMap(({ blocks }) => {
    const weighed = blocks.map((block, at) => ({
      block,
      words: countWords(block.text),
      logOdds: logOdds[start + at]!,
    }));
    start += blocks.length;
    return contextFeaturesOf(weighed);
  });
}

/** A block has the square root of its words as its weight, divided by the root of the page's sum: long pages do not dominate. */
function rootWeights(pages: readonly LabelledPage[]): Float64Array {
  return normalised(
    pages.flatMap(({ blocks }) => {
      const raw = blocks.map(({ text }) => Math.sqrt(countWords(text) + 1));
      const scale = Math.sqrt(sumOf(raw));
      return raw.map((weight) => weight / scale);
    }),
  );
}

/** A block's weight in the F1 of its page: its words as a share of the words that are, or may be taken for, content. */
function f1Weights(pages: readonly LabelledPage[]): Float64Array {
  return normalised(
    pages.flatMap(({ blocks, labels }) => {
      const words = blocks.map(({ text }) => countWords(text));
      const content = sumOf(words.map((count, at) => count * labels[at]!));
      const scale = content + mistakable * sumOf(words) + shortPage;
      return words.map((count) => count / scale);
    }),
  );
}

/** Scaled to a mean of 1. */
function normalised(weights: readonly number[]): Float64Array {
  const mean = sumOf(weights) / weights.length;
  return Float64Array.from(weights, (weight) => weight / mean);
}

function meanOf(left: Float64Array, right: Float64Array): Float64Array {
  return left.map((weight, at) => (weight + right[at]!) / 2);
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 2_166_136_261;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619);
  return hash >>> 0;
}
