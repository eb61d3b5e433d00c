/** Bytes of any supported type as Markdown: the Content-Type decides, or the bytes themselves when there is none. */
import { decodeText, utf16By } from '../../base/text/encoding/charset.ts';
import { extractCsv } from './documents/extract-csv.ts';
import { extractDocx } from './documents/extract-docx.ts';
import { epubContainer, extractEpub } from './documents/extract-epub.ts';
import { extractMail } from './documents/extract-mail.ts';
import { officeFileIn } from './documents/office-document.ts';
import { extractOpenDocument, openDocumentKind } from './documents/opendocument/extract-opendocument.ts';
import { extractRtf } from './documents/rtf/extract-rtf.ts';
import { extractXlsx } from './documents/sheets/extract-xlsx.ts';
import { extractPptx } from './documents/slides/extract-pptx.ts';
import { openZip } from './documents/zip.ts';
import { extractFeed } from './extract-feed.ts';
import { extractHtml } from './extract-html.ts';
import { extractPdf } from './extract-pdf.ts';
import { extractJson, extractMarkdown, extractText } from './extract-plain.ts';
import { type Extraction, maxTextChars, type PageSource } from './extraction.ts';
import { isOldOffice, oldOffice, pageKindOf } from './page-kind.ts';
import { hasPassword, UnsupportedFile } from './unsupported-file.ts';

/** The text and metadata of a page; undefined for an unsupported type. Rejects when a parser fails, with an UnsupportedFile where there is more to say. */
export async function extract(bytes: Uint8Array, source: PageSource): Promise<Extraction | undefined> {
  const kind = pageKindOf(bytes, source);
  if (kind === undefined && isOldOffice(bytes)) throw new UnsupportedFile(oldOffice);
  // A file with the name of a document, which is cut off at its beginning or is none.
  if (kind === undefined && isArchiveType(source)) throw new Error('It is not an archive.');
  if (kind === undefined) return undefined;
  if (kind === 'pdf') {
    return extractPdf(bytes).catch((error: unknown) => {
      throw error instanceof Error && error.name === 'PasswordException' ? new UnsupportedFile(hasPassword) : error;
    });
  }
  if (kind === 'zip') return extractArchive(bytes, source.url);
  if (kind === 'mail') return extractMail(bytes, source.url);
  if (kind === 'rtf') return extractRtf(bytes);
  if (kind === 'markdown' || kind === 'csv' || kind === 'text') return extractLines(bytes, source, kind);
  const text = decodeText(bytes, source.contentType);
  if (kind === 'json') return extractJson(text);
  if (kind === 'xml') return extractFeed(text, source.url) ?? extractHtml(text, source.url);
  return extractHtml(text, source.url);
}

function isArchiveType({ contentType }: PageSource): boolean {
  return /^application\/zip\s*(?:;|$)/i.test(contentType);
}

/** Bytes that are read of a text, whose other lines would only take memory: as many as the longest text may have in any charset. */
const maxTextBytes = 4 * maxTextChars;

function extractLines(bytes: Uint8Array, { contentType }: PageSource, kind: 'markdown' | 'csv' | 'text'): Extraction {
  const extractOf = { markdown: extractMarkdown, csv: extractCsv, text: extractText }[kind];
  if (bytes.length <= maxTextBytes) return extractOf(decodeText(bytes, contentType));
  // A line end, so that no character is cut; in UTF-16 its second byte may be part of the next unit.
  const lineEnd = utf16By(bytes) !== undefined ? 0 : bytes.lastIndexOf(0x0a, maxTextBytes - 1) + 1;
  const beginning = bytes.subarray(0, lineEnd > maxTextBytes / 2 ? lineEnd : maxTextBytes);
  return { ...extractOf(decodeText(beginning, contentType)), truncated: true };
}

function extractArchive(bytes: Uint8Array, url: string): Extraction | undefined {
  const archive = openZip(bytes);
  const office = officeFileIn(archive);
  if (office !== undefined)
    return { docx: extractDocx, xlsx: extractXlsx, pptx: extractPptx }[office.kind](archive, office.part);
  if (archive.has(epubContainer)) return extractEpub(archive, url);
  const kind = openDocumentKind(archive);
  return kind === undefined ? undefined : extractOpenDocument(archive, kind);
}
