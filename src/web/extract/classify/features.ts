/**
 * A page's blocks as feature rows for the classifier: a block's text, its neighbours, the names and text density of its
 * ancestors, its position, and the kind of page. Names and order are part of the model (`is_told` is `inJsonLd`).
 */
import type { Block } from '../html/blocks.ts';
import { headingLevel } from '../html/markdown.ts';
import type { Metadata } from '../metadata.ts';
import { classFeatureNames, classReader, type Lexicon } from './class-lexicon.ts';
import { describeElements, type ElementFacts, levels } from './element-facts.ts';
import { nameHintNames, tagHintNames } from './hints.ts';
import { type PageFacts, pageFactNames, readPageFacts } from './page-facts.ts';
import { readTextFacts, type TextFacts, textFactNames } from './text-facts.ts';

/** Distance when there is none to measure, and max. distance; part of the model. */
const farAway = 30;

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

export const featureNames: readonly string[] = [
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
  ...classFeatureNames,
];

/** One row per block, in the order of `featureNames`. */
export function featuresOf(blocks: readonly Block[], metadata: Metadata, lexicon: Lexicon): Float64Array[] {
  const texts = readTextFacts(blocks, metadata);
  const elements = describeElements(blocks, texts);
  const readClasses = classReader(lexicon);
  const page = readPageFacts(blocks, texts, elements, metadata);
  const places = placesOf(blocks, texts);
  const headings = headingsAbove(blocks, texts);
  return blocks.map((block, at) => {
    const row: number[] = [];
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
    row.push(...headings[at]!, ...page.values, ...readClasses(block.element));
    return Float64Array.from(row);
  });
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

/** The position of each block: distance from the first h1 and from the first and last long paragraph, share of prose before and after. */
function placesOf(blocks: readonly Block[], texts: readonly TextFacts[]): number[][] {
  const total = blocks.reduce((sum, { chars: size }) => sum + size, 0) || 1;
  const prose = texts.reduce((sum, { prose: chars }) => sum + chars, 0) || 1;
  const h1 = blocks.findIndex(({ element }) => headingLevel(element) === 1);
  const firstLong = texts.findIndex(({ isLong }) => isLong);
  const lastLong = texts.findLastIndex(({ isLong }) => isLong);
  const starts: number[] = [];
  let chars = 0;
  for (const block of blocks) {
    starts.push(chars);
    chars += block.chars;
  }
  let proseBefore = 0;
  return blocks.map((_, at) => {
    const place = [
      Math.log1p(at),
      at / blocks.length,
      starts[at]! / total,
      h1 < 0 ? -farAway : signedLog(at - h1),
      h1 < 0 ? -farAway : signedLog(starts[at]! - starts[h1]!),
      firstLong < 0 ? -farAway : signedLog(at - firstLong),
      lastLong < 0 ? -farAway : signedLog(at - lastLong),
      proseBefore / prose,
      1 - (proseBefore + texts[at]!.prose) / prose,
    ];
    proseBefore += texts[at]!.prose;
    return place;
  });
}

/** The nearest heading above each block: its level, distance, length and phrase hints, and the number of headings so far. */
function headingsAbove(blocks: readonly Block[], texts: readonly TextFacts[]): number[][] {
  let above = -1;
  let count = 0;
  return blocks.map((block, at) => {
    const heading = above < 0 ? undefined : texts[above]!;
    const row = [
      above < 0 ? 0 : headingLevel(blocks[above]!.element),
      above < 0 ? farAway : Math.log1p(at - above),
      above < 0 ? 0 : Math.log1p(blocks[above]!.chars),
      heading?.phrases.says_related ?? 0,
      heading?.phrases.says_reply ?? 0,
      Math.max(heading?.phrases.says_subscribe ?? 0, heading?.phrases.says_contact ?? 0),
      heading?.isLegal ? 1 : 0,
      Math.log1p(count),
    ];
    if (headingLevel(block.element) > 0) {
      above = at;
      count += 1;
    }
    return row;
  });
}

function signedLog(n: number): number {
  return n < 0 ? -Math.log1p(-n) : Math.log1p(n);
}
