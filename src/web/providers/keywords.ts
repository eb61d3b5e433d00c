/** A question as keywords, for services that look for every word of a query. */
import { languageWords } from '../../base/text/language-words.ts';

/** French and Italian articles and the like that are written together with the next word. */
const elided = /(?<!\p{L})(?:l|d|qu|n|s|c|j|un|dell|nell|all|sull|dall|dov|cos)['’](?=\p{L})/giu;

/**
 * The text without punctuation and question words, at most 300 characters. Without the punctuation alone if nothing else is left.
 */
export function withoutQuestionWords(text: string, language = 'en'): string {
  const plain = text.slice(0, 2_000).replace(/["“”„«»¿¡?!:;()[\]{}~|\\^*<>/]+/g, ' ');
  const bare = language === 'fr' || language === 'it' ? plain.replace(elided, '') : plain;
  const empty = languageWords.get(language) ?? new Set<string>();
  const kept = bare.replace(/[\p{L}\p{M}]+/gu, (word) => (empty.has(word.toLowerCase()) ? ' ' : word));
  const short = kept.replace(/\s+/g, ' ').trim();
  return (short === '' ? bare.trim() : short).slice(0, 300);
}

/** The words and numbers of that, lower case, each once, at most `max`: none of them can be an operator of a query language. */
export function keywordsOf(text: string, max: number): string[] {
  const words =
    withoutQuestionWords(text)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+(?:[-.'’][\p{L}\p{N}]+)*/gu) ?? [];
  return [...new Set(words)].slice(0, max);
}
