/**
 * Finds which words of a page are in its labelled text by aligning the two word lists in order (patience diff): runs of
 * words that occur exactly once in both are anchors, the longest increasing chain of them is kept, and the words between
 * two anchors are aligned the same way with shorter runs, or by longest common subsequence once they are few.
 */

/** Lengths of the runs, level by level. */
const runs = [6, 4, 2, 1] as const;
/** Maximum cells of the table for an exact alignment. */
const maxCells = 250_000;

interface Span {
  readonly from: number;
  readonly to: number;
}

/** For each block of a page, given as words, the share of them that the labelled text has in the same order. */
export function sharesIn(blocks: readonly (readonly string[])[], gold: readonly string[]): number[] {
  const page = blocks.flat();
  const found = alignedIn(page, gold);
  let at = 0;
  return blocks.map(({ length }) => {
    let hits = 0;
    for (let word = 0; word < length; word += 1) hits += found[at++]!;
    return length === 0 ? 0 : hits / length;
  });
}

/** 1 for each word of `page` that is aligned with one of `gold`. */
export function alignedIn(page: readonly string[], gold: readonly string[]): Uint8Array {
  const found = new Uint8Array(page.length);
  const align = (left: Span, right: Span, level: number): void => {
    if (left.from >= left.to || right.from >= right.to) return;
    if ((left.to - left.from) * (right.to - right.from) <= maxCells) {
      for (const at of commonSubsequence(page.slice(left.from, left.to), gold.slice(right.from, right.to)))
        found[left.from + at] = 1;
      return;
    }
    if (level >= runs.length) return;
    let [at, to] = [left.from, right.from];
    for (const [anchor, other] of anchorsOf(page, left, gold, right, runs[level]!)) {
      if (anchor < at || other < to) continue;
      align({ from: at, to: anchor }, { from: to, to: other }, level + 1);
      [at, to] = [anchor, other];
      for (; at < left.to && to < right.to && page[at] === gold[to]; at += 1, to += 1) found[at] = 1;
    }
    align({ from: at, to: left.to }, { from: to, to: right.to }, level + 1);
  };
  align({ from: 0, to: page.length }, { from: 0, to: gold.length }, 0);
  return found;
}

/** The longest chain, increasing on both sides, of runs of `size` words that occur exactly once on each side. */
function anchorsOf(page: readonly string[], left: Span, gold: readonly string[], right: Span, size: number) {
  const here = onceIn(page, left, size);
  const pairs: [number, number][] = [];
  for (const [run, other] of onceIn(gold, right, size)) {
    const at = here.get(run);
    if (at !== undefined) pairs.push([at, other]);
  }
  pairs.sort(([a], [b]) => a - b);
  return longestRising(pairs);
}

function onceIn(words: readonly string[], { from, to }: Span, size: number): Map<string, number> {
  const seen = new Map<string, number>();
  for (let at = from; at + size <= to; at += 1) {
    const run = words.slice(at, at + size).join(' ');
    seen.set(run, seen.has(run) ? -1 : at);
  }
  for (const [run, at] of seen) if (at < 0) seen.delete(run);
  return seen;
}

function longestRising(pairs: readonly [number, number][]): [number, number][] {
  const tails: number[] = [];
  const before = new Int32Array(pairs.length).fill(-1);
  for (const [index, [, value]] of pairs.entries()) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[tails[middle]!]![1] < value) low = middle + 1;
      else high = middle;
    }
    if (low > 0) before[index] = tails[low - 1]!;
    tails[low] = index;
  }
  const chain: [number, number][] = [];
  for (let index = tails.at(-1) ?? -1; index >= 0; index = before[index]!) chain.push(pairs[index]!);
  return chain.reverse();
}

/** Indices in `left` of a longest common subsequence. */
function commonSubsequence(left: readonly string[], right: readonly string[]): number[] {
  const width = right.length + 1;
  const best = new Uint32Array((left.length + 1) * width);
  for (let i = left.length - 1; i >= 0; i -= 1) {
    for (let j = right.length - 1; j >= 0; j -= 1) {
      best[i * width + j] =
        left[i] === right[j]
          ? best[(i + 1) * width + j + 1]! + 1
          : Math.max(best[(i + 1) * width + j]!, best[i * width + j + 1]!);
    }
  }
  const places: number[] = [];
  for (let i = 0, j = 0; i < left.length && j < right.length; ) {
    if (left[i] === right[j]) {
      places.push(i);
      i += 1;
      j += 1;
    } else if (best[(i + 1) * width + j]! >= best[i * width + j + 1]!) i += 1;
    else j += 1;
  }
  return places;
}
