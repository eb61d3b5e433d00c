/**
 * From labelled pages to the weights of the extraction: the lexicon of class names, a first forest, and a second, the mean of a
 * few, that learns from what the first says of pages it was not trained on. What the product computes is computed by its code.
 */

import { hopeless, type Model } from '../../src/web/extract/classify/classify-blocks.ts';
import { lookAgain, secondLookNames } from '../../src/web/extract/classify/context-features.ts';
import { featureNames, featuresOf } from '../../src/web/extract/classify/features.ts';
import { countWords } from '../../src/web/extract/extraction.ts';
import type { Block } from '../../src/web/extract/html/blocks.ts';
import type { Metadata } from '../../src/web/extract/metadata.ts';
import { beside, bin } from './bins.ts';
import { boost, boostOften } from './boost.ts';
import { learnLexicon } from './learn-lexicon.ts';

export interface LabelledPage {
  readonly host: string;
  readonly blocks: readonly Block[];
  readonly metadata: Metadata;
  /** For each block the share of its words that are content. */
  readonly labels: readonly number[];
}

const innerFolds = 3;
const forests = {
  first: { trees: 150, leaves: 16, rate: 0.08, leafWeight: 20, l2: 5, groupShare: 0.7, featureShare: 0.3 },
  second: { trees: 100, leaves: 8, rate: 0.08, leafWeight: 30, l2: 10, groupShare: 0.7, featureShare: 0.25 },
};

/** Second forests that are averaged: learned from a few hundred pages, each owes much to the pages it drew. */
const draws = 3;
/** Words a page has in any case, where a block's weight in its F1 is reckoned. */
const shortPage = 50;
/** Share of a page's words that a bad choice takes for content. */
const mistakable = 0.3;

export function trainModel(pages: readonly LabelledPage[], seed: number): Model {
  const lexicon = learnLexicon(
    pages.flatMap(({ host, blocks, labels }) =>
      blocks.map((block, at) => ({ host, element: block.element, words: countWords(block.text), label: labels[at]! })),
    ),
  );
  const rows = pages.flatMap(({ host, blocks, metadata }) => featuresOf(blocks, metadata, lexicon.without(host)));
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
  const aroundBins = bin(secondLookNames.length, rows.length, (row, feature) => around[row]![feature]!);
  const secondBins = beside(firstBins, aroundBins);
  const hopeful = all.filter((row) => unseen[row]! >= hopeless);
  const even = { ...examples, weights: meanOf(byRoot.weights, f1Weights(pages)) };
  const second = boostOften(secondBins, even, hopeful, { ...forests.second, seed: seed + 9 }, draws);
  return { features: [...featureNames, ...secondLookNames], lexicon: lexicon.whole, first, second };
}

/** Hosts in the order of their names' hashes, dealt out one by one: the same pages always make the same folds. */
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
    return lookAgain(weighed);
  });
}

/** A block weighs by the root of its words, and a page by the root of the sum: long pages do not decide alone. */
function rootWeights(pages: readonly LabelledPage[]): Float64Array {
  return evened(
    pages.flatMap(({ blocks }) => {
      const raw = blocks.map(({ text }) => Math.sqrt(countWords(text) + 1));
      const scale = Math.sqrt(sumOf(raw));
      return raw.map((weight) => weight / scale);
    }),
  );
}

/** What a block weighs in its page's F1: its words as a share of what is content or may be taken for it. */
function f1Weights(pages: readonly LabelledPage[]): Float64Array {
  return evened(
    pages.flatMap(({ blocks, labels }) => {
      const words = blocks.map(({ text }) => countWords(text));
      const content = sumOf(words.map((count, at) => count * labels[at]!));
      const scale = content + mistakable * sumOf(words) + shortPage;
      return words.map((count) => count / scale);
    }),
  );
}

/** With a mean of 1. */
function evened(weights: readonly number[]): Float64Array {
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
