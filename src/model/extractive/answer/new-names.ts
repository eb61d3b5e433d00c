/** The names that a sentence introduces: those that a question has not. */
import { months } from '../../../base/text/dates/months.ts';
import { functionWords } from '../../../base/text/stop-words.ts';
import { weightOf } from '../question/analyse.ts';
import { findNames } from '../text/values.ts';
import { stemOf } from '../text/words.ts';

/** Rarity of a word, 0 to 1, below which it only begins the sentence and is no name. Set by hand. */
const minRarity = 0.99;
const monthNames: ReadonlySet<string> = new Set(months);

/** In the order of the sentence, each once; no months, and no common words with which it begins. */
export function newNamesIn(sentence: string, known: string): string[] {
  const lower = known.toLowerCase();
  const names = findNames(sentence).flatMap(({ text, start }) => {
    const words = text.split(/\s+/);
    // "In Marlow", "Travellers reach …": the first word of a sentence has its capital for that alone.
    while (words.length > 0 && (start > 0 ? isFunctionWord(words[0]!) : isPlainWord(words[0]!))) words.shift();
    const name = words.join(' ');
    const isDate = monthNames.has(words[0] ?? '') || !/^\p{Lu}/u.test(name);
    return isDate || lower.includes(name.toLowerCase()) ? [] : [name];
  });
  return [...new Set(names)];
}

function isFunctionWord(word: string): boolean {
  return functionWords.has(word.toLowerCase());
}

function isPlainWord(word: string): boolean {
  return isFunctionWord(word) || weightOf(stemOf(word.toLowerCase())) < minRarity;
}
