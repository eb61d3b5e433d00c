/** A document of Rich Text Format (RTF 1.9.1) as text: its paragraphs, items of lists, and tables. */
import type { Extraction } from '../../extraction.ts';
import { createBlockList } from '../block-list.ts';
import { toExtraction } from '../office-document.ts';
import { readRtf } from './read-rtf.ts';

/** Reads a document; damaged ones as far as they go. Throws for groups that are nested too deeply. */
export function extractRtf(bytes: Uint8Array): Extraction {
  const list = createBlockList();
  const { title, author, created, truncated } = readRtf(bytes, list);
  const firstLine = list.blocks[0]?.replace(/^#+ /, '').split('\n', 1)[0] ?? '';
  return toExtraction(
    list.blocks,
    { title, author, created },
    {
      extractor: 'rtf',
      truncated: truncated || list.truncated,
      titleIn: () => firstLine,
    },
  );
}
