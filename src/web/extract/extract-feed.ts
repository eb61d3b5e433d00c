/** RSS, Atom and RDF feeds as Markdown: a heading an entry, linked, its date, and its content as a page would read. */

import { cleanLine, cleanText } from './clean-text.ts';
import { countWords, type Extraction, maxLinks, maxTextChars, type PageLink } from './extraction.ts';
import { innerText, segment } from './html/blocks.ts';
import { type HtmlElement, parseHtml } from './html/html-tree.ts';
import { linkTarget, renderMarkdown } from './html/markdown.ts';
import { isoDate } from './metadata.ts';

const maxEntries = 500;

/** Undefined when the document is XML of another kind. */
export function extractFeed(source: string, url: string): Extraction | undefined {
  const tree = parseHtml(source, true);
  const feed = tree.root.children.find(
    (c): c is HtmlElement => typeof c !== 'string' && /^(rss|feed|rdf:rdf)$/.test(c.name),
  );
  if (feed === undefined) return undefined;
  const channel = child(feed, 'channel') ?? feed;
  const entries = [
    ...children(channel, 'item'),
    ...children(feed, 'entry'),
    ...(channel === feed ? [] : children(feed, 'item')),
  ];
  const links: PageLink[] = [];
  const parts = entries.slice(0, maxEntries).map((entry) => {
    const title = cleanLine(textOf(entry, 'title')) || 'Untitled';
    const link = linkOf(entry, url);
    if (link !== undefined && links.length < maxLinks) links.push({ url: link, text: title.slice(0, 300) });
    const heading = link === undefined ? title : `[${title.replace(/[[\]]/g, '\\$&')}](${link})`;
    const date = isoDate(textOf(entry, 'pubdate', 'published', 'updated', 'dc:date'));
    return [`## ${heading}`, date ?? '', contentOf(entry, link ?? url)].filter((part) => part !== '').join('\n\n');
  });
  const about = cleanLine(textOf(channel, 'description', 'subtitle'));
  const text = cleanText([about, ...parts].filter((part) => part !== '').join('\n\n'));
  const language = cleanLine(textOf(channel, 'language') || (feed.attribs['xml:lang'] ?? ''));
  const modified = isoDate(textOf(channel, 'lastbuilddate', 'updated', 'pubdate', 'dc:date'));
  return {
    text: text.slice(0, maxTextChars).toWellFormed(),
    title: cleanLine(textOf(channel, 'title')).slice(0, 500),
    ...(language === '' ? {} : { language: language.slice(0, 35) }),
    ...(modified === undefined ? {} : { modified_at: modified }),
    words: countWords(text),
    links,
    extractor: 'feed',
    truncated: tree.truncated || entries.length > maxEntries || text.length > maxTextChars,
    warnings: [],
  };
}

function contentOf(entry: HtmlElement, base: string): string {
  const held = ['content:encoded', 'content', 'description', 'summary']
    .map((tag) => child(entry, tag))
    .find((c) => c !== undefined);
  if (held === undefined) return '';
  // XHTML stands in the feed as elements, HTML as text that holds tags.
  const root = held.attribs.type === 'xhtml' ? held : parseHtml(innerText(held)).root;
  return renderMarkdown(segment(root).layout, () => true, base);
}

function linkOf(entry: HtmlElement, base: string): string | undefined {
  const all = children(entry, 'link');
  const chosen = all.find((link) => link.attribs.rel === 'alternate' || link.attribs.rel === undefined) ?? all[0];
  if (chosen === undefined) return undefined;
  return linkTarget(chosen.attribs.href ?? innerText(chosen).trim(), base);
}

function textOf(element: HtmlElement, ...tags: string[]): string {
  const found = tags.map((tag) => child(element, tag)).find((c) => c !== undefined);
  // Titles of type html come escaped twice.
  return found === undefined ? '' : innerText(parseHtml(innerText(found)).root);
}

function child(element: HtmlElement, tag: string): HtmlElement | undefined {
  return children(element, tag)[0];
}

function children(element: HtmlElement, tag: string): HtmlElement[] {
  return element.children.filter((c): c is HtmlElement => typeof c !== 'string' && c.name === tag);
}
