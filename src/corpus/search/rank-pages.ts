/**
 * Ranks the passages of pages that were just read and are not in the index, with the same features as indexed passages and
 * the index's word frequencies. BM25 is computed over these passages only.
 */
import type { PagesQuery } from '../../engine/ports/corpus.ts';
import type { Passage, Snapshot } from '../../engine/ports/snapshot.ts';
import { splitPassages } from '../index/split-passages.ts';
import { wordsAsIndexed } from '../index/words.ts';
import { stemOf } from './locate-terms.ts';
import { createMatcher, scoreMatch, type WeightedTerm } from './rerank.ts';

/** Constants of BM25 (Robertson and Zaragoza, 2009): saturation of repeated words, weight of a passage's length. */
const saturation = 1.2;
const lengthWeight = 0.75;

/** The best `limit` passages, best first, without those that contain none of the query's words. */
export function rankPages({ text, pages, limit }: PagesQuery, terms: readonly WeightedTerm[]): Passage[] {
  const match = createMatcher(text, terms);
  const all = pages.flatMap((page) => passagesOf(page));
  const counted = all.map((passage) => wordCounts(passage.text));
  const averageLength = counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counted.length);
  return all
    .map((passage, at): Passage => {
      const { counts, length } = counted[at]!;
      const normal = saturation * (1 - lengthWeight + (lengthWeight * length) / averageLength);
      let bm25 = 0;
      for (const { word, idf } of terms) {
        const count = counts.get(stemOf(word)) ?? 0;
        bm25 += (idf * count * (saturation + 1)) / (count + normal);
      }
      const measures = match(passage, bm25);
      return { ...passage, score: scoreMatch(measures), coverage: measures.coverage };
    })
    .filter(({ coverage = 0 }) => coverage > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
}

function passagesOf({ id, url, title, text, published_at }: Snapshot): Omit<Passage, 'score'>[] {
  const date = published_at === undefined ? {} : { published_at };
  return splitPassages(text).map(({ start, end, headings }) => {
    return { snapshot: id, url, title, headings, text: text.slice(start, end), start, end, ...date };
  });
}

function wordCounts(text: string): { counts: Map<string, number>; length: number } {
  const counts = new Map<string, number>();
  const words = wordsAsIndexed(text);
  for (const word of words) counts.set(stemOf(word), (counts.get(stemOf(word)) ?? 0) + 1);
  return { counts, length: words.length };
}
