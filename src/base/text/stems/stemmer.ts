/**
 * Stems of English words (M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980) as SQLite's `porter`
 * tokenizer makes them: what the index matched is found again in the text of a passage.
 */
import { stemmer } from 'stemmer';

/** SQLite stops at 64 bytes; no English word is as long, and the expressions of the package are not linear. */
const maxLength = 60;

/** The stem of a lower-case word; a word with anything but a–z, or longer than 60 letters, is returned as it is. */
export function stem(word: string): string {
  return word.length <= maxLength && /^[a-z]+$/.test(word) ? stemmer(word) : word;
}
