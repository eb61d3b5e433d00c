/**
 * Which blocks of a page are its content. A forest trained on labelled pages gives each block the odds of being content, a
 * second one looks again at what the first thought of the blocks around it; blocks that are built alike (the posts of a
 * thread, the cells of a listing) draw each other closer, since a page's author meant them alike; and what is kept is the set
 * of likeliest blocks whose expected F1, counted in words, is highest. So a page of many half-likely blocks keeps them, and a
 * page with one clear article keeps nothing else. The weights are figures that tools/training/train-extraction.ts learns.
 */

import { type Forest, logOddsOf } from '../../../base/learned/boosted-trees.ts';
import { countWords } from '../extraction.ts';
import type { Block } from '../html/blocks.ts';
import type { HtmlElement } from '../html/html-tree.ts';
import { headingLevel } from '../html/markdown.ts';
import { createSignatureReader } from '../html/structural-signature.ts';
import type { Metadata } from '../metadata.ts';
import type { Lexicon } from './class-lexicon.ts';
import { liftComments } from './comments.ts';
import { contextFeatureNames, contextFeaturesOf } from './context-features.ts';
import { bestPrefix, expectedWords, probability, type Weighed } from './expected-f1.ts';
import { featureNames, featuresOf } from './features.ts';
import shipped from './weights.json' with { type: 'json' };

export interface Model {
  /** What the forests were trained on, in order: those of the first, then those the second has besides. */
  readonly features: readonly string[];
  readonly lexicon: Lexicon;
  readonly first: Forest;
  readonly second: Forest;
}

/** Below this the first forest's word is final. */
export const hopeless = -5;
/** How far a block moves towards the mean of its like; the rows of a table stay or go together. */
const likeness = { text: 0.5, code: 0.5, row: 1 };
const likenessLevels = 5;
/** Doubt weighs a little more than its probability says: what should not be there disturbs more than what is missing. */
const sharpness = 1.15;
/** The least log-odds at which a heading stays with what it heads, and a table with its heading. */
const attachedLogOdds = Math.log(0.3 / 0.7);
/** The least at which a paragraph goes on what its element says before it without a paragraph, as old forums write. */
const continuedLogOdds = Math.log(0.08 / 0.92);
/** How many elements, its own among them, an author puts around code: a figure, a box that scrolls. */
const codeFrames = 3;
/** A page that says this much, so little of it expected to be content, has none: it is the frame that scripts would fill. */
const frame = { says: 40, expected: 8, share: 0.1 };
/** So many blocks in a row, with so many words, that all stood before are the same thing shown twice. */
const repeated = { blocks: 3, words: 9 };

export function classifyBlocks(
  blocks: readonly Block[],
  metadata: Metadata,
  model: Model = shipped,
): ReadonlySet<Block> {
  if (model.features.length !== featureNames.length + contextFeatureNames.length)
    throw new Error('The weights are of another set of features.');
  const rows = featuresOf(blocks, metadata, model.lexicon);
  const first = blocks.map((block, at) => ({
    block,
    words: countWords(block.text),
    logOdds: logOddsOf(model.first, rows[at]!),
  }));
  const around = contextFeaturesOf(first);
  const second = first.map((each, at) =>
    each.logOdds < hopeless ? each : { ...each, logOdds: logOddsOf(model.second, [...rows[at]!, ...around[at]!]) },
  );
  return keep(liftComments(second));
}

/** The blocks to keep of those weighed. */
export function keep(weighed: readonly Weighed[]): ReadonlySet<Block> {
  const evened = evenOut(weighed);
  if (isFrame(evened)) return new Set();
  const { order, count } = bestPrefix(evened);
  return withoutRepeats(evened, withAttached(evened, new Set(order.slice(0, count).map((at) => evened[at]!.block))));
}

function isFrame(weighed: readonly Weighed[]): boolean {
  const expected = expectedWords(weighed);
  const words = weighed.reduce((sum, each) => sum + each.words, 0);
  return words >= frame.says && expected < frame.expected && expected < frame.share * words;
}

function evenOut(weighed: readonly Weighed[]): Weighed[] {
  const groups = new Map<string, { sum: number; weight: number }>();
  const buildOf = createSignatureReader();
  const keys = weighed.map(({ block }) => buildOf(block, likenessLevels));
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

/** With what belongs to kept blocks, unless it is unlikely. */
function withAttached(weighed: readonly Weighed[], kept: Set<Block>): Set<Block> {
  const holders = new Set([...kept].filter(({ kind }) => kind === 'text').map(({ element }) => element));

  function isAttached({ block, logOdds }: Weighed, above: Block | undefined, next: Block | undefined): boolean {
    const follows = above !== undefined && kept.has(above);
    const isHeading = headingLevel(block.element) > 0;
    // What stands before code speaks of it, whatever the code looks like.
    if (block.kind === 'code') return follows && standTogether(above, block);
    if (block.kind === 'row')
      return follows && (above.kind === 'row' || headingLevel(above.element) > 0) && logOdds >= attachedLogOdds;
    if (isHeading && next !== undefined && headingLevel(next.element) === 0)
      return kept.has(next) && logOdds >= attachedLogOdds;
    return block.element.name === 'p' && holders.has(block.element.parent!) && logOdds >= continuedLogOdds;
  }

  for (const [at, each] of weighed.entries())
    if (isAttached(each, weighed[at - 1]?.block, weighed[at + 1]?.block)) kept.add(each.block);
  return kept;
}

/** Whether the block above lies beside the code or beside a frame around it. */
function standTogether(above: Block, code: Block): boolean {
  let frame: HtmlElement | undefined = code.element;
  for (let up = 0; up < codeFrames && frame !== undefined; up += 1, frame = frame.parent)
    if (frame.parent === above.element.parent) return true;
  return false;
}

/** Without what a page shows twice, such as the copies a carousel turns through; code and tables repeat with reason. */
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
