/** Where an address written in a text ends. */

const plain = String.raw`[^\s<>"'\`()\]}]`;
/** An apostrophe within a name, "Moore's_law", and not a quotation mark after the address. */
const apostrophe = String.raw`'(?=[\w%-])`;
const inside = `(?:${plain}|${apostrophe})`;

/**
 * The source of a pattern for one part of an address: a character, or a whole "(planet)". A parenthesis that closes nothing
 * in the address ends it, as in "(https://a.example/b)". Each text matches in only one way, so that repeating it is safe.
 */
export const addressPart = String.raw`(?:${inside}|\(${inside}*\)|\((?!${inside}*\)))`;
