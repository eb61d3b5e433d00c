/**
 * A web page as Markdown: parse, cut into blocks, choose the blocks that are the page's own content, render those. Where a
 * page is drawn by scripts and tells machines far more than it shows, what it tells them is its text, with a warning.
 */

import { classifyBlocks, type Model } from './classify/classify-blocks.ts';
import { cleanLine, cleanText } from './clean-text.ts';
import { countWords, type Extraction, maxLinks, maxTextChars, type PageLink } from './extraction.ts';
import { type Block, rawText, segment } from './html/blocks.ts';
import { type HtmlNode, parseHtml } from './html/html-tree.ts';
import { linkTarget, renderMarkdown } from './html/markdown.ts';
import { pruneHidden } from './html/prune-hidden.ts';
import { readMetadata } from './metadata.ts';

/** Fewer words than these are a description of a page, not a page. */
const fewWords = 40;

/** With another model than the shipped one, what was learned elsewhere can be measured by the same code. */
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

/** What the page tells machines, when it says at least twice what the page shows. */
function toldText(bodies: readonly string[], shown: string, url: string): string | undefined {
  const words = bodies.reduce((sum, body) => sum + countWords(body), 0);
  if (words < fewWords || words < 2 * countWords(shown)) return undefined;
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
