/**
 * A page's text as a list of blocks: headings, code fences, and everything else split at blank lines and list items. Does
 * only what passages need: it does not parse inline Markdown and never fails. Linear in the text's length.
 */

import { frontMatterEnd } from '../../../protocol/front-matter.ts';
import { isEntryLabel } from '../../base/text/lines/entry-labels.ts';

export interface Block {
  readonly start: number;
  readonly end: number;
  /** 1 to 6 for a heading, `labelLevel` for the label of an entry, 0 for everything else. */
  readonly level: number;
  /** A heading's words, without markup. */
  readonly heading: string;
}

/** Below every heading. */
export const labelLevel = 7;

interface Line {
  readonly start: number;
  /** Without its line feed. */
  readonly end: number;
  readonly text: string;
}

/** Blocks in order, not overlapping; the text between them is blank or front matter. */
export function readBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  let open: { start: number; end: number } | undefined;
  let fence: { mark: string; start: number } | undefined;
  const close = () => {
    if (open !== undefined) blocks.push({ ...open, level: 0, heading: '' });
    open = undefined;
  };
  for (const line of readLines(text, frontMatterEnd(text))) {
    if (fence !== undefined) {
      if (closesFence(line.text, fence.mark)) {
        blocks.push({ start: fence.start, end: line.end, level: 0, heading: '' });
        fence = undefined;
      }
      continue;
    }
    const mark = /^\s{0,12}(`{3,}|~{3,})/.exec(line.text)?.[1];
    if (mark !== undefined && !line.text.slice(line.text.indexOf(mark) + mark.length).includes('`')) {
      close();
      fence = { mark, start: line.start };
      continue;
    }
    const level = /^ {0,3}(#{1,6})(?=\s|$)/.exec(line.text)?.[1]?.length ?? 0;
    if (level > 0) {
      close();
      blocks.push({ start: line.start, end: line.end, level, heading: headingWords(line.text) });
      continue;
    }
    const underline = /^ {0,3}(=+|-{2,}) {0,9}$/.exec(line.text)?.[1];
    if (underline !== undefined && open !== undefined && !text.slice(open.start, open.end).includes('\n')) {
      const heading = headingWords(text.slice(open.start, open.end));
      blocks.push({ start: open.start, end: line.end, level: underline.startsWith('=') ? 1 : 2, heading });
      open = undefined;
      continue;
    }
    if (isBlank(line.text)) close();
    else {
      if (/^ {0,3}(?:[-*+]|\d{1,9}[.)])\s/.test(line.text)) close();
      if (open === undefined) labelLast(blocks, text, line.text);
      open = { start: open?.start ?? line.start, end: line.end };
    }
  }
  close();
  if (fence !== undefined) blocks.push({ start: fence.start, end: text.length, level: 0, heading: '' });
  return blocks;
}

/** Makes the last block a label if it is one of the line that comes next; labels that follow each other directly are one. */
function labelLast(blocks: Block[], text: string, below: string): void {
  const last = blocks.at(-1);
  if (last === undefined || last.level > 0 || !isEntryLabel(text.slice(last.start, last.end), below)) return;
  blocks.pop();
  const before = blocks.at(-1);
  const heading = headingWords(text.slice(last.start, last.end));
  if (before?.level !== labelLevel) blocks.push({ ...last, level: labelLevel, heading });
  else blocks[blocks.length - 1] = { ...before, end: last.end, heading: `${before.heading}, ${heading}`.slice(0, 200) };
}

function* readLines(text: string, from: number): Generator<Line> {
  for (let start = from; start < text.length; ) {
    const feed = text.indexOf('\n', start);
    const end = feed === -1 ? text.length : feed;
    yield { start, end, text: text.slice(start, end) };
    start = end + 1;
  }
}

function closesFence(line: string, mark: string): boolean {
  const bare = line.trim();
  return bare.length >= mark.length && bare.length < 200 && bare === mark.charAt(0).repeat(bare.length);
}

function isBlank(line: string): boolean {
  return line.trim() === '';
}

function headingWords(line: string): string {
  const bare = line.slice(0, 500).trim().replace(/^#+/, '').replace(/\s#+$/, '');
  return plainInline(bare.replace(images, ' ')).slice(0, 200).trim();
}

const images = /!\[[^\][]{0,300}\](?:\([^()\s]{0,2000}[^()]{0,200}\)|\[[^\][]{0,200}\])/g;

/** Removes inline Markdown and HTML tags but keeps their content; for titles and for indexing. */
export function plainInline(markdown: string): string {
  return markdown
    .replace(/(?<!\\)<\/?[a-zA-Z][^<>]{0,500}>/g, ' ')
    .replace(/!\[([^\][]{0,300})\](?:\([^()\s]{0,2000}[^()]{0,200}\)|\[[^\][]{0,200}\])/g, '$1')
    .replace(/\[([^\][]{0,1000})\](?:\([^()\s]{0,2000}[^()]{0,200}\)|\[[^\][]{0,200}\])/g, '$1')
    .replace(/[`*]{1,3}|~~/g, '')
    .replace(/\\(?=[<*_[\]])/g, '')
    .replace(/&(?:nbsp|amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity)
    .replace(/\s+/g, ' ');
}

const entities: Record<string, string> = {
  '&nbsp;': ' ',
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};
