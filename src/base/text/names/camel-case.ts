/** Names of code that are written in camel case, in words. */

/**
 * Before a capital; after a digit only where a word begins, or between small letters and several capitals: "md5Hash" and "s3URL" have two
 * words, "H2O" and "Na2CO3" have one.
 */
const boundary =
  /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{N})(?=\p{Lu}\p{Ll})|(?<=\p{Ll}\p{N}{1,4})(?<!(?<!\p{L})\p{Lu}\p{Ll}\p{N}{1,4})(?=\p{Lu}{2})/gu;

/** The text with a blank, or `between`, between the words of such names: "inStock" becomes "in Stock". */
export function splitCamelCase(text: string, between = ' '): string {
  return text.replace(boundary, between);
}
