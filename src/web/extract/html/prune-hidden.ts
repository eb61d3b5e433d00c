/**
 * Removes what visitors do not see: short hidden text is meant for machines, a trap for form bots or an attack, and the sign
 * that links a heading to itself (¶, #) is visible only on hover. The same goes for the links that edit a section of a wiki, and for the
 * numbers of the lines of code, which would be quoted as if they were part of it. Hidden parts that scripts may show are left to the
 * classifier: panels of tabs and accordions, and long parts, which are the page itself when a framework streams it.
 */
import { rawText } from './blocks.ts';
import { type HtmlElement, type HtmlNode, isHidden, nameOf, replaceChildren } from './html-tree.ts';
import { readFormulas } from './read-formulas.ts';

/** Hidden text of this many characters is kept; set by hand. */
const minKeptChars = 1_500;

/** Removes hidden elements from the tree, in place. Formulas, whose source is hidden, are read before. */
export function pruneHidden(root: HtmlElement): void {
  readFormulas(root);
  prune(root);
}

function prune(element: HtmlElement): void {
  const seen = element.children.filter((child) => typeof child === 'string' || !isUnseen(child));
  if (seen.length < element.children.length) replaceChildren(element, seen);
  for (const child of seen) if (typeof child !== 'string') prune(child);
}

function isUnseen(element: HtmlElement): boolean {
  return (
    isPermalink(element) ||
    isEditLink(element) ||
    isLineNumber(element) ||
    (isHidden(element) && !isPanel(element) && rawText(element).length < minKeptChars)
  );
}

/** Whether it links to a fragment of the page and has no letter or digit in its text. */
function isPermalink(element: HtmlElement): boolean {
  return (
    element.name === 'a' &&
    element.attribs.href?.startsWith('#') === true &&
    /^[^\p{L}\p{N}]{1,8}$/u.test(rawText(element).trim())
  );
}

/** The "[edit]" beside each heading of a wiki of MediaWiki. */
function isEditLink({ attribs }: HtmlElement): boolean {
  return /(?:^|\s)mw-editsection(?:\s|$)/.test(attribs.class ?? '');
}

/** The classes that programs which highlight code give to the numbers of its lines, and to the cell of all of them. */
const lineNumbers =
  /(?:^|\s)(?:linenos?|lineno(?:div)?|line-?numbers?|lnt?|gutter|rouge-gutter|hljs-ln-numbers|blob-num)(?:\s|$)/i;

/** Whether it is the number of a line of code, or a column of them, which is not part of the code. */
function isLineNumber(element: HtmlElement): boolean {
  // `line-numbers` on the code itself asks a script for numbers.
  if (element.name === 'code' || !lineNumbers.test(element.attribs.class ?? '')) return false;
  const text = rawText(element);
  return text.length < maxNumberChars && /^[\s\d]*\d[\s\d]*$/.test(text) && isOfCode(element);
}

/** Characters of a column of numbers, of 20,000 lines; set by hand. */
const maxNumberChars = 120_000;

/** Whether it is within code, or a cell beside one with code. */
function isOfCode({ parent }: HtmlElement): boolean {
  if (parent?.name === 'tr') return parent.children.length <= maxCells && parent.children.some(isCode);
  for (let at = parent, up = 0; at !== undefined && up < 6; at = at.parent, up += 1)
    if (codeTags.has(at.name)) return true;
  return false;
}

/** Cells and spaces of a row of code: one with its numbers, and one with the code. Set by hand. */
const maxCells = 8;

const codeTags: ReadonlySet<string> = new Set(['pre', 'code']);

/** Whether a cell has nothing but code: a cell with words is of a table in which the number may be a value. */
function isCode(cell: HtmlNode): boolean {
  if (typeof cell === 'string') return false;
  if (codeTags.has(cell.name)) return true;
  const inner = cell.children.filter((child) => typeof child !== 'string' || child.trim() !== '');
  return inner.length > 0 && inner.every(isCode);
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
