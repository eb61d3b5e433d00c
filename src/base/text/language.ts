/**
 * In which language a text is: by its script, else by its commonest words. Enough to tell seven languages of Latin script apart,
 * and scripts from one another; a text of other languages, or of too few common words, has none.
 */
import { languageWords, subjectWords, tellingWords } from './language-words.ts';
import { withoutMarks } from './stems/fold.ts';

const scripts: readonly (readonly [RegExp, string])[] = [
  // A few kana tell Japanese from Chinese.
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Han}/u, 'zh'],
  [/[іїєґ]/iu, 'uk'],
  [/\p{Script=Cyrillic}/u, 'ru'],
  [/\p{Script=Greek}/u, 'el'],
  [/[پچژگ]/u, 'fa'],
  [/\p{Script=Arabic}/u, 'ar'],
  [/\p{Script=Hebrew}/u, 'he'],
  [/\p{Script=Devanagari}/u, 'hi'],
  [/\p{Script=Thai}/u, 'th'],
];

// Set by hand on the tests of claims, questions and Wikipedias.
/** The share of the letters that must be of another script: a foreign name in an English text is not its language. */
const minScripted = 1 / 3;
/**
 * Common words that a language needs, and how many times more than English has of the same words: English shares most of them.
 */
const minWords = 2;
const overEnglish = 1.2;
/** What a telling first word counts. */
const telling = 2;

const byWord = new Map<string, string[]>();
for (const [language, words] of languageWords)
  for (const word of words)
    for (const form of new Set([word, withoutMarks(word)]))
      byWord.set(form, [...new Set([...(byWord.get(form) ?? []), language])]);

const swedish = /^(?:är|och|det|att|på|när|för|som|inte|jag)$/;

/** The language of lower-case words, with or without accents, as a code of ISO 639-1; undefined if they do not tell. */
export function languageOf(words: readonly string[]): string | undefined {
  const foreign = words.filter((word) => /^[^\p{Script=Latin}\p{N}\p{P}\p{S}]/u.test(word)).join('');
  const all = words.reduce((sum, { length }) => sum + length, 0);
  if (foreign.length > minScripted * all) return scripts.find(([script]) => script.test(foreign))?.[1];
  const votes = new Map<string, number>();
  const vote = (language: string, count: number) => votes.set(language, (votes.get(language) ?? 0) + count);
  for (const word of words) for (const language of byWord.get(word) ?? []) vote(language, 1);
  for (const word of words) if (subjectWords.has(word)) vote(subjectWords.get(word)!, 1);
  const told = tellingWords.get(words[0] ?? '');
  if (told !== undefined) vote(told, telling);
  // English has these letters in names, and Swedish words of German beside its own.
  if (votes.has('de') && !votes.has('en') && hasUmlaut(words)) vote('de', 1);
  const [first, second] = [...votes].sort((a, b) => b[1] - a[1]);
  if (first === undefined || first[1] < minWords || first[1] === second?.[1]) return undefined;
  const english = votes.get('en') ?? 0;
  if (first[0] === 'en' || first[1] >= overEnglish * english) return first[0];
  return english >= minWords ? 'en' : undefined;
}

function hasUmlaut(words: readonly string[]): boolean {
  return words.some((word) => /[äöüß]/.test(word)) && !words.some((word) => swedish.test(word));
}

/** How many characters of a text tell its language; set by hand. */
const maxCharacters = 1_000;

/** The language of a text, by its beginning. */
export function languageOfText(text: string): string | undefined {
  const lower = text.slice(0, maxCharacters).toLowerCase();
  // Marks that no other language has.
  if (/[¿¡]\s*\p{L}/u.test(lower)) return 'es';
  const words: readonly string[] = lower.match(/[\p{L}\p{M}]+/gu) ?? [];
  return languageOf(words) ?? (isGermanNotDutch(text, words) ? 'de' : undefined);
}

/** "Wie … die" is German or Dutch; only German has capitals for its nouns: "Wie funktioniert die Heizung?" */
function isGermanNotDutch(text: string, words: readonly string[]): boolean {
  const common = words.filter((word) => byWord.get(word)?.includes('de'));
  return (
    words[0] === 'wie' &&
    common.length >= minWords &&
    common.every((word) => !byWord.get(word)!.includes('en')) &&
    /\p{L} \p{Lu}\p{Ll}/u.test(text)
  );
}
