/** A book (EPUB) as Markdown: the texts of its spine, in reading order. */
import { Parser } from 'htmlparser2';
import { decodeText } from '../../../base/text/encoding/charset.ts';
import { cleanLine, cleanText, cutText } from '../../../base/text/encoding/clean-text.ts';
import { countWords, type Extraction, maxTextChars } from '../extraction.ts';
import { segment } from '../html/blocks.ts';
import { type HtmlElement, parseHtml, replaceChildren } from '../html/html-tree.ts';
import { renderMarkdown } from '../html/markdown.ts';
import { pruneHidden } from '../html/prune-hidden.ts';
import { isoDate } from '../metadata.ts';
import { UnsupportedFile } from '../unsupported-file.ts';
import { pathInArchive } from './archive-path.ts';
import { readXmlText } from './xml-text.ts';
import type { ZipArchive } from './zip.ts';

/** Where the name of the package document is; its presence tells an EPUB. */
export const epubContainer = 'META-INF/container.xml';

/** Texts of one book; set by hand. */
const maxTexts = 2_000;

const protectedBook = 'The book is protected against copying (DRM), so its text cannot be read.';

/**
 * Reads the texts of a book. Throws when its archive is damaged or too large, or has no package document; an UnsupportedFile if its
 * texts are encrypted.
 */
export function extractEpub(archive: ZipArchive, url: string): Extraction {
  const main = attributesOf(archive.read(epubContainer), 'rootfile')[0]?.['full-path'] ?? '';
  const packaged = archive.read(main);
  if (packaged === undefined) throw new Error('The book has no package document.');
  const encrypted = encryptedFiles(archive);
  const items = attributesOf(packaged, 'item');
  const files = new Map(items.map(({ id = '', href = '' }) => [id, href]));
  const contents = items.find(({ properties = '' }) => /(?:^|\s)nav(?:\s|$)/.test(properties))?.id;
  const spine = attributesOf(packaged, 'itemref').slice(0, maxTexts);
  const texts: string[] = [];
  let chars = 0;
  let truncated = false;
  let unread = 0;
  for (const { idref = '' } of spine) {
    const href = files.get(idref);
    const path = href === undefined ? undefined : pathInArchive(main, href);
    if (path !== undefined && encrypted.has(path)) {
      unread += 1;
      continue;
    }
    const content = path === undefined ? undefined : archive.read(path);
    if (content === undefined) continue;
    truncated = chars > maxTextChars;
    if (truncated) break;
    const tree = parseHtml(decodeText(content, 'application/xhtml+xml'));
    pruneHidden(tree.root);
    // The table of contents says nothing that the chapters do not say; the file that has it may be the whole book.
    if (idref === contents && spine.length > 1) pruneContents(tree.root);
    const text = renderMarkdown(segment(tree.root).layout, () => true, url).trim();
    if (text !== '') texts.push(text);
    chars += text.length;
  }
  if (unread > 0 && texts.length === 0) throw new UnsupportedFile(protectedBook);
  const about = readXmlText(packaged, ['dc:title', 'dc:creator', 'dc:date', 'dc:language']);
  const text = cleanText(texts.join('\n\n').slice(0, maxTextChars).toWellFormed()).trim();
  const published = isoDate(about['dc:date']);
  return {
    text,
    title: cutText(cleanLine(about['dc:title'] || /^#{1,6} (.+)$/m.exec(text)?.[1] || ''), 200),
    ...(about['dc:creator'] ? { byline: cutText(cleanLine(about['dc:creator']), 200) } : {}),
    ...(about['dc:language'] ? { language: cutText(about['dc:language'], 35) } : {}),
    ...(published === undefined ? {} : { published_at: published }),
    words: countWords(text),
    links: [],
    extractor: 'epub',
    truncated: truncated || unread > 0,
    warnings: unread > 0 ? ['Chapters of the book are protected against copying (DRM) and were left out.'] : [],
  };
}

/** The files of the archive that are encrypted (OCF 3.3, 4.2.6.3.2), at times only its fonts. */
function encryptedFiles(archive: ZipArchive): ReadonlySet<string> {
  const names = attributesOf(archive.read('META-INF/encryption.xml'), 'CipherReference').map(({ URI = '' }) => URI);
  return new Set(names.map((name) => pathInArchive('', name)));
}

/** The attributes of every element of that name. */
function attributesOf(bytes: Uint8Array | undefined, element: string): Record<string, string>[] {
  const found: Record<string, string>[] = [];
  if (bytes === undefined) return found;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name === element || name.endsWith(`:${element}`)) found.push(attributes);
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.write(new TextDecoder().decode(bytes));
  parser.end();
  return found;
}

function pruneContents(element: HtmlElement): void {
  replaceChildren(
    element,
    element.children.filter((child) => typeof child === 'string' || child.name !== 'nav'),
  );
  for (const child of element.children) if (typeof child !== 'string') pruneContents(child);
}
