/** Where an address written in a text ends. */

/**
 * Marks of other scripts and of typography. After them, Chinese or Japanese text goes on without a space; in an address they are
 * written in their encoded form.
 */
const foreignMarks = '。，、；：！？．｡､（）［］｛｝「」『』【】〔〕〈〉《》“”„«»‹›…—،؛؟۔।॥';
/** Whether a text begins with one of them. */
export const startsWithForeignMark = new RegExp(`^[${foreignMarks}]`);
const plain = String.raw`[^\s<>"'’\`()\]}${foreignMarks}]`;
/** An apostrophe within a name, "Moore's_law", and not a quotation mark after the address. */
const apostrophe = String.raw`['’](?=[\w%-])`;
const inside = `(?:${plain}|${apostrophe})`;

/**
 * The source of a pattern for one part of an address: a character, or a whole "(planet)". A parenthesis that closes nothing
 * in the address ends it, as in "(https://a.example/b)". Each text matches in only one way, so that repeating it is safe.
 */
export const addressPart = String.raw`(?:${inside}|\(${inside}*\)|\((?!${inside}*\)))`;
