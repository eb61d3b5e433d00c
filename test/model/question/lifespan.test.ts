import { expect, it } from 'vitest';
import { analyse } from '../../../src/model/extractive/question/analyse.ts';
import { hasLifespan } from '../../../src/model/extractive/question/lifespan.ts';
import { planSearch } from '../../../src/model/extractive/question/plan.ts';
import { rankUnits } from '../../../src/model/extractive/rank/rank.ts';

it.each([
  ['Ada Merrow (3 May 1810 – 9 June 1849) was an engineer.', true],
  ['Ada Merrow (née Holm; 3 May 1810 – 9 June 1849), born in Morrow, was an engineer.', true],
  ['Her pupil Jon Holm (1821–97) was as well known as Ida Berg (1830–1899).', true],
  ['The Yongle Emperor (r. 1402–1424) sent an envoy.', false],
  ['The tower (see pages 1–4) was built in 1871 and closed in 1930.', false],
])('finds the years of a life: %s', (text, has) => {
  expect(hasLifespan(text)).toBe(has);
});

it('ranks the years after a name first where it is asked when somebody died', () => {
  const texts = [
    'At the funeral of the keeper Jon Holm in 1839, Ada Merrow played the organ of the church in Morrow.',
    'Ada Merrow (3 May 1810 – 9 June 1849) was an engineer who built lighthouses.',
  ];
  const sources = Array.from({ length: 12 }, (_, i) => ({
    n: i + 1,
    snapshot: `life ${i}`,
    start: 0,
    title: 'Ada Merrow',
    headings: '',
    text: texts[i] ?? `Ada Merrow drew tower number ${i} in the winter of that year.`,
    score: 1 / (i + 1),
    url: `https://a.example/${i}`,
  }));
  const [best] = rankUnits(analyse('What year did Ada Merrow die?'), sources);
  expect(best?.unit.text).toBe(texts[1]);
});

it('looks for where it is said who somebody is', () => {
  expect(planSearch('When did Ada Merrow die?').queries).toEqual(['When did Ada Merrow die?', 'Ada Merrow born']);
  expect(planSearch('When did it die?').queries).toHaveLength(1);
  expect(planSearch('When did the server start?').queries).toHaveLength(1);
  expect(planSearch('When was the wife of Jon Holm born?').queries).toHaveLength(1);
});
