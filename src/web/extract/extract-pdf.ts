/**
 * A PDF's text layer as paragraphs, with what is filled into its form. Lines are joined where a sentence runs on and a hyphen
 * breaks a word; lines of another size and rows of tables stay apart. Columns and tables are not reconstructed, and a scanned
 * PDF has no text.
 */
import { getDocumentProxy, getMeta } from 'unpdf';
import { cleanLine, cleanText, cutText } from '../../base/text/encoding/clean-text.ts';
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
    const hasForm = (info as { IsAcroFormPresent?: unknown }).IsAcroFormPresent === true;
    const pages: string[] = [];
    let tallest = '';
    let chars = 0;
    for (let n = 1; n <= Math.min(pdf.numPages, maxPages) && chars < maxTextChars; n += 1) {
      const page = await pdf.getPage(n);
      const content = await page.getTextContent();
      const items = content.items.flatMap((item) => ('str' in item ? [item as TextItem] : []));
      const lines = linesOf(items, hasForm ? filledFields(await page.getAnnotations()) : []);
      if (n === 1) tallest = tallestLine(lines);
      pages.push(paragraphsOf(lines));
      chars += pages.at(-1)!.length;
    }
    const text = cleanText(pages.filter((page) => page !== '').join('\n\n')).trim();
    const byline = cutText(cleanLine(String(info.Author ?? '')), 200);
    const published = isoDate(pdfDate(info.CreationDate));
    const modified = isoDate(pdfDate(info.ModDate));
    return {
      text: text.slice(0, maxTextChars).toWellFormed(),
      title: givenTitle(info.Title) || cutText(cleanLine(tallest || (/^.*\S.*$/m.exec(text)?.[0] ?? '')), 200),
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
  readonly width: number;
  readonly height: number;
  readonly transform: number[];
}

interface Line {
  readonly text: string;
  readonly y: number;
  readonly height: number;
  /** The height of its largest letters. */
  readonly size: number;
  /** Whether it has gaps as between the cells of a table. */
  readonly isRow: boolean;
}

interface Field {
  readonly label: string;
  readonly value: string;
  /** Left, bottom, right and top. */
  readonly rect: readonly number[];
}

/** Fields read of one page, and characters of one; set by hand. */
const maxFields = 500;
const maxFieldChars = 5_000;
/** Bits of annotations that are not shown (ISO 32000-1, 12.5.3). */
const unseenFlags = 2 | 32;

/** The texts and choices that somebody has filled in and that are seen. */
function filledFields(annotations: readonly Record<string, unknown>[]): Field[] {
  const fields: Field[] = [];
  for (const { fieldType, fieldValue, fieldName, alternativeText, password, annotationFlags, rect } of annotations) {
    if ((fieldType !== 'Tx' && fieldType !== 'Ch') || password === true || !Array.isArray(rect)) continue;
    if ((Number(annotationFlags) & unseenFlags) !== 0 || fields.length >= maxFields) continue;
    const values = Array.isArray(fieldValue) ? fieldValue : [fieldValue];
    const value = cleanLine(values.filter((each) => typeof each === 'string').join(', ')).slice(0, maxFieldChars);
    // A name such as "Text1" or "form1[0].q" is one for programs.
    const name = cleanLine(String(alternativeText || fieldName || ''));
    const label = /^\p{L}[\p{L}\s'’()/-]{2,60}:?$/u.test(name) ? name.replace(/:$/, '') : '';
    if (value !== '') fields.push({ label, value, rect });
  }
  return fields;
}

/** The fields by the texts that they follow in their lines; those beside no text follow the page. */
function placesOf(
  items: readonly TextItem[],
  fields: readonly Field[],
): { beside: Map<TextItem, string[]>; rest: Field[] } {
  const beside = new Map<TextItem, string[]>();
  const rest: Field[] = [];
  for (const field of [...fields].sort((one, other) => one.rect[0]! - other.rect[0]!)) {
    const [left = 0, bottom = 0, , top = 0] = field.rect;
    let nearest: TextItem | undefined;
    for (const item of items) {
      const [x = 0, y = 0] = item.transform.slice(4);
      if (item.str.trim() === '' || y < bottom - 3 || y > top || x > left + 2) continue;
      if (nearest === undefined || x >= nearest.transform[4]!) nearest = item;
    }
    if (nearest === undefined) rest.push(field);
    else beside.set(nearest, [...(beside.get(nearest) ?? []), field.value]);
  }
  return { beside, rest };
}

function linesOf(items: readonly TextItem[], fields: readonly Field[]): Line[] {
  const lines: Line[] = [];
  const { beside, rest } = placesOf(items, fields);
  let text = '';
  let size = 0;
  let gaps = 0;
  for (const item of items) {
    text += item.str;
    const values = beside.get(item);
    if (values !== undefined) text += ` ${values.join(' ')} `;
    if (item.str.trim() !== '') size = Math.max(size, item.height);
    else if (item.width > 1.5 * Math.max(6, size)) gaps += 1;
    if (!item.hasEOL && item !== items.at(-1)) continue;
    const shown = text.replace(/\s+/g, ' ').trim();
    lines.push({ text: shown, y: item.transform[5] ?? 0, height: item.height, size, isRow: gaps > 0 && shown !== '' });
    text = '';
    size = 0;
    gaps = 0;
  }
  for (const { label, value } of rest) {
    const empty = { y: 0, height: 0, size: 0, isRow: false };
    lines.push({ text: '', ...empty }, { text: label === '' ? value : `${label}: ${value}`, ...empty });
  }
  return lines;
}

/** Heights of letters that differ by more are those of headings and text; set by hand. */
const sizeRatio = 1.2;

function isOtherSize(one: Line, other: Line): boolean {
  const [small, large] = one.size < other.size ? [one.size, other.size] : [other.size, one.size];
  return small > 0 && large > sizeRatio * small;
}

/** The largest line, with those of its size that follow it, where it is larger than some other line; else empty. */
function tallestLine(lines: readonly Line[]): string {
  const filled = lines.filter(({ text }) => /\p{L}{2}/u.test(text));
  const at = filled.reduce((best, line, n) => (line.size > (filled[best]?.size ?? 0) ? n : best), 0);
  const first = filled[at];
  if (first === undefined || !filled.some((line) => line.size < first.size && isOtherSize(line, first))) return '';
  const after = filled.slice(at, at + 3);
  const end = after.findIndex((line) => Math.abs(line.size - first.size) > 0.1);
  return after
    .slice(0, end < 0 ? after.length : end)
    .map(({ text }) => text)
    .join(' ');
}

/**
 * A new paragraph begins after an empty line, a gap larger than the spacing of the lines around it, or with letters of another
 * size.
 */
function paragraphsOf(lines: readonly Line[]): string {
  let out = '';
  let before: Line | undefined;
  for (const line of lines) {
    if (line.text === '') {
      before = undefined;
      continue;
    }
    const gap = before === undefined ? 0 : Math.abs(before.y - line.y);
    const apart =
      before === undefined || isOtherSize(before, line) || gap > 1.8 * Math.max(line.height, before.height, 6);
    if (out === '') out = line.text;
    else if (apart) out += `\n\n${line.text}`;
    else if (line.isRow || before?.isRow || /^[•▪◦‣●]\s/.test(line.text)) out += `\n${line.text}`;
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
