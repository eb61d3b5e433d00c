/**
 * A PDF's text layer as paragraphs. Lines are joined where a sentence runs on and a hyphen breaks a word; headings,
 * columns and tables are not reconstructed, and a scanned PDF has no text.
 */
import { getDocumentProxy, getMeta } from 'unpdf';
import { cleanLine, cleanText, cutText } from '../../base/text/clean-text.ts';
import { CMapSource } from './cmaps.ts';
import { countWords, type Extraction, maxTextChars } from './extraction.ts';
import { givenTitle } from './given-title.ts';
import { isoDate } from './metadata.ts';

/** Pages read; set by hand. */
const maxPages = 500;

/** The text layer of a PDF: its first 500 pages. Rejects when the PDF is damaged or encrypted. */
export async function extractPdf(bytes: Uint8Array): Promise<Extraction> {
  const pdf = await getDocumentProxy(new Uint8Array(bytes), {
    isEvalSupported: false,
    stopAtErrors: false,
    verbosity: 0,
    BinaryDataFactory: CMapSource,
    useWorkerFetch: false,
  });
  try {
    const { info } = await getMeta(pdf);
    const pages: string[] = [];
    let chars = 0;
    for (let n = 1; n <= Math.min(pdf.numPages, maxPages) && chars < maxTextChars; n += 1) {
      const content = await (await pdf.getPage(n)).getTextContent();
      const lines = linesOf(content.items.flatMap((item) => ('str' in item ? [item as TextItem] : [])));
      pages.push(paragraphsOf(lines));
      chars += pages.at(-1)!.length;
    }
    const text = cleanText(pages.filter((page) => page !== '').join('\n\n')).trim();
    const byline = cutText(cleanLine(String(info.Author ?? '')), 200);
    const published = isoDate(pdfDate(info.CreationDate));
    const modified = isoDate(pdfDate(info.ModDate));
    return {
      text: text.slice(0, maxTextChars).toWellFormed(),
      title: givenTitle(info.Title) || cutText(cleanLine(/^.*\S.*$/m.exec(text)?.[0] ?? ''), 200),
      ...(byline === '' ? {} : { byline }),
      ...(published === undefined ? {} : { published_at: published }),
      ...(modified === undefined ? {} : { modified_at: modified }),
      words: countWords(text),
      links: [],
      extractor: 'pdf',
      truncated: pdf.numPages > maxPages || text.length > maxTextChars,
      warnings: text === '' ? ['The PDF has no text layer; it may be scanned.'] : [],
    };
  } finally {
    await pdf.destroy();
  }
}

interface TextItem {
  readonly str: string;
  readonly hasEOL: boolean;
  readonly height: number;
  readonly transform: number[];
}

interface Line {
  readonly text: string;
  readonly y: number;
  readonly height: number;
}

function linesOf(items: readonly TextItem[]): Line[] {
  const lines: Line[] = [];
  let text = '';
  for (const item of items) {
    text += item.str;
    if (!item.hasEOL && item !== items.at(-1)) continue;
    lines.push({ text: text.replace(/\s+/g, ' ').trim(), y: item.transform[5] ?? 0, height: item.height });
    text = '';
  }
  return lines;
}

/** A new paragraph begins after an empty line or a gap larger than the spacing of the lines around it. */
function paragraphsOf(lines: readonly Line[]): string {
  let out = '';
  let before: Line | undefined;
  for (const line of lines) {
    if (line.text === '') {
      before = undefined;
      continue;
    }
    const gap = before === undefined ? 0 : Math.abs(before.y - line.y);
    const apart = before === undefined || gap > 1.8 * Math.max(line.height, before.height, 6);
    if (out === '') out = line.text;
    else if (apart) out += `\n\n${line.text}`;
    else if (/\p{L}-$/u.test(out) && /^\p{Ll}/u.test(line.text)) out = out.slice(0, -1) + line.text;
    else out += ` ${line.text}`;
    before = line;
  }
  return out;
}

/** "D:20240131120000+01'00'" as a date that can be parsed. */
function pdfDate(value: unknown): string | undefined {
  const match = /^D:(\d{4})(\d{2})?(\d{2})?/.exec(typeof value === 'string' ? value : '');
  return match === null ? undefined : `${match[1]}-${match[2] ?? '01'}-${match[3] ?? '01'}`;
}
