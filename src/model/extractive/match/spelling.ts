/**
 * Misspelt words of a question: "how long is the guarnatee?". A few pages are found whatever the question says, so that their own words tell
 * what was meant.
 */
import { stopWords } from '../../../base/text/stop-words.ts';
import { weights } from '../rank/weights.ts';
import type { Source } from '../text/passages.ts';
import { stemOf } from '../text/words.ts';
import { everydayTexts } from './everyday.ts';
import { synonyms } from './synonyms.ts';

/** Letters of the shortest word that is corrected; shorter ones have too many neighbours. Set by hand. */
const minLetters = 5;
/** Characters of the longest text that is corrected: each of its words may be compared with all of the pages. Set by hand. */
const maxCharacters = 500;

/** Stems of English words, whether or not the pages have them. */
let known: Set<string> | undefined;

/**
 * The text with each word that is neither English nor in the sources, and one slip away from a single word of theirs, replaced by that: a
 * letter too many, missing, wrong, or two that changed places. Never the first letter, and no name by another one. A long text is returned as it is.
 */
export function correctSpelling(text: string, sources: readonly Source[]): string {
  if (text.length > maxCharacters) return text;
  const words = longWordsIn(sources);
  return text.replace(/(?<![\p{L}\p{N}])\p{L}[\p{Ll}’']+(?![\p{L}\p{N}])/gu, (written, at: number) => {
    const word = written.toLowerCase();
    if (word.length < minLetters || words.has(word) || isKnown(word)) return written;
    const near = [...words].filter((each) => each[0] === word[0] && isOneSlip(word, each));
    const [meant] = near;
    if (meant === undefined || new Set(near.map(stemOf)).size > 1) return written;
    const isName = written !== word && /[^\s.?!]\s*$/u.test(text.slice(0, at)) && !isKnown(meant);
    if (isName) return written;
    return written === word ? meant : `${meant[0]!.toUpperCase()}${meant.slice(1)}`;
  });
}

function longWordsIn(sources: readonly Source[]): ReadonlySet<string> {
  const text = sources.map((source) => `${source.title} ${source.headings} ${source.text}`).join(' ');
  return new Set(text.toLowerCase().match(/(?<![\p{L}\p{N}])\p{L}{4,40}(?![\p{L}\p{N}])/gu));
}

function isKnown(word: string): boolean {
  known ??= new Set(
    [...(everydayTexts().match(/[a-z]{3,}/gi) ?? []), ...stopWords].map((each) => stemOf(each.toLowerCase())),
  );
  const stem = stemOf(word);
  return known.has(stem) || weights.idf.has(stem) || synonyms.has(stem);
}

/** Whether a letter more, less or other, or two exchanged, make one of the other. */
function isOneSlip(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const [restOfOne, restOfOther] = [one.slice(at), other.slice(at)];
  if (one.length < other.length) return restOfOne === restOfOther.slice(1);
  if (one.length > other.length) return restOfOne.slice(1) === restOfOther;
  const areExchanged = restOfOne[0] === restOfOther[1] && restOfOne[1] === restOfOther[0];
  return restOfOne.slice(1) === restOfOther.slice(1) || (areExchanged && restOfOne.slice(2) === restOfOther.slice(2));
}
