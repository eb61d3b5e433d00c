/**
 * In which language Wikipedia is asked: that of the request, or that of the question by its script and its commonest words.
 * The result is always one of a fixed list of codes, because it becomes part of a host's name.
 */
import type { WebQuery } from '../../engine/ports/web.ts';
import { questionWords, telling } from './question-words.ts';

/** Wikipedias with over 100,000 articles that readers of these languages use. */
const editions: ReadonlySet<string> = new Set(
  `ar bg bn ca cs da de el en es et eu fa fi fr gl he hi hr hu hy id it ja ka ko lt lv ms nl no pl pt ro ru sk sl sr sv ta th
  tr uk ur vi zh`.split(/\s+/),
);

const scripts: readonly (readonly [RegExp, string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Han}/u, 'zh'],
  [/[іїєґ]/iu, 'uk'],
  [/\p{Script=Cyrillic}/u, 'ru'],
  [/\p{Script=Greek}{3}/u, 'el'],
  [/[پچژگ]/u, 'fa'],
  [/\p{Script=Arabic}/u, 'ar'],
  [/\p{Script=Hebrew}/u, 'he'],
  [/\p{Script=Devanagari}/u, 'hi'],
  [/\p{Script=Thai}/u, 'th'],
];

/** A code from the list of editions; `en` where the query does not tell, or there is no such edition. */
export function wikiLanguage({ text, language }: Pick<WebQuery, 'text' | 'language'>): string {
  const asked = language?.toLowerCase().split('-', 1)[0];
  if (asked !== undefined) return editions.has(asked) ? asked : asked === 'nb' ? 'no' : 'en';
  const words =
    text
      .slice(0, 1_000)
      .toLowerCase()
      .match(/[\p{L}\p{M}]+/gu) ?? [];
  // A foreign name in an English question is not its language.
  const foreign = words.filter((word) => !/^\p{Script=Latin}/u.test(word)).join(' ');
  if (foreign.length > words.join(' ').length / 3) return scripts.find(([script]) => script.test(foreign))?.[1] ?? 'en';
  const distinct = new Set(words);
  const votes = [...questionWords].map(([code, list]) => ({
    code,
    count: [...distinct].filter((word) => list.has(word)).length + (telling[words[0] ?? ''] === code ? 2 : 0),
  }));
  const [first, second] = votes.sort((a, b) => b.count - a.count);
  return first!.count >= 2 && first!.count > second!.count ? first!.code : 'en';
}
