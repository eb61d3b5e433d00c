/** Of a large corpus only the units that can win are scored by the learned weights; the ranking has all of them. */
import { describe, expect, it } from 'vitest';
import { analyse } from '../../src/model/extractive/question/analyse.ts';
import { readCandidates, toVector } from '../../src/model/extractive/rank/features.ts';
import { rankUnits, scoreOf } from '../../src/model/extractive/rank/rank.ts';
import type { Source } from '../../src/model/extractive/text/passages.ts';

const places = 'Heron Gull Skerry Ness Amber Olave Marten Corran Duncan Fair Girdle Holm Inner Kinnaird'.split(' ');
const sources: Source[] = places.map((place, i) => {
  const text = `${place} Lighthouse stands on a rock of its own. It was designed by Alan ${place}son in ${1800 + i}. \
The tower is ${20 + i} metres high and painted white. Its lamp was lit by oil for many years. \
The keepers lived there with their families. A road was laid to it later. Seals rest on the shore below. \
Boats bring visitors in the summer.`;
  const url = `https://example.org/${i}`;
  return {
    n: i + 1,
    snapshot: `s${i}`,
    url,
    title: `${place} Lighthouse`,
    headings: '',
    text,
    start: 0,
    score: 30 - i,
  };
});

describe('units of a large corpus', () => {
  for (const place of [places[0]!, places[7]!, places[13]!]) {
    const question = analyse(`Who designed the ${place} Lighthouse?`);

    it(`are led by the unit with the highest learned score, of ${place}`, () => {
      const scores = readCandidates(question, sources).map(({ unit, features }) => {
        return { text: unit.text, score: scoreOf(toVector(features, question)) };
      });
      const best = scores.reduce((a, b) => (b.score > a.score ? b : a));
      const [first] = rankUnits(question, sources);
      expect(first?.unit.text).toBe(best.text);
      expect(first?.score).toBeCloseTo(best.score, 10);
    });

    it(`are all ranked, the best of each page by its learned score, of ${place}`, () => {
      const ranked = rankUnits(question, sources);
      expect(new Set(ranked.map(({ unit }) => unit)).size).toBe(readCandidates(question, sources).length);
      expect(ranked.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 10);
      const learned = ranked.filter(({ score, features }) => score === scoreOf(toVector(features, question)));
      expect(new Set(learned.map(({ source }) => source)).size).toBe(sources.length);
      expect(learned.length).toBeLessThan(ranked.length / 2);
    });
  }
});
