/**
 * Formulas of a page, each as one inline element `math` with its text. Pages have a formula up to three times: as MathML, which
 * style sheets hide, as a source in TeX, and as a picture or pieces of letters for the eye. What the author wrote is read, TeX
 * before MathML, and the other forms are dropped.
 */
import { type HtmlElement, type HtmlNode, nameOf } from './html-tree.ts';

/** Elements of programs that show formulas, around all the forms of one: KaTeX, MediaWiki and MathJax. */
const wrapper = /(?:^|\s)(?:katex(?:-display)?|mwe-math-element|mjx-container|MathJax)(?:\s|$)/;
/** Pictures whose alternative text is TeX. */
const picture = /(?:^|\s)(?:mwe-math-fallback-image-\w+|tex|latex)(?:\s|$)/;
/** Parts that are put together without a sign or brackets of their own, as in formulas of Word. */
const isSimple = /^(?:[\p{L}\p{N}.,]*|\([^()]*\))$/u;

/** Replaces the formulas in a tree, in place; to be done before hidden elements are removed. */
export function readFormulas(root: HtmlElement): void {
  visit(root, false);
}

/** `isSearched` says that the elements around it were searched, so that nothing is searched twice. */
function visit(element: HtmlElement, isSearched: boolean): void {
  const { children } = element;
  for (const [at, child] of children.entries()) {
    if (typeof child === 'string') continue;
    const isWrapper = /^(?:span|mjx-container)$/.test(child.name) && wrapper.test(nameOf(child));
    const formula = isWrapper && isSearched ? undefined : formulaIn(child, isWrapper);
    if (formula === undefined) visit(child, isSearched || isWrapper);
    else children[at] = { ...child, name: 'math', parent: element, attribs: {}, children: [formula] };
  }
}

/** The text of an element that is a formula, in any form; undefined if it is none, or has no text. */
function formulaIn(element: HtmlElement, isWrapper = false): string | undefined {
  let text: string | undefined;
  if (localName(element) === 'math') text = textOf(element);
  else if (element.name === 'img' && picture.test(nameOf(element))) text = readableTex(element.attribs.alt ?? '');
  else if (isWrapper) {
    const math = find(element, (each) => localName(each) === 'math');
    const image = math ?? find(element, (each) => each.name === 'img' && picture.test(nameOf(each)));
    return image === undefined ? undefined : formulaIn(image);
  }
  if (text === undefined || text === '') return undefined;
  return element.attribs.display === 'block' ? ` ${text} ` : text;
}

function textOf(math: HtmlElement): string {
  const source = find(math, (each) => localName(each) === 'annotation' && /tex/i.test(each.attribs.encoding ?? ''));
  const tex = source?.children.filter((child) => typeof child === 'string').join('') || math.attribs.alttext || '';
  return readableTex(tex) || partsOf(math).join('').replace(/\s+/g, ' ').trim();
}

/** TeX without what only sets its size, and without braces around one character. */
function readableTex(tex: string): string {
  const bare = tex.replace(/\s+/g, ' ').trim();
  const braced = /^\{\s?\\(?:display|text|script)style\b\s?(.*?)\s?\}$/.exec(bare)?.[1];
  return (braced ?? bare.replace(/^\\(?:display|text|script)style\b\s?/, '')).replace(
    /([_^])\{([\p{L}\p{N}])\}/gu,
    '$1$2',
  );
}

/** The texts of the children of an element of MathML. */
function partsOf(element: HtmlElement): string[] {
  return element.children.map((child) => mathText(child)).filter((part) => part !== '');
}

function mathText(node: HtmlNode): string {
  if (typeof node === 'string') return node.trim().replace('\u2061', ' ');
  const name = localName(node);
  if (name === 'annotation' || name === 'annotation-xml' || name === 'mphantom') return '';
  const parts = partsOf(node);
  const [base = '', first = '', second = ''] = parts;
  if (name === 'mfrac') return `${grouped(base)}/${grouped(first)}`;
  if (name === 'msup' || name === 'mover') return `${base}^${grouped(first)}`;
  if (name === 'msub' || name === 'munder') return `${base}_${grouped(first)}`;
  if (name === 'msubsup' || name === 'munderover') return `${base}_${grouped(first)}^${grouped(second)}`;
  if (name === 'msqrt') return `√${grouped(parts.join(''))}`;
  if (name === 'mroot') return `${first}√${grouped(base)}`;
  if (name === 'mfenced') return `${node.attribs.open ?? '('}${parts.join(', ')}${node.attribs.close ?? ')'}`;
  if (name === 'mtr') return parts.join(', ');
  if (name === 'mtable') return parts.join('; ');
  return name === 'mtext' ? ` ${parts.join(' ')} ` : parts.join('');
}

function grouped(part: string): string {
  return isSimple.test(part) ? part : `(${part})`;
}

function find(element: HtmlElement, is: (each: HtmlElement) => boolean): HtmlElement | undefined {
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    const found = is(child) ? child : find(child, is);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The name without a prefix, which XHTML may have. */
function localName({ name }: HtmlElement): string {
  return name.slice(name.indexOf(':') + 1);
}
