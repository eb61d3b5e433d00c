/**
 * Inserts a space between words that only a style sheet separates, such as adjacent links, or a name and its value in two
 * spans. Parts of one word stay together: a drop cap, an emphasised syllable, code, and scripts written without spaces.
 */
import { type HtmlElement, type HtmlNode, replaceChildren } from './html-tree.ts';

const wrappers = new Set(['a', 'span', 'time']);
const codeTags = new Set(['pre', 'code', 'kbd', 'samp', 'tt']);
const unspaced = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const letter = String.raw`(?![${unspaced}])[\p{L}\p{N}]`;
/** In a link one letter can be a word, as in a row of page numbers; elsewhere a word has two or more. */
const ends = { link: new RegExp(`${letter}$`, 'u'), other: new RegExp(`${letter}${letter}$`, 'u') };
const starts = { link: new RegExp(`^${letter}`, 'u'), other: new RegExp(`^${letter}${letter}`, 'u') };

/** Elements that hold names and values too, but also parts of words, which a number or a colon tells apart. */
const emphases = new Set([...wrappers, 'b', 'strong', 'em', 'i']);
/**
 * A name and the number that is its value, as "Doors" and "3". After one or two letters, or capitals, it is part of the word: CO2, MP3.
 */
const beforeNumber = /(?:\p{L}{3}|\p{Lu}\p{Ll}|\p{L}-\p{Ll})\p{Ll}$/u;
const number = /^[\d½⅓⅔¼¾⅛]/u;
/** A number and what it counts, as "3" and "eggs", or "½" and "l"; a few letters after digits are the end of an ordinal, as in 3rd. */
const oneDigit = /(?:^|[^\p{L}\p{N}.,])\d$/u;
const counted = new RegExp(`^(?!ième)(?:${letter}){4}`, 'u');
const fraction = /[½⅓⅔¼¾⅛]$/u;
const label = /\p{L}{2}:$/u;

/** Inserts the spaces into the tree, in place. */
export function separateWords(element: HtmlElement): void {
  if (codeTags.has(element.name)) return;
  const { children } = element;
  const spaced: HtmlNode[] = [];
  let before: HtmlNode | undefined;
  for (const child of children) {
    if (typeof child !== 'string') {
      separateWords(child);
      if (before !== undefined && typeof before !== 'string' && areTwoWords(before, child)) spaced.push(' ');
    }
    spaced.push(child);
    before = child;
  }
  // One by one they would be moved once for each space.
  if (spaced.length > children.length) replaceChildren(element, spaced);
}

function areTwoWords(left: HtmlElement, right: HtmlElement): boolean {
  if (!emphases.has(left.name) || !emphases.has(right.name)) return false;
  const end = outermost(left, -1);
  const start = outermost(right, 0);
  if (beforeNumber.test(end) && number.test(start)) return true;
  if (label.test(end) && starts.link.test(start)) return true;
  if (!wrappers.has(left.name) || !wrappers.has(right.name)) return false;
  if (fraction.test(end) && starts.link.test(start)) return true;
  if (oneDigit.test(end) && counted.test(start)) return true;
  const kind = left.name === 'a' && right.name === 'a' ? 'link' : 'other';
  return ends[kind].test(end) && starts[kind].test(start);
}

/** The first or last text node inside. */
function outermost(node: HtmlNode, which: 0 | -1): string {
  let at: HtmlNode | undefined = node;
  while (at !== undefined && typeof at !== 'string') at = at.children.at(which);
  return at ?? '';
}
