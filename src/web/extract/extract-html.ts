/**
 * A web page as Markdown: parse, cut into blocks, choose the blocks that are the page's own content, render those.
 */
import { type Block, rawText, segment } from './blocks.ts';
import { chooseBlocks } from './choose.ts';
import { cleanText } from './clean-text.ts';
import { countWords, type Extraction, maxLinks, maxTextChars, type PageLink } from './extraction.ts';
import { type HtmlNode, parseHtml } from './html-tree.ts';
import { linkTarget, renderMarkdown } from './markdown.ts';
import { readMetadata } from './metadata.ts';
import { pruneHidden } from './prune-hidden.ts';

export function extractHtml(html: string, url: string): Extraction {
  const tree = parseHtml(html);
  const metadata = readMetadata(tree, url);
  pruneHidden(tree.root);
  const { blocks, layout, truncated } = segment(tree.root);
  const chosen = chooseBlocks(blocks, metadata);
  const { types, og_type, description, told, ...said } = metadata;
  const text = cleanText(renderMarkdown(layout, (block) => chosen.has(block), url));
  return {
    ...said,
    text: text.slice(0, maxTextChars).toWellFormed(),
    words: countWords(text),
    links: linksIn(
      blocks.filter((block) => chosen.has(block)),
      url,
    ),
    extractor: 'html',
    truncated: tree.truncated || truncated || text.length > maxTextChars,
    warnings: text === '' ? ['The page has no text of its own; it may be drawn by scripts.'] : [],
  };
}

function linksIn(blocks: readonly Block[], base: string): PageLink[] {
  const links = new Map<string, string>();
  const visit = (node: HtmlNode) => {
    if (typeof node === 'string' || links.size >= maxLinks) return;
    const url = node.tag === 'a' ? linkTarget(node.attributes.href, base) : undefined;
    if (url !== undefined && !links.has(url))
      links.set(url, cleanText(rawText(node)).replace(/\s+/g, ' ').trim().slice(0, 300));
    for (const child of node.children) visit(child);
  };
  for (const block of blocks) for (const node of block.nodes) visit(node);
  return [...links].map(([url, text]) => ({ url, text }));
}
