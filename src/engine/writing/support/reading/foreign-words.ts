/**
 * What common words of other languages mean: foreign-words.txt, read when the first claim in another language than its source needs
 * it. Words are found by their beginnings, and compounds of German and Dutch by their ends.
 */
import { readFileSync } from 'node:fs';
import { formOf } from './word-forms.ts';

/** Letters of the shortest beginning, and of the shortest end of a compound. */
const minLetters = { beginning: 3, end: 6 };

let read: Map<string, Set<string>> | undefined;
let english: Set<string> | undefined;

/** Whether the list says how other languages say an English word, by its stem. */
export function isTranslated(stem: string): boolean {
  read ??= readWords();
  english ??= new Set([...read.values()].flatMap((stems) => [...stems]));
  return english.has(stem);
}

/** The stems of the English words that a word means, in lower case and without accents; empty if it is not known. */
export function meaningsOf(lower: string): ReadonlySet<string> {
  read ??= readWords();
  const whole = read.get(`${lower}=`);
  if (whole !== undefined) return whole;
  for (let length = lower.length; length >= minLetters.beginning; length -= 1) {
    const found = read.get(lower.slice(0, length));
    if (found !== undefined) return found;
  }
  for (let at = 3; at <= lower.length - minLetters.end; at += 1) {
    const found = read.get(lower.slice(at));
    if (found !== undefined) return found;
  }
  return none;
}

const none: ReadonlySet<string> = new Set();

function readWords(): Map<string, Set<string>> {
  const words = new Map<string, Set<string>>();
  for (const line of readFileSync(new URL('./foreign-words.txt', import.meta.url), 'utf8').split(/\r?\n/)) {
    const [english = '', beginnings] = line.split(': ');
    if (beginnings === undefined || line.startsWith('#')) continue;
    for (const word of beginnings.split(' ')) words.set(word, (words.get(word) ?? new Set()).add(formOf(english).stem));
  }
  return words;
}
