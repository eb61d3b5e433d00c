/**
 * The format of a page: decided by its Content-Type, or by its bytes when there is none or they are a PDF, an archive or RTF. What is in
 * an archive, such as a DOCX, is found out when it is opened.
 */
import { utf16By } from '../../base/text/encoding/charset.ts';
import type { PageSource } from './extraction.ts';

export type PageKind = 'html' | 'markdown' | 'text' | 'csv' | 'json' | 'xml' | 'pdf' | 'zip' | 'mail' | 'rtf';

/** How images, sound, films, programs and packed files begin, which servers at times send as pages. */
const binary =
  /^(?:\x89PNG|\xff\xd8\xff|GIF8[79]a|RIFF[\s\S]{4}(?:WEBP|WAVE|AVI )|OggS\x00|ID3[\x00-\x04]|\x00\x00[\s\S]{2}ftyp|\x1f\x8b|\x7fELF|BZh\d|7z\xbc\xaf|Rar!\x1a)/;

/** How files of the Compound File Binary format begin: those of Office up to 2003, and newer ones with a password ([MS-CFB] 2.2). */
const compoundFile = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';

/** The message about such a file. */
export const oldOffice = 'This is an old or protected Office file; save it as DOCX, XLSX or PPTX without a password.';

/** Whether it is a file of an old Office, such as DOC and XLS, or of a newer one with a password. */
export function isOldOffice(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 8)).toString('latin1') === compoundFile;
}

/** The format of a page; undefined for an unsupported type. */
export function pageKindOf(bytes: Uint8Array, { contentType, url }: PageSource): PageKind | undefined {
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase();
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1_024)).toString('latin1');
  const start = startOf(bytes);
  if (head.startsWith('%PDF-')) return 'pdf';
  if (head.startsWith('PK\x03\x04')) return 'zip';
  if (binary.test(head) || isOldOffice(bytes)) return undefined;
  if (head.startsWith('{\\rtf')) return 'rtf';
  if (type === 'message/rfc822' || type === 'message/global') return 'mail';
  if (type === 'text/html') return feedStart.test(start) ? 'xml' : 'html';
  if (type === 'application/xhtml+xml') return 'html';
  if (type === 'application/pdf') return 'pdf';
  if (/^(text|application)\/(x-)?markdown$/.test(type)) return 'markdown';
  if (/^application\/([\w.-]+\+)?json$|^text\/json$/.test(type)) return 'json';
  if (/^(application|text)\/([\w.-]+\+)?xml$/.test(type)) return 'xml';
  const path = URL.canParse(url) ? new URL(url).pathname : '';
  if (/^(?:text|application)\/(?:x-)?(?:csv|comma-separated-values|tab-separated-values)$/.test(type)) return 'csv';
  const isText = type.startsWith('text/') || type === '' || type === 'application/octet-stream';
  if (isText && /\.eml$/i.test(path) && /^\S/.test(head)) return 'mail';
  const isMarkdown = /\.(?:md|markdown|mdx)$/i.test(path);
  const kind = sniffed(start);
  // What is for Excel and not a file of Excel is a page or a table that it can open.
  if (type === 'application/vnd.ms-excel') return kind === 'text' ? 'csv' : kind;
  if (type.startsWith('text/')) return isMarkdown ? 'markdown' : kind === 'html' ? 'html' : 'text';
  if (!isText || kind === undefined) return undefined;
  // Its bytes say whether it is text, and its name of what kind: Markdown may begin with elements of HTML, such as a picture.
  if (isMarkdown) return wholePage.test(start) ? 'html' : 'markdown';
  if (/\.x?html?$/i.test(path) && kind === 'text') return 'html';
  if (/\.(?:csv|tsv)$/i.test(path) && kind === 'text') return 'csv';
  return kind;
}

/** The first characters of a text without its byte order mark and the white space after that. */
function startOf(bytes: Uint8Array): string {
  const head = bytes.subarray(0, 1_024);
  const wide = utf16By(head);
  const text =
    wide !== undefined
      ? new TextDecoder(wide).decode(head)
      : Buffer.from(head.buffer, head.byteOffset, head.length).toString('latin1');
  return text.replace(/^(?:\ufeff|\xef\xbb\xbf)?\s*/, '');
}

/**
 * An element of a page after any comments. A comment ends at its first "-->": one that could also end at a later one is tried in every
 * combination, which doubles with each comment.
 */
const pageStart =
  /^(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<(?:!doctype html|html|head|body|title|meta|div|p|h1|script|table)\b/i;

/** Starts that can only be a whole HTML page. */
const wholePage = /^(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<(?:!doctype html|html)\b/i;

/** How feeds begin, which servers at times send as HTML; browsers look for them there, too (MIME Sniffing standard, 7.3). */
const feedStart = /^(?:(?:<\?[^>]*>|<!--(?:(?!-->)[\s\S])*-->|<!doctype\s+rss\b[^>]*>)\s*)*<(?:rss|feed|rdf:rdf)[\s>]/i;

function sniffed(start: string): PageKind | undefined {
  if (pageStart.test(start)) return 'html';
  if (/^<(\?xml|rss|feed)\b/i.test(start)) return 'xml';
  return /[\x00-\x08\x0e-\x1a]/.test(start) ? undefined : 'text';
}
