/** The text of a document of OpenDocument (ODF 1.3-3, 5, 6, 9 and 10): of a whole text, or slide by slide of a presentation. */
import { maxTextChars } from '../../extraction.ts';
import { createCellRepeater } from '../../repeated-cells.ts';
import { createRunWriter, type RunWriter } from '../../superscript.ts';
import { type BlockList, createBlockList, tidyCell } from '../block-list.ts';
import { readXml } from '../read-xml.ts';
import type { Slide } from '../slides/slides.ts';
import type { OdfStyles } from './odf-styles.ts';

type Attributes = Readonly<Record<string, string>>;

/**
 * Elements whose text a reader does not see, or sees elsewhere: what was deleted, remarks, tables of contents, readings,
 * forms.
 */
const unseen: ReadonlySet<string> = new Set([
  'text:tracked-changes',
  'office:annotation',
  'text:table-of-content',
  'text:note-citation',
  'text:ruby-text',
  'text:hidden-text',
  'office:forms',
  'svg:title',
  'svg:desc',
  'text:page-number',
  'text:page-count',
]);

/** What every slide repeats, by the classes of frames. */
const repeated = /^(?:header|footer|date-time|page-number|page)$/;

/** Set by hand. */
const maxSlides = 3_000;

interface Paragraph {
  text: string;
  readonly writer: RunWriter;
  /** Whether its open spans are raised, the innermost last. */
  readonly spans: boolean[];
  /** 1 or more for a heading, 0 for other paragraphs. */
  readonly level: number;
  readonly isTitle: boolean;
}

interface Table {
  readonly rows: string[][];
  cell: string[] | undefined;
  /** The rows that the open cell spans. */
  height: number;
  /** By their columns, the texts of cells that span further rows, and how many of these are left. */
  readonly tall: Map<number, { readonly text: string; left: number }>;
}

export interface OdfTarget {
  readonly styles: OdfStyles;
  /** Takes the blocks that are on no slide. */
  readonly list: BlockList;
  /** Takes each visible slide. */
  readonly onSlide?: (slide: Slide) => void;
}

/** Reads a text into `list`, or slides into `onSlide`; returns the notes at the foot, in their order. Throws for deep nesting. */
export function readOdfText(
  bytes: Uint8Array | undefined,
  { styles, list, onSlide }: OdfTarget,
): { readonly notes: readonly string[]; readonly truncated: boolean } {
  const notes: string[] = [];
  const again = createCellRepeater();
  let into = list;
  let isCut = false;
  let chars = 0;
  let unseenDepth = 0;
  /** Open paragraphs, the innermost last: frames and notes in a paragraph have paragraphs of their own. */
  const open: Paragraph[] = [];
  const tables: Table[] = [];
  /** Open notes, with the lists and tables around them, which are not theirs. */
  let note: string[] | undefined;
  let lists = 0;
  /** The list item whose first paragraph has not come yet. */
  let isItemBegun = false;
  let slides = 0;
  let slide: { number: number; title: string[]; notes: string[]; isHidden: boolean } | undefined;
  let isNotes = false;
  /** The classes of the open frames. */
  const frames: string[] = [];

  function endParagraph(): void {
    const paragraph = open.pop();
    if (paragraph === undefined) return;
    const text = (paragraph.text + paragraph.writer.flush()).trim();
    if (text === '') return;
    if (note !== undefined) note.push(text.replace(/\s+/g, ' '));
    else if (tables.length > 0) tables.at(-1)!.cell?.push(text);
    else if (slide?.isHidden || repeated.test(frames.at(-1) ?? '')) return;
    else if (slide !== undefined && isNotes) slide.notes.push(text);
    else if (slide !== undefined && frames.at(-1) === 'title') slide.title.push(text);
    else if (paragraph.level > 0) into.add(`${'#'.repeat(Math.min(6, paragraph.level))} ${text.replace(/\s+/g, ' ')}`);
    else if (paragraph.isTitle) into.add(`# ${text.replace(/\s+/g, ' ')}`);
    else if (lists > 0 && isItemBegun) into.addItem(lists - 1, text);
    else into.add(text);
    isItemBegun = false;
  }

  function endTable(): void {
    const { rows } = tables.pop()!;
    const outer = tables.at(-1);
    if (outer !== undefined) outer.cell?.push(...rows.map((row) => row.join(' ')));
    else if (note === undefined && slide?.isHidden !== true) into.addTable(rows);
  }

  function endSlide(): void {
    if (slide !== undefined && !slide.isHidden)
      onSlide?.({
        number: slide.number,
        title: slide.title.join(' '),
        blocks: into.blocks,
        notes: slide.notes,
        truncated: into.truncated,
      });
    isCut ||= into.truncated;
    slide = undefined;
    into = list;
  }

  function write(text: string): void {
    const paragraph = open.at(-1);
    if (paragraph === undefined) return;
    chars += text.length;
    if (chars <= 2 * maxTextChars) paragraph.text += paragraph.writer.write(text, paragraph.spans.at(-1) ?? false);
    else isCut = true;
  }

  function beginElement(name: string, attributes: Attributes): void {
    if (name === 'text:p' || name === 'text:h') {
      const level = name === 'text:h' ? Number(attributes['text:outline-level'] ?? 1) || 1 : 0;
      open.push({
        text: '',
        writer: createRunWriter(),
        spans: [],
        level,
        isTitle: styles.titles.has(attributes['text:style-name'] ?? ''),
      });
    } else if (name === 'text:s' || name === 'text:tab') write(' ');
    else if (name === 'text:line-break') write('\n');
    else if (name === 'text:span') open.at(-1)?.spans.push(isRaised(attributes));
    else if (name === 'text:list') lists += 1;
    else if (name === 'text:list-item') isItemBegun = true;
    else if (name === 'table:table') tables.push({ rows: [], cell: undefined, height: 1, tall: new Map() });
    else if (name === 'table:table-row') tables.at(-1)?.rows.push([]);
    else if (name === 'table:table-cell' && tables.length > 0) {
      tables.at(-1)!.cell = [];
      tables.at(-1)!.height = Number(attributes['table:number-rows-spanned'] ?? 1);
    } else if (name === 'table:covered-table-cell' && tables.length > 0) addCovered(tables.at(-1)!);
    else if (name === 'text:note') note = [];
    else if (name === 'draw:page') beginSlide(attributes);
    else if (name === 'presentation:notes') isNotes = true;
    else if (name === 'draw:frame') frames.push(attributes['presentation:class'] ?? '');
  }

  /** The place of a cell to the left, which has its text, or of one above, whose text names this row too. */
  function addCovered(table: Table): void {
    table.cell = undefined;
    const row = table.rows.at(-1);
    const above = table.tall.get(row?.length ?? 0);
    row?.push(above === undefined ? '' : again(above.text));
    if (above !== undefined) above.left -= 1;
    if (above?.left === 0) table.tall.delete(row!.length - 1);
  }

  function addCell(table: Table): void {
    const row = table.rows.at(-1);
    if (table.cell === undefined || row === undefined) return;
    const text = tidyCell(table.cell.join(' '));
    if (table.height > 1) table.tall.set(row.length, { text, left: table.height - 1 });
    row.push(text);
    table.cell = undefined;
  }

  function isRaised(attributes: Attributes): boolean {
    return styles.raised.has(attributes['text:style-name'] ?? '') || (open.at(-1)?.spans.at(-1) ?? false);
  }

  function beginSlide(attributes: Attributes): void {
    slides += 1;
    isCut ||= slides > maxSlides;
    slide = { number: slides, title: [], notes: [], isHidden: styles.hidden.has(attributes['draw:style-name'] ?? '') };
    into = createBlockList();
  }

  function endElement(name: string): void {
    if (name === 'text:p' || name === 'text:h') endParagraph();
    else if (name === 'text:span') open.at(-1)?.spans.pop();
    else if (name === 'text:list') lists = Math.max(0, lists - 1);
    else if (name === 'table:table' && tables.length > 0) endTable();
    else if (name === 'table:table-cell' && tables.length > 0) addCell(tables.at(-1)!);
    else if (name === 'text:note' && note !== undefined) {
      notes.push(note.join(' '));
      note = undefined;
    } else if (name === 'draw:page') endSlide();
    else if (name === 'presentation:notes') isNotes = false;
    else if (name === 'draw:frame') frames.pop();
  }

  let isBody = false;
  readXml(bytes, {
    open(name, attributes) {
      if (name === 'office:body') isBody = true;
      const isUnseen = unseen.has(name) || (name === 'text:section' && attributes['text:display'] === 'none');
      if (isUnseen || (unseenDepth > 0 && mayBeUnseen(name))) unseenDepth += 1;
      if (isBody && unseenDepth === 0) beginElement(name, attributes);
    },
    text(part) {
      if (unseenDepth === 0) write(part.replace(/\s+/g, ' '));
    },
    close(name) {
      if (unseenDepth === 0) endElement(name);
      else if (mayBeUnseen(name)) unseenDepth -= 1;
    },
    isDone: () => isCut || list.truncated,
  });
  return { notes, truncated: isCut || list.truncated };
}

/** Elements that hide what is in them, at least some: inside a hidden one all are counted, so that they end in order. */
function mayBeUnseen(name: string): boolean {
  return unseen.has(name) || name === 'text:section';
}
