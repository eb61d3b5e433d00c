/** The words of labels, which say what text is: of short blocks ("Leave a reply"), and of the nearest heading above a block. */
import type { Block } from '../html/blocks.ts';
import { headingLevel } from '../html/markdown.ts';

export interface LabelWords {
  /** Words of the block itself if it is short, each with the prefix `own:`. */
  readonly own: readonly string[];
  /** Words of the nearest short heading above, each with the prefix `under:`. */
  readonly under: readonly string[];
}

/** Max. words of a label, and of one that is also a word as a whole; set by hand. */
const maxWords = 8;
const maxPhrase = 4;

/** Reads the label words of a block: of a large page those of all blocks would take more memory than the page. */
export function labelWordReader(blocks: readonly Block[]): (at: number) => LabelWords {
  let above: readonly string[] = [];
  const under = blocks.map((block) => {
    const own = above;
    if (headingLevel(block.element) > 0) above = labelWordsOf(block).map((word) => `under:${word}`);
    return own;
  });
  return (at) => ({ own: labelWordsOf(blocks[at]!).map((word) => `own:${word}`), under: under[at]! });
}

function labelWordsOf({ kind, text }: Block): string[] {
  return kind === 'text' ? labelWordsIn(text) : [];
}

/** The distinct words of a short text, lower case, digits as #, and the text as a whole; empty for a longer one. */
function labelWordsIn(text: string): string[] {
  if (text.length > 100) return [];
  const words =
    text
      .toLowerCase()
      .replace(/\d+/g, '#')
      .match(/[\p{L}\p{N}#]+/gu) ?? [];
  if (words.length > maxWords) return [];
  return [...new Set(words), ...(words.length > 1 && words.length <= maxPhrase ? [words.join(' ')] : [])];
}
