/**
 * Prepares text for full-text search, for pages and queries alike, before SQLite's tokenizer (which folds case and diacritics
 * and stems English words):
 * - Markdown markup and link targets are removed;
 * - an identifier is followed by its parts: `headersTimeout` is found by its name and by "headers timeout";
 * - a name without letters, `$?`, has a word of its own at the end;
 * - a run of a script without spaces (Chinese, Japanese, Korean, Thai …) becomes its overlapping pairs of characters;
 * - letters beyond ASCII are written without accents and marks, as SQLite's tokenizer does for Latin letters only.
 */

import { splitCamelCase } from '../../base/text/names/camel-case.ts';
import { symbolNamesIn, symbolsAsked, wordOfSymbol } from '../../base/text/names/symbol-names.ts';
import { plainWordsIn } from '../../base/text/plain-words.ts';
import { fold } from '../../base/text/stems/fold.ts';
import { plainInline } from './markdown-blocks.ts';

/** The text to index for a passage, heading or title. */
export function wordsToIndex(markdown: string): string {
  const text = withoutTargets(markdown);
  return withSymbols(foldText(spreadWords(plainInline(text), true)), text);
}

/** The distinct words of a query in order, lower case: only letters, digits and marks. */
export function wordsOfQuery(text: string): string[] {
  return [...new Set([...wordsAsIndexed(text), ...symbolsAsked(text).map(wordOfSymbol)])];
}

/** The words of a text in order, as in `wordsOfQuery`, repetitions included. */
export function wordsAsIndexed(text: string): string[] {
  const spread = spreadWords(text.toWellFormed(), false).toLowerCase();
  return plainWordsIn(withSymbols(spread, text)).filter((word) => /[\p{L}\p{N}]/u.test(word));
}

/** A word as it is indexed: in lower case without accents; a word of a script without spaces is returned as it is. */
export function foldWord(word: string): string {
  return isAscii(word) || !isUnspaced(word) ? fold(word) : word;
}

/** Whether a text has letters that are folded here and would not be by SQLite's tokenizer. */
export function hasFoldedLetters(text: string): boolean {
  return foldedLetter.test(text);
}

/** Whether a word belongs to a script that is written without spaces. */
export function isUnspaced(word: string): boolean {
  return unspaced.test(word);
}

/** Whether a word is a single character of such a script, which matches every pair that begins with it. */
export function isSingle(word: string): boolean {
  return isUnspaced(word) && [...word].length === 1;
}

const scripts = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
const unspacedClass = `[${scripts.map((script) => `\\p{Script=${script}}`).join('')}ー々]`;
const unspaced = new RegExp(unspacedClass, 'u');
const foldedLetter = new RegExp(`[ßæœøłđðþħı]|(?!\\p{Script=Latin}|${unspacedClass})[\\p{L}\\p{M}]`, 'iu');
const unspacedRun = new RegExp(`${unspacedClass}+`, 'gu');

/** With `lastAlone`, a run's last character is also added alone, so that a search for one character finds it. */
function spreadWords(text: string, lastAlone: boolean): string {
  const composed = isAscii(text) ? text : text.normalize('NFKC');
  const spread = composed.replace(/[A-Za-z0-9]+/g, withParts);
  if (!unspaced.test(spread)) return spread;
  return spread.replace(unspacedRun, (run) => {
    const characters = [...run];
    const pairs = characters.slice(1).map((character, at) => `${characters[at]}${character}`);
    if (lastAlone || characters.length === 1) pairs.push(characters.at(-1) ?? '');
    return ` ${pairs.join(' ')} `;
  });
}

function foldText(text: string): string {
  return isAscii(text) ? text : text.replace(/[^\x00-\xbf]+/g, foldWord);
}

/** Words, and those of the names without letters that a text has. */
function withSymbols(words: string, text: string): string {
  const names = symbolNamesIn(text);
  return names.length === 0 ? words : `${words} ${names.map(wordOfSymbol).join(' ')}`;
}

function withParts(word: string): string {
  if (!/[a-z][A-Z]|[A-Z]{2}[a-z]|[A-Za-z]{2}\d/.test(word)) return word;
  const parts = splitCamelCase(word)
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/([A-Za-z]{2})(\d)/g, '$1 $2');
  return parts === word ? word : `${word} ${parts}`;
}

/** Removes reference definitions and comments, which are not words, and unwraps autolinks. */
function withoutTargets(markdown: string): string {
  return markdown
    .replace(/<!--[\s\S]{0,5000}?-->/g, ' ')
    .replace(/^ {0,3}\[[^\][\n]{1,200}\]:[^\n]*$/gm, ' ')
    .replace(/<(https?:\/\/[^\s<>]{1,2000})>/g, ' $1 ');
}

function isAscii(text: string): boolean {
  return !/[^\x00-\x7f]/.test(text);
}
