/** Documents of OpenDocument 1.3 (ODT, ODS, ODP) as Markdown. */
import type { Extraction } from '../../extraction.ts';
import { hasPassword, UnsupportedFile } from '../../unsupported-file.ts';
import { createBlockList } from '../block-list.ts';
import { type DocumentProperties, toExtraction } from '../office-document.ts';
import { readXml } from '../read-xml.ts';
import { sheetsExtraction } from '../sheets/sheets-extraction.ts';
import { createSlides } from '../slides/slides.ts';
import { readXmlText } from '../xml-text.ts';
import type { ZipArchive } from '../zip.ts';
import { readOdfStyles } from './odf-styles.ts';
import { readOdfText } from './odf-text.ts';
import { readOdsSheets } from './ods-sheets.ts';

const content = 'content.xml';
const manifest = 'META-INF/manifest.xml';
const types = { text: 'odt', spreadsheet: 'ods', presentation: 'odp' } as const;

/**
 * The kind of document that an archive says it is (ODF 1.3-2, 3.3 and 4.8.9); undefined if it is not a text, workbook or
 * presentation.
 */
export function openDocumentKind(archive: ZipArchive): 'odt' | 'ods' | 'odp' | undefined {
  if (!archive.has(content)) return undefined;
  const said = archive.has('mimetype')
    ? new TextDecoder().decode(archive.read('mimetype')?.subarray(0, 100))
    : rootType(archive);
  const kind =
    /^application\/(?:vnd\.oasis\.opendocument|x-vnd\.oasis\.opendocument)\.(text|spreadsheet|presentation)(?:-template|-master)?$/.exec(
      said.trim(),
    )?.[1];
  return kind === undefined ? undefined : types[kind as keyof typeof types];
}

/**
 * Reads a document of the kind that `openDocumentKind` has found. Throws when its archive is damaged or too large, or a part is
 * nested too deeply; an UnsupportedFile if it has a password.
 */
export function extractOpenDocument(archive: ZipArchive, kind: 'odt' | 'ods' | 'odp'): Extraction {
  if (isEncrypted(archive)) throw new UnsupportedFile(hasPassword);
  const part = archive.readStart(content);
  const bytes = part?.content;
  const isCut = part?.isWhole === false;
  const properties = propertiesOf(archive);
  const styles = readOdfStyles(bytes);
  if (kind === 'ods') {
    const { sheets, budget } = readOdsSheets(bytes, styles);
    budget.truncated ||= isCut;
    return sheetsExtraction(sheets, { properties, extractor: kind, budget });
  }
  if (kind === 'odp') {
    const slides = createSlides();
    const rest = readOdfText(bytes, { styles, list: createBlockList(), onSlide: slides.add });
    return slides.toExtraction(properties, kind, isCut || rest.truncated);
  }
  const list = createBlockList();
  const { notes, truncated } = readOdfText(bytes, { styles, list });
  for (const [at, note] of notes.entries()) list.add(`${at + 1}. ${note}`);
  const heading = list.blocks.find((block) => /^#{1,6} /.test(block))?.replace(/^#+ /, '');
  const firstLine = heading ?? list.blocks[0]?.split('\n', 1)[0] ?? '';
  return toExtraction(list.blocks, properties, {
    extractor: kind,
    truncated: truncated || isCut,
    titleIn: () => firstLine,
  });
}

function propertiesOf(archive: ZipArchive): DocumentProperties {
  const names = ['dc:title', 'meta:initial-creator', 'dc:creator', 'meta:creation-date', 'dc:date'];
  const meta = readXmlText(archive.read('meta.xml'), names);
  return {
    title: meta['dc:title'],
    author: meta['meta:initial-creator'] || meta['dc:creator'],
    created: meta['meta:creation-date'] || meta['dc:date'],
  };
}

function rootType(archive: ZipArchive): string {
  let found = '';
  readXml(archive.read(manifest), {
    open(_, attributes) {
      if (attributes['manifest:full-path'] === '/') found = attributes['manifest:media-type'] ?? '';
    },
  });
  return found;
}

function isEncrypted(archive: ZipArchive): boolean {
  let found = false;
  readXml(archive.read(manifest), {
    open(name) {
      if (name === 'manifest:encryption-data') found = true;
    },
  });
  return found;
}
