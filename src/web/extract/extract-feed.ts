/** RSS, Atom and RDF feeds as Markdown: for each entry a linked heading, its date, and its content as Markdown. */

import { cleanLine, cleanText, cutText } from '../../base/text/encoding/clean-text.ts';
import { countWords, type Extraction, maxLinks, maxTextChars, type PageLink } from './extraction.ts';
import { innerText, segment } from './html/blocks.ts';
import { elementsOf, type HtmlElement, parseHtml, select } from './html/html-tree.ts';
import { linkTarget, renderMarkdown } from './html/markdown.ts';
import { readFormulas } from './html/read-formulas.ts';
import { isoDate } from './metadata.ts';

/** Entries rendered; set by hand. */
const maxEntries = 500;

/**
 * A feed as Markdown, each entry under a heading; links are resolved against `url`. Undefined when the document is
 * XML of another kind.
 */
export function extractFeed(source: string, url: string): Extraction | undefined {
  const tree = parseHtml(source, true);
  const feed = select(tree).children('rss, feed, rdf\\:rdf').first();
  const [root] = elementsOf(feed);
  if (root === undefined) return undefined;
  const inner = feed.children('channel').first();
  const channel = inner.length === 0 ? feed : inner;
  // RSS 2.0 has items inside the channel, RSS 1.0 next to it; Atom has entries.
  const entries = [
    ...elementsOf(channel.children('item')),
    ...elementsOf(feed.children('entry')),
    ...(inner.length === 0 ? [] : elementsOf(feed.children('item'))),
  ];
  const about = fieldsOf(elementsOf(channel)[0] ?? root);
  const links: PageLink[] = [];
  const parts = entries.slice(0, maxEntries).map((element) => {
    const entry = fieldsOf(element);
    const title = cleanLine(textOf(entry, 'title')) || 'Untitled';
    const link = linkOf(entry, url);
    if (link !== undefined && links.length < maxLinks) links.push({ url: link, text: cutText(title, 300) });
    const heading = link === undefined ? title : `[${title.replace(/[[\]]/g, '\\$&')}](${link})`;
    const date = isoDate(textOf(entry, 'pubdate', 'published', 'updated', 'dc:date'));
    return [`## ${heading}`, date ?? '', contentOf(entry, link ?? url)].filter((part) => part !== '').join('\n\n');
  });
  const description = cleanLine(textOf(about, 'description', 'subtitle'));
  const text = cleanText([description, ...parts].filter((part) => part !== '').join('\n\n'));
  const language = cleanLine(textOf(about, 'language') || (root.attribs['xml:lang'] ?? ''));
  const modified = isoDate(textOf(about, 'lastbuilddate', 'updated', 'pubdate', 'dc:date'));
  return {
    text: text.slice(0, maxTextChars).toWellFormed(),
    title: cutText(cleanLine(textOf(about, 'title')), 500),
    ...(language === '' ? {} : { language: cutText(language, 35) }),
    ...(modified === undefined ? {} : { modified_at: modified }),
    words: countWords(text),
    links,
    extractor: 'feed',
    truncated: tree.truncated || entries.length > maxEntries || text.length > maxTextChars,
    warnings: [],
  };
}

/**
 * The child elements by name, in document order. Not selected with cheerio: a selector takes about 15 µs, so the dozen needed
 * for each entry would take nearly as long as reading the entry.
 */
type Fields = ReadonlyMap<string, readonly HtmlElement[]>;

function fieldsOf(element: HtmlElement): Fields {
  const fields = new Map<string, HtmlElement[]>();
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    const same = fields.get(child.name);
    if (same === undefined) fields.set(child.name, [child]);
    else same.push(child);
  }
  return fields;
}

function first(fields: Fields, ...names: string[]): HtmlElement | undefined {
  return names.map((name) => fields.get(name)?.[0]).find((element) => element !== undefined);
}

function contentOf(entry: Fields, base: string): string {
  const content = first(entry, 'content:encoded', 'content', 'description', 'summary');
  if (content === undefined) return '';
  // Feeds contain XHTML as elements, but HTML as text that contains tags.
  const root = content.attribs.type === 'xhtml' ? content : parseHtml(innerText(content)).root;
  readFormulas(root);
  return renderMarkdown(segment(root).layout, () => true, base);
}

function linkOf(entry: Fields, base: string): string | undefined {
  const links = entry.get('link') ?? [];
  const link = links.find(({ attribs }) => attribs.rel === 'alternate' || attribs.rel === undefined) ?? links[0];
  if (link === undefined) return undefined;
  return linkTarget(link.attribs.href ?? innerText(link).trim(), base);
}

function textOf(fields: Fields, ...names: string[]): string {
  const element = first(fields, ...names);
  // Titles of type html are escaped twice.
  return element === undefined ? '' : innerText(parseHtml(innerText(element)).root);
}
