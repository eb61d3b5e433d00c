/** The words of a text, whatever its language. */

const word = /[\p{L}\p{N}\p{M}]+/gu;

/** Runs of letters, digits and the marks that belong to letters, in order and as written. */
export function plainWordsIn(text: string): string[] {
  return text.match(word) ?? [];
}

/** The same words in lower case. */
export function lowerWordsIn(text: string): string[] {
  return plainWordsIn(text.toLowerCase());
}
