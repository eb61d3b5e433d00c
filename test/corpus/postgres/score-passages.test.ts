/** What a large index in Postgres is searched with finds what an exhaustive BM25 finds. */
import { describe, expect, it } from 'vitest';
import { scoreLikeliest, scorePassages, type TermPostings } from '../../../src/corpus/postgres/score-passages.ts';

const passages = 20_000;
const words = 100;
const totals = { passages, tokens: passages * words };

/** The postings of a term once in each of the passages; more often in those that `frequency` says. */
function postings(numbers: readonly number[], frequency: (passage: number) => number = () => 1): TermPostings {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const lists = [sorted.slice(0, middle), sorted.slice(middle)].map((part) =>
    Uint32Array.from(part.flatMap((n) => [n, words * 0x10000 + frequency(n)])),
  );
  return { lists, count: sorted.length };
}

/** Passages as different as those of pseudo-random numbers (a linear congruential generator). */
function some(count: number, seed: number): number[] {
  const found = new Set<number>();
  for (let state = seed; found.size < count; state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0)
    found.add(1 + ((state >>> 8) % passages));
  return [...found];
}

describe('the scores of a large index', () => {
  const numbersOf = (scored: readonly { n: number }[]) => scored.map(({ n }) => n);

  it('are those of an exhaustive BM25 where some passages are about the question, search after search', () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const about = some(40, 1_000 + seed);
      // Of the passages that are about it, each has most of the words.
      const terms = [20, 90, 400 + 30 * seed, 3_000, 6_000].map((count, at) => {
        const numbers = new Set([...about.filter((n) => (n + at) % 4 > 0), ...some(count, seed * 10 + at)]);
        return postings([...numbers], (n) => 1 + (n % 3));
      });
      const exhaustive = scorePassages({ rare: terms, frequent: [] }, totals, 10);
      const likeliest = scoreLikeliest(terms, totals, { sure: 10, limit: 10 });
      expect(numbersOf(likeliest)).toEqual(numbersOf(exhaustive));
      for (const [at, { bm25 }] of likeliest.entries()) expect(bm25).toBeCloseTo(exhaustive[at]!.bm25, 9);
    }
  });

  it('reach passages without the rarest word while too few have it', () => {
    const rarest = postings([5, 9]);
    const others = [postings([5, 100, 200, ...some(300, 3)]), postings([100, 200, ...some(320, 4)])];
    expect(numbersOf(scoreLikeliest([rarest, ...others], totals, { sure: 10, limit: 10 }))).toEqual(
      expect.arrayContaining([5, 9, 100, 200]),
    );
  });

  it('leave out passages that have frequent words alone once enough have rarer ones, which frequent words put in order', () => {
    const rare = postings(Array.from({ length: 50 }, (_, at) => 10 * at + 10));
    const frequent = postings([70, ...Array.from({ length: 5_000 }, (_, at) => 10_000 + at)]);
    const found = numbersOf(scoreLikeliest([rare, frequent], totals, { sure: 20, limit: 1_000 }));
    expect(found[0]).toBe(70);
    expect(found).toHaveLength(50);
  });
});
