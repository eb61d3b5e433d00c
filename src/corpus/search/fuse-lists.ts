/** Joins lists of passages by reciprocal rank. */
import { passageKey } from '../../base/snapshot-id.ts';
import type { Passage } from '../../engine/ports/snapshot.ts';
import { maxPerPage } from './limits.ts';

/** Constant of reciprocal rank fusion; smaller than the usual 60, because the lists are short. Set by hand. */
const rankConstant = 10;

export interface RankedList {
  /** Best first. */
  readonly passages: readonly Passage[];
  /** How much a place in this list counts. */
  readonly weight: number;
}

export interface FusedPassage {
  readonly passage: Passage;
  /** The weights of its lists, each divided by its place there. */
  readonly fused: number;
}

/**
 * At most `limit` passages, best first, nothing twice. A passage of several lists is taken from the first of them, with its
 * place by meaning; a page has no more passages than in the first list, or four.
 */
export function fuseLists(lists: readonly RankedList[], limit: number): FusedPassage[] {
  const all = new Map<string, FusedPassage>();
  for (const { passages, weight } of lists) {
    passages.forEach((passage, rank) => {
      const key = passageKey(passage);
      const known = all.get(key) ?? { passage, fused: 0 };
      all.set(key, {
        passage: passage.near === undefined ? known.passage : { ...known.passage, near: passage.near },
        fused: known.fused + weight / (rankConstant + rank),
      });
    });
  }
  const countByPage = new Map<string, number>();
  const texts = new Set<string>();
  // Words alone may return whole pages of a small index.
  const perPage = Math.max(maxPerPage, countOfPages(lists[0]?.passages ?? []));
  const chosen: FusedPassage[] = [];
  for (const each of [...all.values()].sort((a, b) => b.fused - a.fused)) {
    const { passage } = each;
    if (chosen.length === limit) break;
    const count = countByPage.get(passage.url) ?? 0;
    if (count === perPage || texts.has(passage.text)) continue;
    texts.add(passage.text);
    countByPage.set(passage.url, count + 1);
    chosen.push(each);
  }
  return chosen;
}

function countOfPages(passages: readonly Passage[]): number {
  const counts = new Map<string, number>();
  for (const { url } of passages) counts.set(url, (counts.get(url) ?? 0) + 1);
  return Math.max(0, ...counts.values());
}
