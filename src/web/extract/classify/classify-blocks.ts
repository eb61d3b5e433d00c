/**
 * Classifies which blocks of a page are its content. A forest trained on labelled pages estimates the odds of each block, and a
 * second forest corrects them with the first's estimates for the blocks around it. Blocks of the same structure (the posts
 * of a thread, the cells of a listing) are pulled towards their mean. The likeliest blocks with the highest expected
 * F1, counted in words, are kept: a page of many uncertain blocks keeps them, a page with one clear article keeps only that.
 * tools/training/train-extraction.ts learns the weights; the constants below are set by hand unless they say otherwise.
 */

import { type Forest, logOddsOf } from '../../../base/learned/boosted-trees.ts';
import { countWords } from '../extraction.ts';
import type { Block } from '../html/blocks.ts';
import type { HtmlElement } from '../html/html-tree.ts';
import { headingLevel } from '../html/markdown.ts';
import { createSignatureReader } from '../html/structural-signature.ts';
import type { Metadata } from '../metadata.ts';
import { liftComments } from './comments.ts';
import { contextFeatureNames, contextFeaturesOf } from './context-features.ts';
import { bestPrefix, expectedWords, probability, type Weighed } from './expected-f1.ts';
import { featureNames, featuresOf, type LearnedWords } from './features.ts';
import type { Lexicon } from './lexicon.ts';
import type { KindWords } from './page-kinds.ts';
import shipped from './weights.json' with { type: 'json' };
import { withinText } from './within-text.ts';

export interface Model {
  /** The features the forests were trained on, in order: the first forest's, then the second's additional ones. */
  readonly features: readonly string[];
  readonly lexicon: Lexicon;
  readonly kinds: KindWords;
  readonly first: Forest;
  readonly second: Forest;
}

/** Min. log-odds at which the second forest is consulted. */
export const minSecondPassLogOdds = -5;
/** How far a block moves towards the mean of blocks with the same structure; table rows are kept or dropped together. */
const likeness = { text: 0.5, code: 0.5, row: 1 };
const likenessLevels = 5;
/** Exponent of probabilities: keeping what is not content is worse than missing content. */
const sharpness = 1.15;
/** Min. log-odds at which a heading stays with the block below it, and a table with its heading. */
const attachedLogOdds = Math.log(0.3 / 0.7);
/** Min. log-odds at which a paragraph continues the bare text before it in the same element, as in old forums. */
const continuedLogOdds = Math.log(0.08 / 0.92);
/** Elements from code upwards within which the block above counts as adjacent, such as a figure or a scroll box. */
const codeFrames = 3;
/**
 * A page with at least `words` words, but fewer than `expected` and `share` of them likely content, is an empty shell for scripts.
 */
const shell = { words: 40, expected: 8, share: 0.1 };
/** Min. consecutive blocks, and words, that appeared before for them to count as a repetition. */
const repeated = { blocks: 3, words: 9 };

/** The blocks that are content. Throws when the model has another number of features. */
export function classifyBlocks(
  blocks: readonly Block[],
  metadata: Metadata,
  model: Model = shipped,
): ReadonlySet<Block> {
  const expected = featureNames.length + contextFeatureNames.length;
  if (model.features.length !== expected)
    throw new Error(`Expected weights for ${expected} features; got ${model.features.length}.`);
  const rows = featuresOf(blocks, metadata, learnedWordsOf(model));
  const first = blocks.map((block, at) => ({
    block,
    words: countWords(block.text),
    logOdds: logOddsOf(model.first, rows[at]!),
  }));
  const around = contextFeaturesOf(first);
  const second = first.map((each, at) =>
    each.logOdds < minSecondPassLogOdds
      ? each
      : { ...each, logOdds: logOddsOf(model.second, [...rows[at]!, ...around[at]!]) },
  );
  return keep(liftComments(second));
}

/** The words of a model, to look up: made when it is first used. */
const looked = new WeakMap<Model, LearnedWords>();

function learnedWordsOf(model: Model): LearnedWords {
  let words = looked.get(model);
  if (words === undefined) {
    words = { lexicon: new Map(Object.entries(model.lexicon)), kinds: new Map(Object.entries(model.kinds)) };
    looked.set(model, words);
  }
  return words;
}

/** The blocks to keep, given the log-odds and words of each. */
export function keep(weighed: readonly Weighed[]): ReadonlySet<Block> {
  const evened = evenOut(weighed);
  if (isShell(evened)) return new Set();
  const { order, count } = bestPrefix(evened);
  const kept = new Set(order.slice(0, count).map((at) => evened[at]!.block));
  return withoutRepeats(evened, withinText(evened, withAttached(evened, kept)));
}

function isShell(weighed: readonly Weighed[]): boolean {
  const expected = expectedWords(weighed);
  const words = weighed.reduce((sum, each) => sum + each.words, 0);
  return words >= shell.words && expected < shell.expected && expected < shell.share * words;
}

function evenOut(weighed: readonly Weighed[]): Weighed[] {
  const groups = new Map<string, { sum: number; weight: number }>();
  const signatureOf = createSignatureReader();
  const keys = weighed.map(({ block }) => signatureOf(block, likenessLevels));
  for (const [at, { words, logOdds }] of weighed.entries()) {
    const group = groups.get(keys[at]!) ?? { sum: 0, weight: 0 };
    const weight = Math.sqrt(words + 0.3);
    group.sum += logOdds * weight;
    group.weight += weight;
    groups.set(keys[at]!, group);
  }
  return weighed.map((each, at) => {
    const { sum, weight } = groups.get(keys[at]!)!;
    const pull = likeness[each.block.kind];
    return { ...each, logOdds: sharpened((1 - pull) * each.logOdds + pull * (sum / weight)) };
  });
}

/** The log-odds of the probability to the power of `sharpness`. */
function sharpened(logOdds: number): number {
  const p = probability(logOdds) ** sharpness;
  return Math.log(p / (1 - p));
}

/** Adds blocks that belong to kept blocks, unless they are unlikely. */
function withAttached(weighed: readonly Weighed[], kept: Set<Block>): Set<Block> {
  const parents = new Set([...kept].filter(({ kind }) => kind === 'text').map(({ element }) => element));

  function isAttached({ block, logOdds }: Weighed, above: Block | undefined, next: Block | undefined): boolean {
    const follows = above !== undefined && kept.has(above);
    const isHeading = headingLevel(block.element) > 0;
    // Text directly before code is about it, so the code's own odds do not matter.
    if (block.kind === 'code') return follows && areAdjacent(above, block);
    if (block.kind === 'row')
      return follows && (above.kind === 'row' || headingLevel(above.element) > 0) && logOdds >= attachedLogOdds;
    if (isHeading && next !== undefined && headingLevel(next.element) === 0)
      return kept.has(next) && logOdds >= attachedLogOdds;
    return block.element.name === 'p' && parents.has(block.element.parent!) && logOdds >= continuedLogOdds;
  }

  for (const [at, each] of weighed.entries())
    if (isAttached(each, weighed[at - 1]?.block, weighed[at + 1]?.block)) kept.add(each.block);
  return kept;
}

/** Whether the block above is a sibling of the code or of a frame around it. */
function areAdjacent(above: Block, code: Block): boolean {
  let frame: HtmlElement | undefined = code.element;
  for (let up = 0; up < codeFrames && frame !== undefined; up += 1, frame = frame.parent)
    if (frame.parent === above.element.parent) return true;
  return false;
}

/** Drops repeated blocks, such as the copies in a carousel; code and tables may repeat. */
function withoutRepeats(weighed: readonly Weighed[], kept: Set<Block>): Set<Block> {
  const seen = new Set<string>();
  let run: Weighed[] = [];
  const drop = () => {
    const words = run.reduce((sum, each) => sum + each.words, 0);
    if (run.length >= repeated.blocks && words >= repeated.words) for (const { block } of run) kept.delete(block);
    run = [];
  };
  for (const each of weighed) {
    const { block } = each;
    if (!kept.has(block)) continue;
    const text = block.text.toLowerCase();
    if (block.kind === 'text' && seen.has(text)) run.push(each);
    else drop();
    seen.add(text);
  }
  drop();
  return kept;
}
