/** A Word document (DOCX) as Markdown: headings, paragraphs, lists and tables, in the order of the document, then its notes. */
import type { Extraction } from '../extraction.ts';
import { readDocxBlocks } from './docx-blocks.ts';
import { readDocxLists } from './docx-numbering.ts';
import { readDocxStyles } from './docx-styles.ts';
import { coreProperties, partOf, toExtraction } from './office-document.ts';
import type { ZipArchive } from './zip.ts';

/** The notes of a document and the elements that refer to them, in the order in which they are added. */
const notes = [
  ['footnotes', 'w:footnoteReference'],
  ['endnotes', 'w:endnoteReference'],
] as const;

/** Reads the text of a document, which is in the part `main`. Throws when its archive is damaged or too large. */
export function extractDocx(archive: ZipArchive, main: string): Extraction {
  const xml = archive.read(main);
  const part = (type: string) => partOf(archive, main, type, `word/${type}.xml`);
  const about = {
    styles: readDocxStyles(archive, part('styles')),
    lists: readDocxLists(archive, part('numbering')),
  };
  const { blocks, references, truncated } = readDocxBlocks(xml, about);
  for (const [type, reference] of notes) {
    const ids = [...(references.get(reference) ?? [])];
    const texts = ids.length === 0 ? undefined : readDocxBlocks(archive.read(part(type)), about).notes;
    // Word numbers them in the order of the text; their ids are in any order.
    blocks.push(...ids.flatMap((id, at) => (texts?.get(id) ? `${at + 1}. ${texts.get(id)}` : [])));
  }

  const { title, ...properties } = coreProperties(archive);
  const titleIn = (text: string) => {
    const first = /^.*\S.*$/m.exec(text)?.[0] ?? '';
    // The head of a table is no title.
    return title || /^#{1,6} (.+)$/m.exec(text)?.[1] || (first.startsWith('| ') ? '' : first);
  };
  return toExtraction(blocks, properties, { extractor: 'docx', truncated, titleIn });
}
