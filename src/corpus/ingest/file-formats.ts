/** The formats of the files in a folder, by the endings of their names. */
import { basename, extname } from 'node:path';
import type { DocumentEnding } from '../../../protocol/document-kinds.ts';

/** How the files with an ending of their name are read. */
export interface FileFormat {
  /** The Content-Type given to the extractor; undefined for Markdown and text, which need none. */
  readonly contentType?: string;
  /** Max. size of one file, as for web pages and uploads. */
  readonly maxMegabytes: number;
}

/** Also the format of the documentation of packages. */
export const markdown: FileFormat = { maxMegabytes: 5 };
const plainText: FileFormat = { maxMegabytes: 5 };
const html: FileFormat = { contentType: 'text/html', maxMegabytes: 5 };
/** The content of an archive says what is in it. */
const archive: FileFormat = { contentType: 'application/zip', maxMegabytes: 20 };

const formats: Readonly<Record<DocumentEnding, FileFormat>> = {
  md: markdown,
  markdown,
  mdx: markdown,
  txt: plainText,
  html,
  htm: html,
  pdf: { contentType: 'application/pdf', maxMegabytes: 20 },
  docx: archive,
  xlsx: archive,
  xlsm: archive,
  pptx: archive,
  odt: archive,
  ods: archive,
  odp: archive,
  epub: archive,
  rtf: { contentType: 'application/rtf', maxMegabytes: 20 },
  csv: { contentType: 'text/csv', maxMegabytes: 5 },
  tsv: { contentType: 'text/tab-separated-values', maxMegabytes: 5 },
  eml: { contentType: 'message/rfc822', maxMegabytes: 20 },
};

/**
 * Of files with the endings of Office up to 2003, the content decides: the extractor says how they can be read, or reads what is
 * RTF or HTML with such a name. They are not left out as if they were no documents.
 */
const oldOffice: FileFormat = { contentType: '', maxMegabytes: 20 };

/** Endings that are rarer, and not offered in pages, whose first paint has a limit. */
const otherFormats: Readonly<Record<string, FileFormat>> = {
  xhtml: { contentType: 'application/xhtml+xml', maxMegabytes: 5 },
  docm: archive,
  dotx: archive,
  pptm: archive,
  ppsx: archive,
  ott: archive,
  doc: oldOffice,
  xls: oldOffice,
  ppt: oldOffice,
};

/** By the name of a file; undefined for one that is not to be indexed. */
export function formatOf(path: string): FileFormat | undefined {
  if (isLockFile(path)) return undefined;
  const ending = extname(path).slice(1).toLowerCase();
  if (Object.hasOwn(otherFormats, ending)) return otherFormats[ending];
  return Object.hasOwn(formats, ending) ? formats[ending as DocumentEnding] : undefined;
}

/** Whether it is what Word keeps next to an open document, such as "~$letter.docx", which holds only the name of the user. */
export function isLockFile(path: string): boolean {
  return basename(path).startsWith('~$');
}
