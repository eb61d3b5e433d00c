/** Names of code that are written in camel case, in words. */

/** Before a capital, and after a digit only where a word begins: "md5Hash" has two words, "H2O" has one. */
const boundary = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{N})(?=\p{Lu}\p{Ll})/gu;

/** The text with a blank, or `between`, between the words of such names: "inStock" becomes "in Stock". */
export function splitCamelCase(text: string, between = ' '): string {
  return text.replace(boundary, between);
}
