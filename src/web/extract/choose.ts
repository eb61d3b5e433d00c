/**
 * Which blocks of a page are its content. A forest trained on labelled pages gives each block the odds of being content;
 * blocks that are built alike (the posts of a thread, the cells of a listing) draw each other closer, since a page's author
 * meant them alike; and what is kept is the set of likeliest blocks whose expected F1, counted in words, is highest. So a page
 * of many half-likely blocks keeps them, and a page with one clear article keeps nothing else. The weights are figures learned
 * offline: names of features, trees, and what the words in class names tell.
 */
import type { Block } from './blocks.ts';
import { countWords } from './extraction.ts';
import { featureNames, featuresOf } from './features.ts';
import { logOddsOf } from './forest.ts';
import { headingLevel } from './markdown.ts';
import type { Metadata } from './metadata.ts';
import weights from './weights.json' with { type: 'json' };

interface Candidate {
  readonly block: Block;
  readonly words: number;
  readonly logOdds: number;
}

/** How far a block moves towards the mean of its like; the rows of a table stay or go together. */
const likeness = { text: 0.5, code: 0.5, row: 1 };
const likenessLevels = 5;
/** Doubt weighs a little more than its probability says: what should not be there disturbs more than what is missing. */
const sharpness = 1.15;
/** The least log-odds at which a heading stays with what it heads, and a table with its heading. */
const attachedLogOdds = Math.log(0.3 / 0.7);

export function chooseBlocks(blocks: readonly Block[], metadata: Metadata): ReadonlySet<Block> {
  if (weights.features.length !== featureNames.length) throw new Error('The weights are of another set of features.');
  const rows = featuresOf(blocks, metadata, weights.lexicon);
  const candidates = blocks.map((block, at) => ({
    block,
    words: countWords(block.text),
    logOdds: logOddsOf(weights, rows[at]!),
  }));
  const evened = evenOut(candidates);
  return withHeadings(evened, likeliest(evened));
}

function evenOut(candidates: readonly Candidate[]): Candidate[] {
  const groups = new Map<string, { sum: number; weight: number }>();
  const keys = candidates.map(({ block }) => buildOf(block));
  for (const [at, { words, logOdds }] of candidates.entries()) {
    const group = groups.get(keys[at]!) ?? { sum: 0, weight: 0 };
    const weight = Math.sqrt(words + 0.3);
    group.sum += logOdds * weight;
    group.weight += weight;
    groups.set(keys[at]!, group);
  }
  return candidates.map((candidate, at) => {
    const { sum, weight } = groups.get(keys[at]!)!;
    const pull = likeness[candidate.block.kind];
    return { ...candidate, logOdds: (1 - pull) * candidate.logOdds + pull * (sum / weight) };
  });
}

/** The tags and classes above a block; numbers in them count the blocks and do not tell them apart. */
function buildOf({ kind, element }: Block): string {
  let key: string = kind;
  let at: Block['element'] | undefined = element;
  for (let up = 0; up < likenessLevels && at !== undefined; up += 1, at = at.parent) {
    key += `<${at.tag}.${(at.attributes.class ?? '').replace(/\d+/g, '')}`;
  }
  return key;
}

/** The likeliest blocks, as many as give the highest expected F1 = 2 · expected words kept / (words kept + expected words). */
function likeliest(candidates: readonly Candidate[]): Set<Block> {
  const scored = candidates
    .map(({ block, words, logOdds }) => ({
      block,
      words,
      logOdds,
      expected: words * (1 / (1 + Math.exp(-logOdds))) ** sharpness,
    }))
    .sort((a, b) => b.logOdds - a.logOdds);
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

/** A heading stays with what it heads, and a table with its heading, unless they are unlikely. */
function withHeadings(candidates: readonly Candidate[], kept: Set<Block>): ReadonlySet<Block> {
  for (const [at, { block, logOdds }] of candidates.entries()) {
    const next = candidates[at + 1]?.block;
    const isTitle = headingLevel(block.element) > 0 && next !== undefined && headingLevel(next.element) === 0;
    if (isTitle && kept.has(next) && logOdds >= attachedLogOdds) kept.add(block);
    if (block.kind !== 'row' || logOdds < attachedLogOdds) continue;
    const above = candidates[at - 1]?.block;
    if (above !== undefined && kept.has(above) && (above.kind === 'row' || headingLevel(above.element) > 0))
      kept.add(block);
  }
  return kept;
}
