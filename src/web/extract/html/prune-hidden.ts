/**
 * Removes what visitors do not see: short hidden text is meant for machines, a trap for form bots or an attack, and the sign
 * that links a heading to itself (¶, #) is visible only on hover. Hidden parts that scripts may show are left to the
 * classifier: panels of tabs and accordions, and long parts, which are the page itself when a framework streams it.
 */
import { rawText } from './blocks.ts';
import { type HtmlElement, isHidden, nameOf } from './html-tree.ts';
import { readFormulas } from './read-formulas.ts';

/** Hidden text of this many characters is kept; set by hand. */
const minKeptChars = 1_500;

/** Removes hidden elements from the tree, in place. Formulas, whose source is hidden, are read before. */
export function pruneHidden(root: HtmlElement): void {
  readFormulas(root);
  prune(root);
}

function prune(element: HtmlElement): void {
  const { children } = element;
  for (let at = children.length - 1; at >= 0; at -= 1) {
    const child = children[at]!;
    if (typeof child === 'string') continue;
    const unseen = isPermalink(child) || (isHidden(child) && !isPanel(child) && rawText(child).length < minKeptChars);
    if (unseen) children.splice(at, 1);
    else prune(child);
  }
}

/** Whether it links to a fragment of the page and has no letter or digit in its text. */
function isPermalink(element: HtmlElement): boolean {
  return (
    element.name === 'a' &&
    element.attribs.href?.startsWith('#') === true &&
    /^[^\p{L}\p{N}]{1,8}$/u.test(rawText(element).trim())
  );
}

/** Judged by its name, its parent's and its only child's, because the hidden layer itself often has no name. */
function isPanel(element: HtmlElement): boolean {
  const inner = element.children.filter((child): child is HtmlElement => typeof child !== 'string');
  const named = [
    element,
    ...(element.parent === undefined ? [] : [element.parent]),
    ...(inner.length === 1 ? inner : []),
  ];
  return (
    element.attribs.role === 'tabpanel' ||
    named.some((each) => /tab|panel|accordion|collaps|faq|answer|^\s*s:\d/i.test(nameOf(each)))
  );
}
