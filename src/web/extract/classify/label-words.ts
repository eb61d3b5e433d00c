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

/** The label words of each block, in the order of the blocks. */
export function labelWordsOf(blocks: readonly Block[]): LabelWords[] {
  let under: readonly string[] = [];
  return blocks.map((block) => {
    const words = block.kind === 'text' ? labelWordsIn(block.text) : [];
    const labels = { own: words.map((word) => `own:${word}`), under };
    if (headingLevel(block.element) > 0) under = words.map((word) => `under:${word}`);
    return labels;
  });
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
