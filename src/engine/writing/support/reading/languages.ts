/** In which language a text is, by its script and its commonest words. Enough to see that two texts differ; no more is needed. */
import { stopWords } from '../../../../base/text/stop-words.ts';
import type { Token } from './read-text.ts';

const lists: Readonly<Record<string, string>> = {
  en: 'the of and to in is was were are for that with on by from at it as an has have be which not this its their his her will',
  de: 'der die das und ist von den dem des ein eine einer einen im mit wurde nicht auf fur als auch sich es nach zu bei sie er am durch werden sind war hat aus seit',
  fr: 'le la les des et est une un du dans pour par sur avec au aux qui que pas plus a fut sont ete en ce cette il elle son sa ses ou',
  es: 'el la los las y es una un del en por con para que se su fue al no como mas desde son lo entre sus ha',
  it: 'il lo la gli le e di che un una del della nel per con sono stato fu da al si non dei alla anche dal',
  pt: 'o a os as e de do da em um uma que para com foi no na por se nao dos das ao pelo pela sao mais',
  nl: 'de het een en van is in op met voor zijn werd door dat te niet aan er ook uit bij naar door deze',
};
const byWord = new Map<string, string[]>();
for (const [language, list] of Object.entries(lists))
  for (const word of list.split(' ')) byWord.set(word, [...(byWord.get(word) ?? []), language]);

const scripts: readonly (readonly [RegExp, string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Han}/u, 'zh'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Cyrillic}/u, 'ru'],
  [/\p{Script=Greek}/u, 'el'],
  [/\p{Script=Arabic}/u, 'ar'],
  [/\p{Script=Hebrew}/u, 'he'],
  [/\p{Script=Devanagari}/u, 'hi'],
  [/\p{Script=Thai}/u, 'th'],
];

/** The language as a code of ISO 639-1, or undefined where the words do not tell. */
export function languageOf(tokens: readonly Token[]): string | undefined {
  const votes = new Map<string, number>();
  let scripted = 0;
  let english = 0;
  let words = 0;
  for (const { lower, kind } of tokens) {
    if (kind === 'mark' || kind === 'number') continue;
    words += 1;
    const script = /^[a-z\u0000-\u024f]/.test(lower)
      ? undefined
      : scripts.find(([pattern]) => pattern.test(lower))?.[1];
    if (script !== undefined) {
      votes.set(script, (votes.get(script) ?? 0) + 1);
      scripted += 1;
    }
    if (stopWords.has(lower)) english += 1;
    for (const language of byWord.get(lower) ?? []) votes.set(language, (votes.get(language) ?? 0) + 1);
  }
  // A few kana tell Japanese from Chinese.
  if (scripted > words / 3) return (votes.get('ja') ?? 0) > 0 ? 'ja' : [...votes].sort((a, b) => b[1] - a[1])[0]?.[0];
  const [first, second] = [...votes].sort((a, b) => b[1] - a[1]);
  // Short words are shared by many languages, and English has most of them.
  if (first === undefined || first[1] < 2 || (first[0] !== 'en' && 1.5 * english >= first[1]))
    return english >= 2 ? 'en' : undefined;
  return second === undefined || first[1] > second[1] ? first[0] : undefined;
}
