/**
 * Inserts a space between words that only a style sheet separates, such as adjacent links, or a name and its value in two
 * spans. Parts of one word stay together: a drop cap, an emphasised syllable, code, and scripts written without spaces.
 */
import type { HtmlElement, HtmlNode } from './html-tree.ts';

const wrappers = new Set(['a', 'span', 'time']);
const codeTags = new Set(['pre', 'code', 'kbd', 'samp', 'tt']);
const unspaced = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const letter = String.raw`(?![${unspaced}])[\p{L}\p{N}]`;
/** In a link one letter can be a word, as in a row of page numbers; elsewhere a word has two or more. */
const ends = { link: new RegExp(`${letter}$`, 'u'), other: new RegExp(`${letter}${letter}$`, 'u') };
const starts = { link: new RegExp(`^${letter}`, 'u'), other: new RegExp(`^${letter}${letter}`, 'u') };

/** Inserts the spaces into the tree, in place. */
export function separateWords(element: HtmlElement): void {
  if (codeTags.has(element.name)) return;
  const { children } = element;
  for (let at = children.length - 1; at >= 0; at -= 1) {
    const child = children[at]!;
    if (typeof child === 'string') continue;
    separateWords(child);
    const before = children[at - 1];
    if (before !== undefined && typeof before !== 'string' && areTwoWords(before, child)) children.splice(at, 0, ' ');
  }
}

function areTwoWords(left: HtmlElement, right: HtmlElement): boolean {
  if (!wrappers.has(left.name) || !wrappers.has(right.name)) return false;
  const kind = left.name === 'a' && right.name === 'a' ? 'link' : 'other';
  return ends[kind].test(outermost(left, -1)) && starts[kind].test(outermost(right, 0));
}

/** The first or last text node inside. */
function outermost(node: HtmlNode, which: 0 | -1): string {
  let at: HtmlNode | undefined = node;
  while (at !== undefined && typeof at !== 'string') at = at.children.at(which);
  return at ?? '';
}
