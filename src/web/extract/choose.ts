/**
 * Which blocks of a page are its content. A forest trained on labelled pages gives each block a probability; what is kept is
 * the set of likeliest blocks whose expected F1, counted in words, is highest, so that a page of many half-likely blocks (a
 * listing) keeps them and a page with one clear article keeps nothing else. The weights are figures learned offline: names of
 * features, trees, and what the words in class names tell.
 */
import type { Block } from './blocks.ts';
import { countWords } from './extraction.ts';
import { featureNames, featuresOf } from './features.ts';
import { probabilityOf } from './forest.ts';
import type { Metadata } from './metadata.ts';
import weights from './weights.json' with { type: 'json' };

/** Doubt weighs a little more than its probability says: a reader misses less what is left out than what should not be there. */
const sharpness = 1.15;

export function chooseBlocks(blocks: readonly Block[], metadata: Metadata): ReadonlySet<Block> {
  if (weights.features.length !== featureNames.length) throw new Error('The weights are of another set of features.');
  const rows = featuresOf(blocks, metadata, weights.lexicon);
  const scored = blocks.map((block, at) => {
    const probability = probabilityOf(weights, rows[at]!);
    const words = countWords(block.text);
    return { block, probability, words, expected: probability ** sharpness * words };
  });
  scored.sort((a, b) => b.probability - a.probability);
  const total = scored.reduce((sum, { expected }) => sum + expected, 0);
  let best = { count: 0, f1: 0 };
  let words = 0;
  let expected = 0;
  for (const [at, block] of scored.entries()) {
    words += block.words;
    expected += block.expected;
    const f1 = (2 * expected) / (words + total);
    if (f1 > best.f1) best = { count: at + 1, f1 };
  }
  return new Set(scored.slice(0, best.count).map(({ block }) => block));
}
