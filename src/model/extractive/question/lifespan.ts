/**
 * When somebody was born and died, as pages say it where they say who that is: "Ada Merrow (3 May 1810 – 9 June 1849)". No word of
 * "When did Ada Merrow die?" but the name is there.
 */
import { stemOf } from '../text/words.ts';
import type { AnalysedQuestion } from './analyse.ts';

const lifeStems: ReadonlySet<string> = new Set(['born', 'birth', 'die', 'death'].map((word) => stemOf(word)));
const year = String.raw`(?<!\d)[12]\d{3}(?!\d)`;
/** Not "(r. 1810–1849)", which is a reign. */
const lifespan = new RegExp(
  String.raw`\p{Lu}[\p{L}.'’-]* \((?:[^()]{0,200}?[;,] )?(?:(?:born|b\.) [^();]{0,30}${year}|(?!r\. )[^();]{0,30}${year} ?[–-] ?(?:[^();]{0,20} )?${year}\))`,
  'u',
);

/** Whether a text has the years of a life in parentheses after a name. */
export function hasLifespan(text: string): boolean {
  return lifespan.test(text);
}

/** The indexes of the terms that a lifespan says: of "die" in "When did Ada Merrow die?"; none where no time is asked for. */
export function lifeTermsOf({ kind, terms }: Pick<AnalysedQuestion, 'kind' | 'terms'>): number[] {
  if (kind !== 'date' && kind !== 'year') return [];
  return terms.flatMap(({ stem }, term) => (lifeStems.has(stem) ? [term] : []));
}
