/**
 * Which styles of a Word document are those of headings, and of lists. The ids of styles are in the language of the author's Word;
 * names are not.
 */
import type { ListPlace } from './docx-numbering.ts';
import { readXml } from './read-xml.ts';
import type { ZipArchive } from './zip.ts';

/** Levels by the ids of styles: 1 is a title or the first level, 0 is body text by the word of the document. */
type HeadingLevels = ReadonlyMap<string, number>;

export interface DocxStyles {
  readonly headings: HeadingLevels;
  /** The places in lists of the paragraphs of a style, by its id. */
  readonly lists: ReadonlyMap<string, ListPlace>;
}

/** Word itself takes about 4,000 styles. A chain of styles is rarely longer than five; set by hand. */
const maxStyles = 5_000;
const maxBasedOn = 20;

/** The outline level that is body text (ECMA-376-1, 17.3.1.20); the others count from 0. */
const bodyLevel = 9;

interface Style {
  id: string;
  level?: number;
  list?: string;
  listLevel?: number;
  basedOn?: string;
}

/** The styles in a part of an archive. Empty if the styles are missing or cannot be read: the text does not depend on them. */
export function readDocxStyles(archive: ZipArchive, part: string): DocxStyles {
  const styles = new Map<string, Style>();
  try {
    readStyles(archive.read(part), styles);
  } catch {
    // What was read before counts.
  }
  const headings = new Map<string, number>();
  const lists = new Map<string, ListPlace>();
  for (const id of styles.keys()) {
    const level = inherited(id, styles, 'level');
    const list = inherited(id, styles, 'list');
    if (level !== undefined) headings.set(id, level);
    if (list !== undefined && list !== '0') lists.set(id, { id: list, level: inherited(id, styles, 'listLevel') ?? 0 });
  }
  return { headings, lists };
}

/** The level from 1 to 9 of a heading with this style; undefined for body text. */
export function headingLevel({ headings }: DocxStyles, style: string): number | undefined {
  const level = headings.get(style) ?? levelOfId(style);
  return level === 0 ? undefined : level;
}

function readStyles(bytes: Uint8Array | undefined, styles: Map<string, Style>): void {
  let open: Style | undefined;
  readXml(bytes, {
    open(name, attributes) {
      const value = attributes['w:val'] ?? '';
      if (name === 'w:style') {
        open = attributes['w:type'] === 'paragraph' ? { id: attributes['w:styleId'] ?? '' } : undefined;
        if (open !== undefined && styles.size < maxStyles) styles.set(open.id, open);
      } else if (open === undefined) return;
      else if (name === 'w:name') setLevel(open, levelOfName(value));
      else if (name === 'w:outlineLvl' && open.level === undefined) setLevel(open, levelOfOutline(value));
      else if (name === 'w:numId') open.list = value;
      else if (name === 'w:ilvl' && /^[0-8]$/.test(value)) open.listLevel = Number(value);
      else if (name === 'w:basedOn') open.basedOn = value;
    },
    close(name) {
      if (name === 'w:style') open = undefined;
    },
    isDone: () => styles.size >= maxStyles,
  });
}

function setLevel(style: Style, level: number | undefined): void {
  if (level !== undefined) style.level = level;
}

function levelOfOutline(value: string): number | undefined {
  if (!/^\d$/.test(value)) return undefined;
  return +value === bodyLevel ? 0 : +value + 1;
}

/** The built-in names are the same in every language (ECMA-376-1, 17.7.4.9). */
function levelOfName(name: string): number | undefined {
  const level = /^heading ([1-9])$/i.exec(name)?.[1];
  if (level !== undefined) return +level;
  return /^title$/i.test(name) ? 1 : undefined;
}

/** For documents without styles, as converters write them. */
function levelOfId(id: string): number | undefined {
  const level = /^(?:heading|berschrift|titre|t[íi]tulo)\s*(\d)$/i.exec(id)?.[1];
  if (level !== undefined) return +level;
  return /^title$/i.test(id) ? 1 : undefined;
}

/** A property of the style, or of the first one that it is based on and that has one. */
function inherited<Name extends 'level' | 'list' | 'listLevel'>(
  id: string,
  styles: ReadonlyMap<string, Style>,
  name: Name,
): Style[Name] | undefined {
  let style = styles.get(id);
  for (let depth = 0; style !== undefined && depth < maxBasedOn; depth += 1) {
    if (style[name] !== undefined) return style[name];
    style = style.basedOn === undefined ? undefined : styles.get(style.basedOn);
  }
  return undefined;
}
