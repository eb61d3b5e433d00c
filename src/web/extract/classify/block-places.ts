/** Where each block is on its page: its distance from landmarks, and the nearest heading above it. */
import type { Block } from '../html/blocks.ts';
import { headingLevel } from '../html/markdown.ts';
import type { TextFacts } from './text-facts.ts';

/** Distance when there is none to measure, and max. distance; part of the model. */
export const farAway = 30;

/** The position of each block: distance from the first h1 and from the first and last long paragraph, share of prose before and after. */
export function placesOf(blocks: readonly Block[], texts: readonly TextFacts[]): number[][] {
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
export function headingsAbove(blocks: readonly Block[], texts: readonly TextFacts[]): number[][] {
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
