/**
 * A web page as Markdown: parse, cut into blocks, classify the blocks that are the page's own content, render those. Where a
 * page is drawn by scripts and its metadata says far more than it shows, the metadata is its text, with a warning.
 */

import { classifyBlocks, type Model } from './classify/classify-blocks.ts';
import { cleanLine, cleanText } from './clean-text.ts';
import { countWords, type Extraction, maxLinks, maxTextChars, type PageLink } from './extraction.ts';
import { type Block, rawText, segment } from './html/blocks.ts';
import { type HtmlNode, parseHtml } from './html/html-tree.ts';
import { linkTarget, renderMarkdown } from './html/markdown.ts';
import { pruneHidden } from './html/prune-hidden.ts';
import { readMetadata } from './metadata.ts';

/** Metadata of fewer words is a description of a page, not its text; set by hand. */
const minWords = 40;

/** The main content of a page; `url` is what links are resolved against. Training passes its own `model`. */
export function extractHtml(html: string, url: string, model?: Model): Extraction {
  const tree = parseHtml(html);
  const metadata = readMetadata(tree, url);
  pruneHidden(tree.root);
  const { blocks, layout, truncated } = segment(tree.root);
  const kept = classifyBlocks(blocks, metadata, model);
  const shown = cleanText(renderMarkdown(layout, (block) => kept.has(block), url));
  const bodies = metadata.told.length > 0 ? metadata.told : [metadata.description];
  const told = toldText(bodies, shown, url);
  const text = told ?? shown;
  const { types, og_type, description, told: _, ...said } = metadata;
  return {
    ...said,
    text: text.slice(0, maxTextChars).toWellFormed(),
    words: countWords(text),
    links: linksIn(
      blocks.filter((block) => kept.has(block)),
      url,
    ),
    extractor: told === undefined ? 'html' : 'metadata',
    truncated: tree.truncated || truncated || text.length > maxTextChars,
    warnings: warningsFor(text, told !== undefined),
  };
}

function warningsFor(text: string, isTold: boolean): string[] {
  if (isTold) return ['The page shows little text without its scripts; this is what it tells search engines.'];
  return text === '' ? ['The page has no text of its own; it may be drawn by scripts.'] : [];
}

/** The text in the page's metadata, when it has at least twice the words that the page shows. */
function toldText(bodies: readonly string[], shown: string, url: string): string | undefined {
  const words = bodies.reduce((sum, body) => sum + countWords(body), 0);
  if (words < minWords || words < 2 * countWords(shown)) return undefined;
  const parts = bodies.map((body) => renderMarkdown(segment(parseHtml(body).root).layout, () => true, url));
  return cleanText(parts.filter((part) => part !== '').join('\n\n'));
}

function linksIn(blocks: readonly Block[], base: string): PageLink[] {
  const links = new Map<string, string>();
  const visit = (node: HtmlNode) => {
    if (typeof node === 'string' || links.size >= maxLinks) return;
    const url = node.name === 'a' ? linkTarget(node.attribs.href, base) : undefined;
    if (url !== undefined && !links.has(url)) links.set(url, cleanLine(rawText(node)).slice(0, 300));
    for (const child of node.children) visit(child);
  };
  for (const block of blocks) for (const node of block.nodes) visit(node);
  return [...links].map(([url, text]) => ({ url, text }));
}
