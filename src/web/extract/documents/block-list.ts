/** Blocks of a document as Markdown, in their order and within the limit of a page's text. */
import { maxTextChars } from '../extraction.ts';
import { markdownTable } from './markdown-table.ts';

export interface BlockList {
  readonly blocks: readonly string[];
  readonly truncated: boolean;
  /** A paragraph; nothing for an empty one. */
  add(text: string): void;
  /** A block that is Markdown already. */
  addBlock(block: string): void;
  /** An item of a list, level 0 being the outermost; items that follow each other are one block. */
  addItem(level: number, text: string): void;
  /** A table, whose first row is its head; one of a single cell is a paragraph. */
  addTable(rows: readonly (readonly string[])[]): void;
}

/** Levels of lists; deeper ones are shown like the last. Set by hand: office programs offer 9. */
const maxLevel = 8;

/** An empty list of blocks, which takes no more when it has the characters that the text of a page may have. */
export function createBlockList(): BlockList {
  const blocks: string[] = [];
  let chars = 0;
  let truncated = false;
  let isList = false;
  const push = (block: string, isItem = false) => {
    if (block === '') return;
    if (chars > maxTextChars) {
      truncated = true;
      return;
    }
    if (isItem && isList) blocks[blocks.length - 1] += `\n${block}`;
    else blocks.push(block);
    isList = isItem;
    chars += block.length + 2;
  };
  return {
    blocks,
    get truncated() {
      return truncated;
    },
    add: (text) => push(tidy(text)),
    addBlock: (block) => push(block),
    addItem(level, text) {
      const shown = tidy(text).replaceAll('\n', ' ');
      if (shown !== '') push(`${'  '.repeat(Math.min(Math.max(0, level), maxLevel))}- ${shown}`, true);
    },
    addTable(rows) {
      const filled = rows.filter((row) => row.some((cell) => cell !== ''));
      const width = filled.reduce((max, row) => Math.max(max, row.length), 0);
      if (filled.length === 1 && width === 1) return push(filled[0]![0]!);
      // The table is filled up to its widest row, which must not make it longer than a page may be.
      const maxRows = Math.max(0, Math.floor((maxTextChars - chars) / (3 * Math.max(1, width))));
      if (filled.length > maxRows) truncated = true;
      if (filled.length > 0 && maxRows > 0) push(markdownTable(filled.slice(0, maxRows)));
    },
  };
}

/** The text of a cell in one line, as a Markdown table needs it. */
export function tidyCell(text: string): string {
  return text.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|');
}

function tidy(text: string): string {
  return text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{2,}/g, '\n')
    .trim();
}
