/**
 * A page split into blocks: the smallest units that are kept or dropped. A block is a run of inline content inside one
 * block-level element, a piece of code, or a row of a data table. The layout is the same blocks in a tree of the elements
 * around them, in document order; classification works on the list, rendering on the tree.
 */
import type { HtmlElement, HtmlNode } from './html-tree.ts';
import { separateWords } from './separate-words.ts';

export interface Block {
  readonly index: number;
  readonly kind: 'text' | 'code' | 'row';
  /** The element that contains it directly. */
  readonly element: HtmlElement;
  readonly nodes: readonly HtmlNode[];
  /** White space is collapsed, except in code. */
  readonly text: string;
  /** Its length; a character of Chinese, Japanese or Korean counts as 2.5, because it conveys as much as that many letters. */
  readonly chars: number;
  /** The part of `chars` that is links. */
  readonly linkChars: number;
  readonly links: number;
}

export interface Layout {
  readonly element: HtmlElement;
  /** Whether it is a data table; its items are row blocks. */
  readonly table: boolean;
  readonly items: (Block | Layout)[];
}

export interface Segments {
  readonly blocks: Block[];
  readonly layout: Layout;
  readonly truncated: boolean;
}

/** Set by hand. */
const maxBlocks = 20_000;

const inlineTags = new Set(
  'a abbr acronym b bdi bdo big br cite code data del dfn em font i img ins kbd mark math nobr picture q rp rt ruby s samp small source span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);
/** Elements that are not read: controls, metadata, and the readings beside East Asian words. */
const skippedTags = new Set(
  'head select option textarea input datalist progress meter dialog area base link meta title rt rp rtc'.split(' '),
);

/** The first 20,000 blocks of a page in document order, and its layout. Inserts spaces into the tree (see separate-words.ts). */
export function segment(root: HtmlElement): Segments {
  separateWords(root);
  const blocks: Block[] = [];
  const mixed = blockElements(root);
  let truncated = false;

  function add(kind: Block['kind'], element: HtmlElement, nodes: readonly HtmlNode[], into: Layout): void {
    if (blocks.length >= maxBlocks) {
      truncated = true;
      return;
    }
    const raw = kind === 'code' ? codeText(nodes) : nodes.map(rawText).join(kind === 'row' ? ' ' : '');
    const text =
      kind === 'code' ? raw.replace(/\r\n?/g, '\n').replace(/^\n+/, '').trimEnd() : raw.replace(/\s+/g, ' ').trim();
    // A paragraph of joiners or fillers only adds space.
    if (!/[\p{L}\p{N}\p{P}\p{S}]/u.test(text)) return;
    const links = { chars: 0, count: 0 };
    for (const node of nodes) countLinks(node, insideLink(element), links);
    const chars = weigh(text);
    const linkChars = chars * Math.min(1, links.chars / text.length);
    const block = { index: blocks.length, kind, element, nodes, text, chars, linkChars, links: links.count };
    blocks.push(block);
    into.items.push(block);
  }

  function visit(element: HtmlElement, into: Layout): void {
    let run: HtmlNode[] = [];
    let breaks = 0;
    const flush = () => {
      if (run.length > 0) add('text', element, run, into);
      run = [];
      breaks = 0;
    };
    for (const child of element.children) {
      if (typeof child === 'string') {
        if (/\S/.test(child)) breaks = 0;
        run.push(child);
        continue;
      }
      if (skippedTags.has(child.name)) continue;
      if (child.name === 'br') {
        breaks += 1;
        if (breaks > 1) flush();
        else run.push(child);
      } else if (!mixed.has(child)) {
        breaks = 0;
        run.push(child);
      } else {
        flush();
        enter(child, into);
      }
    }
    flush();
  }

  function enter(element: HtmlElement, parent: Layout): void {
    const isTable = element.name === 'table' && isDataTable(element);
    if (isTable) {
      for (const child of element.children)
        if (typeof child !== 'string' && child.name === 'caption') enter(child, parent);
    }
    const layout: Layout = { element, table: isTable, items: [] };
    if (element.name === 'pre') add('code', element, element.children, layout);
    else if (isTable) {
      for (const row of rowsOf(element)) add('row', row, cellsOf(row), layout);
    } else visit(element, layout);
    if (layout.items.length > 0) parent.items.push(layout);
  }

  const layout: Layout = { element: root, table: false, items: [] };
  visit(root, layout);
  return { blocks, layout, truncated };
}

function weigh(text: string): number {
  if (!/[\u3040-\u9fff\uac00-\ud7af]/.test(text)) return text.length;
  return (
    text.length +
    1.5 * (text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0)
  );
}

/** The elements that are block-level or contain one that is. */
function blockElements(root: HtmlElement): Set<HtmlElement> {
  const mixed = new Set<HtmlElement>();
  const visit = (element: HtmlElement): boolean => {
    let isMixed = !inlineTags.has(element.name);
    for (const child of element.children) {
      if (typeof child !== 'string' && visit(child)) isMixed = true;
    }
    if (isMixed) mixed.add(element);
    return isMixed;
  };
  visit(root);
  return mixed;
}

/** The text inside an element, even if `rawText` skips the element itself, as with `title`. */
export function innerText(element: HtmlElement): string {
  return element.children.map(rawText).join('');
}

/** The text of a node, entities decoded, white space as in the source; form controls, `head` and the like are skipped. */
export function rawText(node: HtmlNode): string {
  if (typeof node === 'string') return node;
  if (node.name === 'br') return '\n';
  if (skippedTags.has(node.name)) return '';
  let text = '';
  for (const child of node.children) {
    // Adjacent blocks or cells are separate words, even without white space in the source.
    if (typeof child !== 'string' && text !== '' && !inlineTags.has(child.name) && !/\s$/.test(text)) text += ' ';
    text += rawText(child);
  }
  return text;
}

/** Elements that are a line of their own in code. */
const lineTags = new Set(
  'div p li tr ol ul dl dt dd table thead tbody tfoot section article figure blockquote pre hr h1 h2 h3 h4 h5 h6'.split(
    ' ',
  ),
);

/** The text of code, white space as in the source, with a line for each element that a browser would put into a line of its own. */
function codeText(nodes: readonly HtmlNode[]): string {
  const parts: string[] = [];
  let end = '';
  /** Whether a line has ended without a line break yet. */
  let isEnded = false;
  const write = (text: string) => {
    if (text === '') return;
    if (isEnded && end !== '\n' && !text.startsWith('\n')) parts.push('\n');
    isEnded = false;
    parts.push(text);
    end = text.at(-1)!;
  };
  const isLine = (node: HtmlNode | undefined) => typeof node === 'object' && lineTags.has(node.name);
  const visit = (children: readonly HtmlNode[]) => {
    for (const [at, child] of children.entries()) {
      if (typeof child === 'string') {
        // White space between lines only lays out the source.
        if (/\S/.test(child) || !(isLine(children[at - 1]) || isLine(children[at + 1])))
          write(child.replace(/\r\n?/g, '\n'));
      } else if (child.name === 'br') write('\n');
      else if (skippedTags.has(child.name)) continue;
      else if (isLine(child)) {
        if (end !== '' && end !== '\n') write('\n');
        isEnded = false;
        visit(child.children);
        isEnded = true;
      } else {
        if (!inlineTags.has(child.name) && /\S/.test(end) && !isEnded) write(' ');
        visit(child.children);
      }
    }
  };
  visit(nodes);
  return parts.join('');
}

function countLinks(node: HtmlNode, inside: boolean, sum: { chars: number; count: number }): void {
  if (typeof node === 'string') {
    if (inside) sum.chars += node.replace(/\s+/g, ' ').length;
    return;
  }
  const link = node.name === 'a' && node.attribs.href !== undefined;
  if (link) sum.count += 1;
  for (const child of node.children) countLinks(child, inside || link, sum);
}

function insideLink(element: HtmlElement): boolean {
  for (let at: HtmlElement | undefined = element; at !== undefined; at = at.parent) {
    if (at.name === 'a' && at.attribs.href !== undefined) return true;
  }
  return false;
}

/** The rows of a table, without those of nested tables. */
function rowsOf(table: HtmlElement): HtmlElement[] {
  const rows: HtmlElement[] = [];
  const visit = (element: HtmlElement) => {
    for (const child of element.children) {
      if (typeof child === 'string') continue;
      if (child.name === 'tr') rows.push(child);
      else if (child.name === 'thead' || child.name === 'tbody' || child.name === 'tfoot') visit(child);
    }
  };
  visit(table);
  return rows;
}

/** The `td` and `th` of a row. */
export function cellsOf(row: HtmlElement): HtmlElement[] {
  return row.children.filter((c): c is HtmlElement => typeof c !== 'string' && (c.name === 'td' || c.name === 'th'));
}

/** Whether a table has rows and columns of short cells; a layout table has long cells, cells with controls, or one column. */
function isDataTable(table: HtmlElement): boolean {
  const rows = rowsOf(table);
  const cells = rows.map(cellsOf);
  const wide = cells.filter((row) => row.length > 1).length;
  if (cells.length < 2 || wide * 2 < cells.length) return false;
  const all = cells.flat();
  const counts = { complex: 0, long: 0 };
  for (const cell of all) {
    if (contains(cell, (tag) => tag === 'table' || tag === 'pre')) return false;
    if (contains(cell, (tag) => /^(form|button|h[1-6]|ul|ol|input|select)$/.test(tag))) counts.complex += 1;
    if (rawText(cell).replace(/\s+/g, ' ').length > 400) counts.long += 1;
  }
  if (counts.long * 10 > all.length) return false;
  // Nobody gives names to the columns of a layout, so the lists and buttons are values of the table.
  const [head = []] = cells;
  const isNamed =
    head.length > 1 && (rows[0]!.parent?.name === 'thead' || head.slice(1).every(({ name }) => name === 'th'));
  return isNamed || counts.complex * 10 <= all.length;
}

function contains(element: HtmlElement, is: (tag: string) => boolean): boolean {
  return element.children.some((child) => typeof child !== 'string' && (is(child.name) || contains(child, is)));
}
