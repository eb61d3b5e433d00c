/**
 * How sources are weighed: by their kind, and by their date if the question asks for what holds now. A weight is a number of
 * places by which a page goes up or down in every list that it is found in: small enough that what a page says decides, large
 * enough that of two pages that say the same, the better source is opened, shown and cited first.
 */

import type { SourceKind } from '../../../../protocol/index.ts';
import { asksForNow } from '../../../base/text/asks-for-now.ts';
import { stopWords } from '../../../base/text/stop-words.ts';
import { dayMs } from '../../../base/values/day.ts';
import type { Brief } from '../../ports/model.ts';
import type { Passage, Standing } from '../../ports/snapshot.ts';
import { sourceKindOf } from './source-kind.ts';

/** Weighs a page, or a hit. */
export type Weigh = (page: Pick<Passage, 'url' | 'published_at'>) => Standing;

/** Places up, by kind; set by hand on `npm run bench -- research`. */
const placesOf: Record<SourceKind, number> = { official: 2, reference: 1, news: 0, blog: -2, forum: -4 };
/**
 * Places down for each year of age, if the question asks for the newest; the years beyond which age no longer counts; and
 * the age that a page without a date is taken to have. Set by hand.
 */
const placesPerYear = 6;
const maxYears = 5;
const undatedYears = 2;
const yearMs = 365.25 * dayMs;

/** Characters of a question in which names are looked for. */
const maxQuestion = 2_000;

/** The standing of pages for this question. */
export function createWeigh({ question, today }: Pick<Brief, 'question' | 'today'>): Weigh {
  const text = question.slice(0, maxQuestion);
  const names = text.match(/\p{Lu}[\p{L}\p{N}]*(?:[ -]\p{Lu}[\p{L}\p{N}]*)*/gu) ?? [];
  const asked = new Set(
    names
      .flatMap((name) => [...name.split(/[ -]/), name.replace(/[ -]/g, '')])
      .map((name) => name.toLowerCase())
      .filter((name) => !stopWords.has(name)),
  );
  const now = Date.parse(today);
  const isRecent = asksForNow(text) || text.includes(today.slice(0, 4));
  return ({ url, published_at }) => {
    const kind = sourceKindOf(url, asked);
    const age = Math.max(0, (now - Date.parse(published_at ?? '')) / yearMs);
    const years = Number.isNaN(age) ? undatedYears : Math.min(maxYears, age);
    const places = (kind === undefined ? 0 : placesOf[kind]) - (isRecent ? placesPerYear * years : 0);
    return kind === undefined ? { places } : { kind, places };
  };
}
