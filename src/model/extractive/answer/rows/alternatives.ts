/** A question for either of two things as two questions: "Which boats are on rack 3 or rack 1?" asks for those on rack 3 and those on rack 1. */

import type { StemmedLanguage } from '../../../../base/text/stems/foreign-stemmer.ts';

/** "or" and "and" by language. */
const conjunctions: Readonly<Record<StemmedLanguage | 'en', readonly [or: string, and: string]>> = {
  en: ['or', 'and'],
  de: ['oder', 'und'],
  fr: ['ou', 'et'],
  es: ['o|u', 'y|e'],
  it: ['o|oppure', 'e|ed'],
  nl: ['of', 'en'],
  pt: ['ou', 'e'],
};
const patterns = new Map(
  Object.entries(conjunctions).map(([language, [or, and]]) => [
    language,
    new RegExp(`^(.{1,300}?) (?:(${or})|${and}) (.{1,300})$`, 'iu'),
  ]),
);
/** Words before "or" among which the first word after it may be said already: "rack" of "rack 3 or rack 1". Set by hand. */
const maxWords = 3;

/** Both questions; undefined if it names no two things. `isOr` if it says that either will do. */
export function splitAlternatives(
  question: string,
  language: StemmedLanguage | undefined,
): { readonly questions: readonly [string, string]; readonly isOr: boolean } | undefined {
  const [, left = '', or, right = ''] = patterns.get(language ?? 'en')?.exec(question) ?? [];
  const before = left.split(' ');
  const after = right.split(' ');
  if (before.length < 2) return undefined;
  const at = before.findLastIndex((word) => word.toLowerCase() === after[0]!.toLowerCase());
  // "Ada Ruiz or Bo Prado"
  const names = before.length - 1 - before.findLastIndex((word) => !/^\p{Lu}/u.test(word));
  const isOfNames = names > 1 && after.slice(0, names).every((word) => /^\p{Lu}/u.test(word));
  const count = at > 0 && before.length - at <= maxWords ? before.length - at : isOfNames ? names : 1;
  if (after.length < count) return undefined;
  const rest = after.slice(count);
  const other = after.slice(0, count);
  const end = /[?.!]+$/.exec(right)?.[0] ?? '';
  const one = [...before, ...rest].join(' ');
  return {
    questions: [rest.length === 0 ? `${one}${end}` : one, [...before.slice(0, -count), ...other, ...rest].join(' ')],
    isOr: or !== undefined,
  };
}
