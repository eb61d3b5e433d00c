/**
 * A page's blocks as feature rows for the classifier: a block's text, its neighbours, the names and text density of its
 * ancestors, its position, and the kind of page. Names and order are part of the model (`is_told` is `inJsonLd`).
 */
import type { Block } from '../html/blocks.ts';
import { headingLevel } from '../html/markdown.ts';
import type { Metadata } from '../metadata.ts';
import { farAway, headingsAbove, placesOf } from './block-places.ts';
import { describeElements, type ElementFacts, levels } from './element-facts.ts';
import { nameHintNames, tagHintNames } from './hints.ts';
import { labelWordReader } from './label-words.ts';
import { lexiconFeatureNames, lexiconReader, type WordScores } from './lexicon.ts';
import { type PageFacts, pageFactNames, readPageFacts } from './page-facts.ts';
import { type KindScores, kindFeatureNames, kindFeaturesOf, selfDescription } from './page-kinds.ts';
import { readTextFacts, type TextFacts, textFactNames } from './text-facts.ts';

const sideNames = ['chars', 'link_density', 'heading', 'ends', 'same_parent'] as const;
const levelNames = [
  'chars',
  'link_density',
  'blocks',
  'mean_chars',
  'long_share',
  'page_share',
  'repeats',
  'legal_share',
] as const;

/** Features that depend on nothing learned. */
const plainNames: readonly string[] = [
  ...textFactNames,
  'kind_code',
  'kind_row',
  'heading_level',
  'tag_p',
  'tag_li',
  'tag_cell',
  'tag_dt',
  'tag_dd',
  'tag_div',
  'tag_span',
  'tag_caption',
  'tag_address',
  'depth',
  'times_seen',
  'seen_before',
  'title_overlap',
  'is_title',
  'in_description',
  'is_told',
  'own_hidden',
  'item_prop',
  'at_block',
  'at_block_share',
  'at_chars_share',
  'from_h1',
  'from_h1_chars',
  'from_first_long',
  'from_last_long',
  'prose_before',
  'prose_after',
  ...nameHintNames.map((name) => `name_${name}`),
  ...tagHintNames.map((name) => `tag_${name}`),
  ...Array.from({ length: levels }, (_, k) => levelNames.map((name) => `up${k + 1}_${name}`)).flat(),
  'top_share',
  'top_depth_gap',
  'in_top',
  'sibling_at',
  'sibling_count',
  ...[-3, -2, -1, 1, 2, 3].flatMap((at) => sideNames.map((name) => `side${at}_${name}`)),
  'under_level',
  'under_distance',
  'under_chars',
  'under_related',
  'under_comment',
  'under_signup',
  'under_legal',
  'headings_before',
  ...pageFactNames.map((name) => `page_${name}`),
];

export const featureNames: readonly string[] = [...plainNames, ...lexiconFeatureNames, ...kindFeatureNames];

/** What was learned about words. */
export interface LearnedWords {
  readonly lexicon: WordScores;
  readonly kinds: KindScores;
}

/** One row per block, in the order of `featureNames`. */
export function featuresOf(blocks: readonly Block[], metadata: Metadata, learned: LearnedWords): Float64Array[] {
  const words = readWordFeatures(blocks, metadata, learned);
  const plain = readPlainFeatures(blocks, metadata);
  // One block at a time: of a large page, rows of plain arrays for all blocks would not fit into the memory of its process.
  return blocks.map((_, at) => Float64Array.from([...plain(at), ...words(at)]));
}

/** Reads the last features of a block, which depend on what was learned about words. */
export function readWordFeatures(
  blocks: readonly Block[],
  metadata: Metadata,
  { lexicon, kinds }: LearnedWords,
): (at: number) => number[] {
  const readWords = lexiconReader(lexicon);
  const labels = labelWordReader(blocks);
  const kind = kindFeaturesOf(selfDescription(blocks, metadata), kinds);
  return (at) => [...readWords(blocks[at]!.element, labels(at)), ...kind];
}

/** Reads the other features of a block. */
export function readPlainFeatures(blocks: readonly Block[], metadata: Metadata): (at: number) => number[] {
  const texts = readTextFacts(blocks, metadata);
  const elements = describeElements(blocks, texts);
  const page = readPageFacts(blocks, texts, elements, metadata);
  const places = placesOf(blocks, texts);
  const headings = headingsAbove(blocks, texts);
  return (at) => {
    const row: number[] = [];
    const block = blocks[at]!;
    const text = texts[at]!;
    row.push(...text.values);
    row.push(
      ...kindOf(block),
      block.element.depth,
      text.timesSeen,
      text.seenBefore,
      text.titleOverlap,
      text.isTitle,
      text.inDescription,
      text.inJsonLd,
    );
    const facts = elements.of(block.element);
    row.push(facts.hidden ? 1 : 0, facts.itemProp, ...places[at]!);
    row.push(
      ...facts.names.map((depth) => distance(block, depth)),
      ...facts.tags.map((depth) => distance(block, depth)),
    );
    pushLevels(row, elements.up(block.element), page);
    row.push(...topOf(block, elements), ...elements.siblings(block.element));
    for (const step of [-3, -2, -1, 1, 2, 3]) pushSide(row, block, blocks[at + step], texts[at + step]);
    row.push(...headings[at]!, ...page.values);
    return row;
  };
}

function distance(block: Block, depth: number): number {
  return depth < 0 ? farAway : Math.min(farAway, block.element.depth - depth);
}

function kindOf({ kind, element }: Block): number[] {
  const is = (...tags: string[]) => (tags.includes(element.name) ? 1 : 0);
  return [
    kind === 'code' ? 1 : 0,
    kind === 'row' ? 1 : 0,
    headingLevel(element),
    is('p'),
    is('li'),
    is('td', 'th'),
    is('dt'),
    is('dd'),
    is('div'),
    is('span', 'a', 'strong', 'b', 'em', 'font'),
    is('figcaption', 'caption'),
    is('address', 'time'),
  ];
}

function pushLevels(row: number[], up: readonly (ElementFacts | undefined)[], page: PageFacts): void {
  for (let k = 0; k < levels; k += 1) {
    const facts = up[k];
    if (facts === undefined) row.push(0, 0, 0, 0, 0, 0, 0, 0);
    else {
      row.push(
        Math.log1p(facts.chars),
        facts.chars === 0 ? 0 : facts.linkChars / facts.chars,
        Math.log1p(facts.blocks),
        facts.blocks === 0 ? 0 : Math.log1p(facts.chars / facts.blocks),
        facts.chars === 0 ? 0 : facts.longChars / facts.chars,
        facts.chars / page.chars,
        Math.log1p(facts.repeats),
        facts.chars === 0 ? 0 : facts.legalChars / facts.chars,
      );
    }
  }
}

function topOf(block: Block, elements: ReturnType<typeof describeElements>): number[] {
  const { top, topScore } = elements;
  if (top === undefined) return [0, 0, 0];
  let best = 0;
  let gap = 0;
  for (let at: Block['element'] | undefined = block.element; at !== undefined; at = at.parent) {
    best = Math.max(best, elements.score(at) / topScore);
    if (at === top) return [best, block.element.depth - top.depth, 1];
  }
  for (
    let at: Block['element'] | undefined = top;
    at !== undefined && !elements.encloses(at, block.element);
    at = at.parent
  )
    gap += 1;
  return [best, -gap, 0];
}

function pushSide(row: number[], block: Block, other: Block | undefined, facts: TextFacts | undefined): void {
  if (other === undefined || facts === undefined) row.push(-1, 0, 0, 0, 0);
  else {
    row.push(
      Math.log1p(other.chars),
      other.linkChars / other.chars,
      headingLevel(other.element),
      facts.ends,
      other.element === block.element ? 2 : other.element.parent === block.element.parent ? 1 : 0,
    );
  }
}
