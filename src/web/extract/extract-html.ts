/**
 * A web page as Markdown: parse it, split it into blocks, select the blocks that are content, and render those. When a page is
 * rendered by scripts and its metadata has far more text than its HTML, the metadata becomes its text, with a warning.
 */

import { cleanLine, cleanText, cutText } from '../../base/text/encoding/clean-text.ts';
import { classifyBlocks, type Model } from './classify/classify-blocks.ts';
import { countWords, type Extraction, maxLinks, maxOtherLinks, maxTextChars, type PageLink } from './extraction.ts';
import { type Block, rawText, segment } from './html/blocks.ts';
import { type HtmlElement, type HtmlNode, parseHtml } from './html/html-tree.ts';
import { linkTarget, renderMarkdown } from './html/markdown.ts';
import { pruneHidden } from './html/prune-hidden.ts';
import { readMetadata } from './metadata.ts';

/** Metadata with fewer words describes a page and is not its text; set by hand. */
const minBodyWords = 40;

/** Words of a page that only says that it leads elsewhere; set by hand. */
const maxWordsBeforeRefresh = 30;

/** The main content of a page; links are resolved against `source`, or what it names as its base. Training passes its own `model`. */
export function extractHtml(html: string, source: string, model?: Model): Extraction {
  const tree = parseHtml(html);
  const url = baseOf(tree.root, source);
  const metadata = readMetadata(tree, url);
  pruneHidden(tree.root);
  const { blocks, layout, truncated } = segment(tree.root);
  const kept = classifyBlocks(blocks, metadata, model);
  const shown = cleanText(renderMarkdown(layout, (block) => kept.has(block), url));
  const bodies = metadata.bodies.length > 0 ? metadata.bodies : [metadata.description];
  const fromMetadata = textOfMetadata(bodies, shown, url);
  const text = fromMetadata ?? shown;
  const { types, og_type, description, bodies: _, refresh, ...fields } = metadata;
  const words = countWords(text);
  const isKept = (block: Block) => kept.has(block);
  const links = linksIn(blocks.filter(isKept), url, maxLinks);
  const known = new Set(links.map((link) => link.url));
  const others = linksIn(
    blocks.filter((block) => !isKept(block)),
    url,
    maxLinks,
  ).flatMap((link) => (known.has(link.url) ? [] : [link.url]));
  return {
    ...fields,
    ...(refresh !== undefined && words <= maxWordsBeforeRefresh ? { refresh } : {}),
    text: text.slice(0, maxTextChars).toWellFormed(),
    words,
    links,
    ...(others.length === 0 ? {} : { other_links: others.slice(0, maxOtherLinks) }),
    extractor: fromMetadata === undefined ? 'html' : 'metadata',
    truncated: tree.truncated || truncated || text.length > maxTextChars,
    warnings: warningsFor(text, fromMetadata !== undefined),
  };
}

/** The URL in the first `<base href>`; else, and where that is not http(s), `url`. */
function baseOf(element: HtmlElement, url: string): string {
  const href = findBase(element);
  if (href === undefined || !URL.canParse(href, url)) return url;
  const base = new URL(href, url);
  return base.protocol === 'http:' || base.protocol === 'https:' ? base.href : url;
}

function findBase(element: HtmlElement): string | undefined {
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    if (child.name === 'base' && child.attribs.href !== undefined) return child.attribs.href;
    // Where it counts, it is in the head.
    const found = child.name === 'html' || child.name === 'head' ? findBase(child) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function warningsFor(text: string, isFromMetadata: boolean): string[] {
  if (isFromMetadata) return ['The page shows little text without its scripts; this is what it tells search engines.'];
  return text === '' ? ['The page has no text of its own; it may be drawn by scripts.'] : [];
}

/** The text in the page's metadata when it has twice as many words as `shown`; else undefined. */
function textOfMetadata(bodies: readonly string[], shown: string, url: string): string | undefined {
  const words = bodies.reduce((sum, body) => sum + countWords(body), 0);
  if (words < minBodyWords || words < 2 * countWords(shown)) return undefined;
  const parts = bodies.map((body) => renderMarkdown(segment(parseHtml(body).root).layout, () => true, url));
  return cleanText(parts.filter((part) => part !== '').join('\n\n'));
}

function linksIn(blocks: readonly Block[], base: string, max: number): PageLink[] {
  const links = new Map<string, string>();
  const visit = (node: HtmlNode) => {
    if (typeof node === 'string' || links.size >= max) return;
    const url = node.name === 'a' ? linkTarget(node.attribs.href, base) : undefined;
    if (url !== undefined && !links.has(url)) links.set(url, cutText(cleanLine(rawText(node)), 300));
    for (const child of node.children) visit(child);
  };
  for (const block of blocks) for (const node of block.nodes) visit(node);
  return [...links].map(([url, text]) => ({ url, text }));
}
