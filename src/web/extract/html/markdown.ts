/**
 * The kept blocks of a page as Markdown: headings, lists, tables, code with its language, quotations and links. Emphasis
 * and images are omitted, because the text is read, searched and quoted, not displayed; the terms of a definition list are bold, as
 * Markdown has no other sign for them. Only characters that would change the meaning are escaped, so that a quotation reads
 * like the page.
 */

import { createCellRepeater } from '../repeated-cells.ts';
import { superscript } from '../superscript.ts';
import { type Block, cellsOf, type Layout, rawText } from './blocks.ts';
import type { HtmlElement, HtmlNode } from './html-tree.ts';
import { gridOf } from './table-grid.ts';
import { headOf } from './table-head.ts';

/** Spaces of a list level; set by hand. */
const maxIndent = 6;

/** Characters of the title of a table that its columns have in their names; set by hand. */
const maxTitle = 60;

/** The blocks of a layout that `keep` accepts, as Markdown; links are resolved against `base`. */
export function renderMarkdown(layout: Layout, keep: (block: Block) => boolean, base: string): string {
  const inline = (nodes: readonly HtmlNode[]) => inlineMarkdown(nodes, base);
  const cellText = (cell: HtmlElement) =>
    inline([cell])
      .replace(/\s*\n\s*/g, ' ')
      .replace(/\|/g, '\\|');
  const repeated = createCellRepeater();

  function chunks(at: Layout, depth: number): string[] {
    if (at.table) return table(at);
    const out: string[] = [];
    let number = startOf(at.element) - 1;
    for (const item of at.items) {
      if ('kind' in item) {
        if (keep(item)) out.push(single(item));
        continue;
      }
      number = numberIn(item.element.attribs.value) ?? number + 1;
      const inner = chunks(item, depth + (isList(item.element) ? 1 : 0));
      if (inner.length === 0) continue;
      const { name: tag } = item.element;
      if (tag === 'li' && isList(at.element)) out.push(listItem(inner, at.element, number));
      else if (isList(item.element)) out.push(inner.join('\n'));
      else if (tag === 'blockquote') out.push(prefixed(inner.join('\n\n'), '> ', '> '));
      else out.push(...inner);
    }
    return out.filter((chunk) => chunk !== '');
  }

  function single(block: Block): string {
    if (block.kind === 'code') return fenced(block);
    const text = inline(block.nodes);
    if (isTerm(block.element) && !/[`*\n]/.test(text) && text !== '') return `**${text}**`;
    const level = headingLevel(block.element);
    return level > 0 ? `${'#'.repeat(level)} ${text.replace(/\s*\n\s*/g, ' ')}` : escapeStarts(text);
  }

  function table(at: Layout): string[] {
    const rows = at.items
      .filter((item): item is Block => 'kind' in item && keep(item))
      .map(({ element }) => cellsOf(element));
    if (rows.length === 0) return [];
    const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
    const grid = gridOf(rows);
    const head = headOf(rows, grid);
    const texts = new Map<HtmlElement, string>();
    const textOnce = (cell: HtmlElement) => {
      const known = texts.get(cell);
      if (known !== undefined) return repeated(known);
      const text = cellText(cell);
      texts.set(cell, text);
      return text;
    };
    const names = head.columns.map((cells) =>
      [...new Set(cells.map(textOnce))].filter((text) => text !== '').join(': '),
    );
    const lines = grid
      .slice(head.rows)
      .map((cells) => line(cells.map((cell) => (cell === undefined ? '' : textOnce(cell)))));
    // A title is of each of its rows, also where another table below has the same names.
    const title = head.title === undefined ? '' : cellText(head.title);
    const isShort = title.length <= maxTitle;
    const titled = title === '' || !isShort ? names : names.map((name) => (name === '' ? title : `${title}: ${name}`));
    const shown = [line(titled), line(titled.map(() => '---')), ...lines].join('\n');
    return head.title === undefined || isShort ? [shown] : [escapeStarts(inline([head.title])), shown];
  }

  return chunks(layout, 0)
    .join('\n\n')
    .replace(/(?<![ \t])[ \t]+$/gm, '')
    .trim();
}

/** Whether a block is a term of a definition list; one that is code is visible already. */
function isTerm({ name, parent }: HtmlElement): boolean {
  return name === 'dt' || (name === 'p' && parent?.name === 'dt');
}

function isList(element: HtmlElement): boolean {
  return element.name === 'ul' || element.name === 'ol';
}

function listItem(inner: readonly string[], list: HtmlElement, number: number): string {
  const mark = list.name === 'ol' ? `${number}. ` : '- ';
  // A nested list follows its item's text directly; paragraphs of one item are separated by a blank line.
  const body = inner.reduce(
    (text, chunk) => text + (text === '' ? '' : /^(- |\d+\. )/.test(chunk) ? '\n' : '\n\n') + chunk,
    '',
  );
  return prefixed(body, mark, ' '.repeat(Math.min(mark.length, maxIndent)));
}

function startOf(list: HtmlElement): number {
  return numberIn(list.attribs.start) ?? 1;
}

function numberIn(value: string | undefined): number | undefined {
  return /^\s*\d{1,6}\s*$/.test(value ?? '') ? Number(value) : undefined;
}

function prefixed(text: string, first: string, rest: string): string {
  return text
    .split('\n')
    .map((line, at) => (at === 0 ? first : line === '' ? rest.trimEnd() : rest) + line)
    .join('\n');
}

/** 1 to 6 inside a heading element, else 0. */
export function headingLevel(element: HtmlElement): number {
  for (let at: HtmlElement | undefined = element, up = 0; at !== undefined && up < 4; at = at.parent, up += 1) {
    if (/^h[1-6]$/.test(at.name)) return Number(at.name[1]);
  }
  return 0;
}

function fenced(block: Block): string {
  const longest = Math.max(2, ...[...block.text.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${languageOf(block.element)}\n${block.text}\n${fence}`;
}

function languageOf(element: HtmlElement): string {
  const code = element.children.find((c): c is HtmlElement => typeof c !== 'string' && c.name === 'code');
  for (const at of [code, element, element.parent, element.parent?.parent]) {
    const classes = `${at?.attribs.class ?? ''} ${at?.attribs['data-lang'] ? `language-${at.attribs['data-lang']}` : ''}`;
    const named = /(?:^|\s)(?:language-|lang-|highlight-source-|highlight-|brush:\s*)([\w+#.-]{1,20})/i.exec(classes);
    if (named) return named[1]!.toLowerCase();
  }
  return '';
}

function inlineMarkdown(nodes: readonly HtmlNode[], base: string): string {
  return inlineNodes(nodes, base, '')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{2,}/g, '\n')
    .trim();
}

/** Escapes what would turn a line of plain text into a heading, list, quotation or rule. */
function escapeStarts(text: string): string {
  return text.replace(/^(?:(#{1,6} |[-+*] |> ?|\||[=~-]{3,}$)|(\d+)(?=[.)] ))/gm, (_, mark, number) =>
    mark === undefined ? `${number}\\` : `\\${mark}`,
  );
}

/** Nodes that follow `before`, the end of the text so far. */
function inlineNodes(nodes: readonly HtmlNode[], base: string, before: string): string {
  let text = '';
  let end = before;
  for (const [at, node] of nodes.entries()) {
    const part = isStruck(node) ? struck(nodes, at, base) : inlineNode(node, base, end);
    text += part;
    end = (end + part).slice(-2);
  }
  return text;
}

function isStruck(node: HtmlNode): node is HtmlElement {
  if (typeof node === 'string') return false;
  return (
    /^(?:del|s|strike)$/.test(node.name) || /text-decoration[^;]{0,40}line-through/i.test(node.attribs.style ?? '')
  );
}

/** What no longer holds, marked as such; nothing of a number that another one after it replaces, such as a price. */
function struck(nodes: readonly HtmlNode[], at: number, base: string): string {
  const node = nodes[at] as HtmlElement;
  const text = inlineNodes(node.children, base, '');
  const isNumber = /^\D{0,8}\d[\d\s.,'’]*\D{0,8}$/.test(text);
  const next = nodes
    .slice(at + 1, at + 4)
    .map(rawText)
    .join('');
  if (isNumber && /^(?:[^\d\p{L}.,;]|\p{L}{1,3}(?!\p{L})){0,12}\d/u.test(next)) return ' ';
  const [, space = '', words = '', after = ''] = /^(\s*)([^~\n]*?)(\s*)$/.exec(text) ?? [];
  return words === '' ? text : `${space}~~${words}~~${after}`;
}

function inlineNode(node: HtmlNode, base: string, before: string): string {
  if (typeof node === 'string') return escapeText(node.replace(/\s+/g, ' '));
  if (node.name === 'br') return '\n';
  if (node.name === 'rt' || node.name === 'rp' || node.name === 'rtc') return '';
  if (node.name === 'code' || node.name === 'kbd' || node.name === 'samp' || node.name === 'tt')
    return codeSpan(rawText(node));
  // Its signs are no Markdown.
  if (node.name === 'math')
    return rawText(node)
      .replace(/\s+/g, ' ')
      .replace(/<(?=[a-z/!?])/gi, '\\<');
  if (node.name === 'td' || node.name === 'th' || node.name === 'p' || node.name === 'div' || node.name === 'li')
    return ` ${inlineNodes(node.children, base, '')} `;
  if (isRaised(node)) return superscript(inlineNodes(node.children, base, ''), before);
  if (node.name !== 'a') return inlineNodes(node.children, base, before);
  const target = linkTarget(node.attribs.href, base);
  // A link of its own begins with a bracket, not with what is before it.
  return link(inlineNodes(node.children, base, target === undefined ? before : ''), target);
}

function isRaised({ name, attribs }: HtmlElement): boolean {
  return name === 'sup' || /vertical-align\s*:\s*super/i.test(attribs.style ?? '');
}

function link(text: string, target: string | undefined): string {
  const label = text.replace(/\s+/g, ' ');
  if (target === undefined || label.trim() === '') return text;
  const [, before, words, after] = /^(\s?)([\s\S]*?)(\s?)$/.exec(label)!;
  return `${before}[${words}](${target})${after}`;
}

/** The absolute http(s) URL of a link; undefined for a fragment of the same page, another scheme or an invalid URL. */
export function linkTarget(href: string | undefined, base: string): string | undefined {
  if (href === undefined || href.trim() === '' || href.trim().startsWith('#')) return undefined;
  if (!URL.canParse(href, base)) return undefined;
  const url = new URL(href, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  return url.href.replace(/\(/g, '%28').replace(/\)/g, '%29');
}

function codeSpan(text: string): string {
  const code = text.replace(/\s+/g, ' ').trim();
  if (code === '') return ' ';
  const fence = '`'.repeat(Math.max(0, ...[...code.matchAll(/`+/g)].map((run) => run[0].length)) + 1);
  const pad = code.startsWith('`') || code.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${code}${pad}${fence}`;
}

/** Escapes tags, code, emphasis at the edge of a word, and the closing bracket of a link. */
function escapeText(text: string): string {
  return text
    .replace(/`/g, '\\`')
    .replace(/<(?=[a-z/!?])/gi, '\\<')
    .replace(/\](?=\()/g, '\\]')
    .replace(/\*(?=\S)/g, '\\*')
    .replace(/(?<![\p{L}\p{N}_])_(?=[\p{L}\p{N}])/gu, '\\_');
}
