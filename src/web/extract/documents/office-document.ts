/** What is common to the documents of office programs: their properties, and an extraction of their blocks. */
import { cleanLine, cleanText, cutText } from '../../../base/text/encoding/clean-text.ts';
import { countWords, type Extraction, maxTextChars } from '../extraction.ts';
import { givenTitle } from '../given-title.ts';
import { isoDate } from '../metadata.ts';
import { readRelationships } from './relationships.ts';
import { readXmlText } from './xml-text.ts';
import type { ZipArchive } from './zip.ts';

/** The properties that a document states; none of them is checked. */
export interface DocumentProperties {
  readonly title?: string | undefined;
  readonly author?: string | undefined;
  /** In any common format. */
  readonly created?: string | undefined;
}

/** The kinds of Office files: where their main part is unless they say otherwise, and the folder of it. */
const officeKinds = {
  docx: { part: 'word/document.xml', folder: 'word/' },
  xlsx: { part: 'xl/workbook.xml', folder: 'xl/' },
  pptx: { part: 'ppt/presentation.xml', folder: 'ppt/' },
} as const;

/** What kind of Office file an archive is, and its main part, which programs name as they like; undefined if it is none. */
export function officeFileIn(
  archive: ZipArchive,
): { readonly kind: keyof typeof officeKinds; readonly part: string } | undefined {
  const kinds = Object.entries(officeKinds) as [keyof typeof officeKinds, { part: string; folder: string }][];
  const main = [...readRelationships(archive, '').values()].find(({ type }) => type === 'officeDocument')?.target ?? '';
  const named = kinds.find(([, { folder }]) => main.startsWith(folder) && main.endsWith('.xml') && archive.has(main));
  if (named !== undefined) return { kind: named[0], part: main };
  const usual = kinds.find(([, { part }]) => archive.has(part));
  return usual === undefined ? undefined : { kind: usual[0], part: usual[1].part };
}

/** The part of this type that the main part refers to, else the one with its usual name. */
export function partOf(archive: ZipArchive, main: string, type: string, usual: string): string {
  return [...readRelationships(archive, main).values()].find((each) => each.type === type)?.target ?? usual;
}

/** The properties of an Office file (ECMA-376-2, 8). Throws when the archive is damaged. */
export function coreProperties(archive: ZipArchive): DocumentProperties {
  const core = readXmlText(archive.read('docProps/core.xml'), ['dc:title', 'dc:creator', 'dcterms:created']);
  return { title: core['dc:title'], author: core['dc:creator'], created: core['dcterms:created'] };
}

/**
 * Blocks of Markdown as an extraction. The title is the one that its author gave, else what `titleIn` finds in the text; it may be
 * empty, and the name of the file then serves. `truncated` says that the blocks are not all.
 */
export function toExtraction(
  blocks: readonly string[],
  { title, author, created }: DocumentProperties,
  {
    extractor,
    truncated,
    titleIn = () => '',
  }: { extractor: string; truncated: boolean; titleIn?: (text: string) => string },
): Extraction {
  const all = blocks.join('\n\n');
  const text = cleanText(all.slice(0, maxTextChars).toWellFormed()).trim();
  const published = isoDate(created);
  const byline = cutText(cleanLine(author ?? ''), 200);
  return {
    text,
    title: cutText(givenTitle(title) || cleanLine(titleIn(text)), 200),
    ...(byline === '' ? {} : { byline }),
    ...(published === undefined ? {} : { published_at: published }),
    words: countWords(text),
    links: [],
    extractor,
    truncated: truncated || all.length > maxTextChars,
    warnings: [],
  };
}
