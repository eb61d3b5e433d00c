/**
 * One list of what words found and what is close in meaning, by reciprocal rank. Words count as much as the best passage covers
 * the question: one that has all its words is what was asked for, and where few of them occur anywhere, meaning decides.
 */
import type { Passage } from '../../engine/ports/snapshot.ts';

/** Constant of reciprocal rank fusion; smaller than the usual 60, because both lists are short. Set by hand. */
const rankConstant = 10;
/** Passages of one page, as in choose-passages.ts. */
const maxPerPage = 4;

/** At most `limit` passages, best first, nothing twice. Without close ones, those of the words as they are. */
export function fusePassages(words: readonly Passage[], close: readonly Passage[], limit: number): Passage[] {
  if (close.length === 0) return [...words];
  const covered = words.reduce((best, { coverage = 0 }) => Math.max(best, coverage), 0);
  const wordWeight = covered ** 2;
  const fused = new Map<string, { passage: Passage; weight: number }>();
  const add = (passages: readonly Passage[], share: number) => {
    passages.forEach((passage, rank) => {
      const key = `${passage.snapshot} ${passage.start}`;
      const known = fused.get(key) ?? { passage, weight: 0 };
      fused.set(key, {
        passage: passage.near === undefined ? known.passage : { ...known.passage, near: passage.near },
        weight: known.weight + share / (rankConstant + rank),
      });
    });
  };
  add(words, wordWeight);
  add(
    close.map((passage, near) => ({ ...passage, near })),
    1 - wordWeight,
  );
  const ofPage = new Map<string, number>();
  const texts = new Set<string>();
  // Words alone may return whole pages of a small index.
  const perPage = Math.max(maxPerPage, countOfPages(words));
  const chosen: Passage[] = [];
  for (const { passage, weight } of [...fused.values()].sort((a, b) => b.weight - a.weight)) {
    if (chosen.length === limit) break;
    const count = ofPage.get(passage.url) ?? 0;
    if (count === perPage || texts.has(passage.text)) continue;
    texts.add(passage.text);
    ofPage.set(passage.url, count + 1);
    chosen.push({ ...passage, score: weight });
  }
  return chosen;
}

function countOfPages(passages: readonly Passage[]): number {
  const counts = new Map<string, number>();
  for (const { url } of passages) counts.set(url, (counts.get(url) ?? 0) + 1);
  return Math.max(0, ...counts.values());
}
