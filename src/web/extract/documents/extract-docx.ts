/** A Word document (DOCX) as Markdown: headings, paragraphs, lists and tables, in the order of the document, then its notes. */
import type { Extraction } from '../extraction.ts';
import { readDocxBlocks } from './docx-blocks.ts';
import { readDocxLists } from './docx-numbering.ts';
import { readDocxStyles } from './docx-styles.ts';
import { coreProperties, toExtraction } from './office-document.ts';
import type { ZipArchive } from './zip.ts';

/** Where the text is; its presence tells a DOCX. */
export const docxText = 'word/document.xml';

/** The notes of a document and the elements that refer to them, in the order in which they are added. */
const notes = [
  ['word/footnotes.xml', 'w:footnoteReference'],
  ['word/endnotes.xml', 'w:endnoteReference'],
] as const;

/** Reads the text of a document. Throws when its archive is damaged or too large. */
export function extractDocx(archive: ZipArchive): Extraction {
  const xml = archive.read(docxText);
  const about = { styles: readDocxStyles(archive), lists: readDocxLists(archive) };
  const { blocks, references, truncated } = readDocxBlocks(xml, about);
  for (const [file, reference] of notes) {
    const ids = [...(references.get(reference) ?? [])];
    const texts = ids.length === 0 ? undefined : readDocxBlocks(archive.read(file), about).notes;
    // Word numbers them in the order of the text; their ids are in any order.
    blocks.push(...ids.flatMap((id, at) => (texts?.get(id) ? `${at + 1}. ${texts.get(id)}` : [])));
  }

  const { title, ...properties } = coreProperties(archive);
  const titleIn = (text: string) => title || /^#{1,6} (.+)$/m.exec(text)?.[1] || /^.*\S.*$/m.exec(text)?.[0] || '';
  return toExtraction(blocks, properties, { extractor: 'docx', truncated, titleIn });
}
