/** The blocks of a file of WordprocessingML, such as the text of a Word document or its footnotes, as Markdown. */
import { Parser } from 'htmlparser2';
import { maxTextChars } from '../extraction.ts';
import { createCellRepeater } from '../repeated-cells.ts';
import { createRunWriter, type RunWriter } from '../superscript.ts';
import { withNamedColumns } from './column-groups.ts';
import { createNumbering, type DocxLists } from './docx-numbering.ts';
import { type DocxStyles, headingLevel } from './docx-styles.ts';
import { markdownTable } from './markdown-table.ts';

/**
 * Elements whose content is not part of what a reader sees there: what was deleted or moved away, the instructions of
 * fields, the older form of a drawing, which has the same text, the reading beside a word, and formats before a tracked
 * change.
 */
const unseen: ReadonlySet<string> = new Set([
  'w:del',
  'w:moveFrom',
  'w:instrText',
  'mc:Fallback',
  'w:rt',
  'w:rPrChange',
  'w:pPrChange',
]);

/** Characters of the font Symbol that figures and formulas have, by their code in Word. Source: Adobe's Symbol encoding. */
const symbols: Readonly<Record<string, string>> = {
  F044: 'Δ',
  F053: 'Σ',
  F057: 'Ω',
  F061: 'α',
  F062: 'β',
  F067: 'γ',
  F06D: 'μ',
  F070: 'π',
  F0A3: '≤',
  F0A5: '∞',
  F0B0: '°',
  F0B1: '±',
  F0B3: '≥',
  F0B4: '×',
  F0B7: '•',
  F0B8: '÷',
  F0B9: '≠',
  F0BB: '≈',
};

/** Characters written before parts of formulas, without which 1/2 would be read as 12. */
const formulaParts: Readonly<Record<string, string>> = {
  'm:num': '',
  'm:den': '/',
  'm:sup': '^',
  'm:sub': '_',
  'm:rad': '√',
  'm:d': '',
};

/** Elements inside each other; deeper ones are not read. Set by hand: Word nests a few dozen. */
const maxDepth = 200;

/** Columns of a table of Word. */
const maxColumns = 63;

interface Paragraph {
  text: string;
  readonly writer: RunWriter;
  style: string;
  /** The list that it says it is in, `0` for none, and its level. */
  list: { id: string | undefined; level: number | undefined };
  /** Where its open run begins, and whether it is hidden or raised. */
  run: { from: number; isHidden: boolean; isRaised: boolean };
}

/** How many columns a cell spans. */
function columnsOf(value: string): number {
  return /^\d{1,2}$/.test(value) ? Math.max(1, Math.min(maxColumns, Number(value))) : 1;
}

function openRun(from: number): Paragraph['run'] {
  return { from, isHidden: false, isRaised: false };
}

/** The content of a WordprocessingML file. */
export interface DocxBlocks {
  readonly blocks: string[];
  /** The ids of the notes that the text refers to, in its order, by the name of the element that refers to them. */
  readonly references: ReadonlyMap<string, ReadonlySet<string>>;
  /** The texts of the notes in a file of notes, by their ids. */
  readonly notes: ReadonlyMap<string, string>;
  readonly truncated: boolean;
}

/** Reads the blocks of a file; none of a file that is not there. `styles` and `lists` are those of its document. Never throws. */
export function readDocxBlocks(
  xml: Uint8Array | undefined,
  { styles, lists }: { readonly styles: DocxStyles; readonly lists: DocxLists },
): DocxBlocks {
  const numbering = createNumbering(lists);
  const repeated = createCellRepeater();
  const blocks: string[] = [];
  const references = new Map<string, Set<string>>();
  const notes = new Map<string, string>();
  let note = { id: '', from: 0 };
  let chars = 0;
  /** The open paragraphs, the innermost last: a drawing in a paragraph has paragraphs of its own. */
  const open: Paragraph[] = [];
  /** Blocks of drawings in the open paragraph, which follow it. */
  let drawn: string[] = [];
  let unseenDepth = 0;
  let depth = 0;
  let isText = false;
  /** The open rows of tables, the innermost last; a table in a cell becomes text of that cell. */
  const tables: { rows: string[][]; wide: Map<number, number>[]; cell: string; span: number; isBelow: boolean }[] = [];
  /** The open parts of formulas, the innermost last. */
  const parts: { from: number; begin: string; end: string }[] = [];

  const add = (block: string) => {
    if (open.length > 0) drawn.push(block);
    else if (chars <= maxTextChars) {
      blocks.push(block);
      chars += block.length + 2;
    }
  };
  const write = (text: string) => {
    const paragraph = open.at(-1);
    if (paragraph === undefined || paragraph.run.isHidden || chars + paragraph.text.length > maxTextChars) return;
    paragraph.text += paragraph.writer.write(text, paragraph.run.isRaised);
  };
  /** The mark before a paragraph of a list, and its level. */
  const markOf = ({ style, list }: Paragraph): { mark: string; level: number } => {
    const inherited = styles.lists.get(style);
    const id = list.id ?? inherited?.id;
    if (id === undefined || id === '0') return { mark: '', level: 0 };
    const level = list.level ?? inherited?.level ?? 0;
    return { mark: numbering.next({ id, level }), level };
  };
  const endParagraph = () => {
    const paragraph = open.pop();
    if (paragraph === undefined) return;
    const { style, writer } = paragraph;
    const { mark, level: listLevel } = markOf(paragraph);
    const text = (paragraph.text + writer.flush()).replace(/[ \t]+/g, ' ').trim();
    const table = tables.at(-1);
    if (text !== '' && table !== undefined) {
      const number = mark === '' || mark === '-' ? '' : `${mark} `;
      table.cell += `${table.cell === '' ? '' : ' '}${number}${text.replace(/\s+/g, ' ').replaceAll('|', '\\|')}`;
    } else if (text !== '') {
      const level = headingLevel(styles, style);
      const before = mark === '' ? '' : `${mark} `;
      if (level !== undefined) add(`${'#'.repeat(Math.min(6, level))} ${mark === '-' ? '' : before}${text}`);
      // Other numbers, such as (a), are no marks of Markdown, where an indented line would be code.
      else add(`${/^(?:-|\d+[.)])$/.test(mark) ? '  '.repeat(listLevel) : ''}${before}${text}`);
    }
    if (open.length > 0) return;
    const held = drawn;
    drawn = [];
    for (const block of held) add(block);
  };
  const endRun = () => {
    const paragraph = open.at(-1);
    if (paragraph?.run.isHidden) paragraph.text = paragraph.text.slice(0, paragraph.run.from);
    if (paragraph !== undefined) paragraph.run = openRun(paragraph.text.length);
  };
  const endPart = (name: string) => {
    const part = parts.pop();
    const paragraph = open.at(-1);
    if (part === undefined || paragraph === undefined) return;
    const content = paragraph.text.slice(part.from);
    const isSimple = name !== 'm:d' && /^(?:[\p{L}\p{N}.,]*|\([^()]*\))$/u.test(content);
    const whole = isSimple ? content : `${part.begin}${content}${part.end}`;
    paragraph.text = `${paragraph.text.slice(0, part.from)}${content === '' ? '' : formulaParts[name]}${whole}`;
  };
  const pushCells = (text: string, count: number) => {
    const row = tables.at(-1)?.rows.at(-1);
    for (let n = 0; n < count && row !== undefined && row.length < maxColumns; n += 1) row.push(text);
  };
  /** The text of the cell that ends; of one that is merged with the cell above, that of the latter, which names the row. */
  const cellIn = ({ rows, cell, isBelow }: (typeof tables)[number]) => {
    if (!isBelow || cell !== '') return cell;
    return repeated(rows.at(-2)?.[rows.at(-1)?.length ?? 0] ?? '');
  };
  const endTable = () => {
    const { rows: all, wide } = tables.pop()!;
    const rows = withNamedColumns(all, wide);
    const outer = tables.at(-1);
    if (outer !== undefined) outer.cell += ` ${rows.map((row) => row.join(' ')).join(' ')}`;
    else if (rows.length > 0) add(markdownTable(rows));
  };

  function beginElement(name: string, attributes: Record<string, string>): void {
    const value = attributes['w:val'] ?? '';
    const paragraph = open.at(-1);
    if (name === 'w:p')
      open.push({
        text: '',
        writer: createRunWriter(),
        style: '',
        list: { id: undefined, level: undefined },
        run: openRun(0),
      });
    else if (name === 'w:tab') write(' ');
    else if (name === 'w:br' || name === 'w:cr') write('\n');
    else if (name === 'w:noBreakHyphen') write('-');
    // The same code is another sign, such as a box to tick, in other fonts.
    else if (name === 'w:sym' && attributes['w:font'] === 'Symbol')
      write(symbols[attributes['w:char']?.toUpperCase() ?? ''] ?? '');
    else if (name === 'w:tbl') tables.push({ rows: [], wide: [], cell: '', span: 1, isBelow: false });
    else if (name === 'w:tr') {
      tables.at(-1)?.rows.push([]);
      tables.at(-1)?.wide.push(new Map());
    } else if (name === 'w:tc' && tables.length > 0) {
      tables.at(-1)!.cell = '';
      tables.at(-1)!.span = 1;
      tables.at(-1)!.isBelow = false;
    } else if (name === 'w:vMerge' && tables.length > 0) tables.at(-1)!.isBelow = value !== 'restart';
    else if (name === 'w:gridSpan' && tables.length > 0) tables.at(-1)!.span = columnsOf(value);
    else if (name === 'w:gridBefore') pushCells('', Number(value) > 0 ? columnsOf(value) : 0);
    else if (name === 'w:footnote' || name === 'w:endnote')
      note = { id: attributes['w:id'] ?? '', from: blocks.length };
    else if (name === 'w:footnoteReference' || name === 'w:endnoteReference') {
      references.set(name, (references.get(name) ?? new Set()).add(attributes['w:id'] ?? ''));
    } else if (paragraph === undefined) return;
    else if (name === 'w:pStyle') paragraph.style = value;
    else if (name === 'w:numId') paragraph.list.id = value;
    else if (name === 'w:ilvl') paragraph.list.level = /^[0-8]$/.test(value) ? Number(value) : 0;
    else if (name === 'w:r') paragraph.run = openRun(paragraph.text.length);
    else if (name === 'w:vanish') paragraph.run.isHidden = !/^(?:0|false|off)$/.test(value);
    else if (name === 'w:vertAlign') paragraph.run.isRaised = value === 'superscript';
    else if (Object.hasOwn(formulaParts, name)) {
      paragraph.text += paragraph.writer.flush();
      parts.push({ from: paragraph.text.length, begin: '(', end: ')' });
    } else if (name === 'm:begChr' && parts.length > 0) parts.at(-1)!.begin = attributes['m:val'] ?? '';
    else if (name === 'm:endChr' && parts.length > 0) parts.at(-1)!.end = attributes['m:val'] ?? '';
  }

  function endElement(name: string): void {
    if (name === 'w:p') endParagraph();
    else if (name === 'w:r') endRun();
    else if (name === 'w:tc' && tables.length > 0) {
      const table = tables.at(-1)!;
      const column = table.rows.at(-1)?.length ?? 0;
      if (table.span > 1) table.wide.at(-1)?.set(column, column + table.span - 1);
      pushCells(cellIn(table), 1);
      pushCells('', table.span - 1);
    } else if (name === 'w:tbl' && tables.length > 0) endTable();
    else if (name === 'w:footnote' || name === 'w:endnote') notes.set(note.id, blocks.slice(note.from).join(' '));
    else if (Object.hasOwn(formulaParts, name)) endPart(name);
  }

  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        if (depth > maxDepth) return;
        if (unseen.has(name)) unseenDepth += 1;
        isText = unseenDepth === 0 && (name === 'w:t' || name === 'm:t');
        if (unseenDepth === 0) beginElement(name, attributes);
      },
      ontext(text) {
        if (isText) write(text);
      },
      onclosetag(name) {
        depth -= 1;
        isText = false;
        if (depth >= maxDepth) return;
        if (unseenDepth === 0) endElement(name);
        else if (unseen.has(name)) unseenDepth -= 1;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.write(new TextDecoder().decode(xml));
  parser.end();
  return { blocks, references, notes, truncated: chars > maxTextChars };
}
