/** A Word document (DOCX) as Markdown: headings, paragraphs, lists and tables, in the order of the document. */
import { Parser } from 'htmlparser2';
import { cleanLine, cleanText } from '../clean-text.ts';
import { countWords, type Extraction, maxTextChars } from '../extraction.ts';
import { isoDate } from '../metadata.ts';
import { readXmlText } from './xml-text.ts';
import type { ZipArchive } from './zip.ts';

/** Where the text is; its presence tells a DOCX. */
export const docxText = 'word/document.xml';

/**
 * Elements whose text is no part of what a reader sees where they stand: what was deleted or moved away, the instructions of fields, the
 * older form of a drawing, which has the same text, and the reading beside a word.
 */
const unseen: ReadonlySet<string> = new Set(['w:del', 'w:moveFrom', 'w:instrText', 'mc:Fallback', 'w:rt']);

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

/** Elements inside each other; deeper ones are read as text of their ancestors. Set by hand: Word makes some tens. */
const maxDepth = 200;

/** Reads the text of a document. Throws when its archive is damaged or too large. */
export function extractDocx(archive: ZipArchive): Extraction {
  const blocks: string[] = [];
  let chars = 0;
  let paragraph = '';
  let style = '';
  let isListed = false;
  /** How many open elements are `unseen`. */
  let unseenDepth = 0;
  /** Where the open run begins in the paragraph, and whether it is hidden. */
  let run = { from: 0, isHidden: false };
  let depth = 0;
  /** The open rows of tables, the innermost last; a table in a cell becomes text of that cell. */
  const tables: { rows: string[][]; cell: string }[] = [];

  const endParagraph = () => {
    const text = paragraph.replace(/[ \t]+/g, ' ').trim();
    paragraph = '';
    if (text === '') return;
    const table = tables.at(-1);
    if (table !== undefined) {
      table.cell += `${table.cell === '' ? '' : ' '}${text.replace(/\s+/g, ' ').replaceAll('|', '\\|')}`;
      return;
    }
    const level = /^(?:heading|berschrift|titre|t[íi]tulo)\s*(\d)$/i.exec(style)?.[1];
    const heading = level === undefined ? (/^title$/i.test(style) ? '# ' : '') : `${'#'.repeat(Math.min(6, +level))} `;
    add(`${heading === '' && isListed ? '- ' : heading}${text}`);
  };
  const endRun = () => {
    if (run.isHidden) paragraph = paragraph.slice(0, run.from);
    run = { from: paragraph.length, isHidden: false };
  };
  const add = (block: string) => {
    if (chars > maxTextChars) return;
    blocks.push(block);
    chars += block.length + 2;
  };
  const endTable = () => {
    const { rows } = tables.pop()!;
    const outer = tables.at(-1);
    if (outer !== undefined) outer.cell += ` ${rows.map((row) => row.join(' ')).join(' ')}`;
    else if (rows.length > 0) add(markdownTable(rows));
  };

  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        if (depth > maxDepth) return;
        if (name === 'w:p') {
          style = '';
          isListed = false;
        } else if (name === 'w:pStyle') style = attributes['w:val'] ?? '';
        else if (name === 'w:numPr') isListed = true;
        else if (name === 'w:tab') paragraph += ' ';
        else if (name === 'w:br' || name === 'w:cr') paragraph += '\n';
        else if (name === 'w:noBreakHyphen' && unseenDepth === 0) paragraph += '-';
        else if (name === 'w:sym' && unseenDepth === 0)
          paragraph += symbols[attributes['w:char']?.toUpperCase() ?? ''] ?? '';
        else if (name === 'w:r') run = { from: paragraph.length, isHidden: false };
        else if (name === 'w:vanish') run.isHidden = !/^(?:0|false|off)$/.test(attributes['w:val'] ?? '');
        else if (unseen.has(name)) unseenDepth += 1;
        else if (name === 'w:tbl') tables.push({ rows: [], cell: '' });
        else if (name === 'w:tr') tables.at(-1)?.rows.push([]);
        else if (name === 'w:tc' && tables.length > 0) tables.at(-1)!.cell = '';
        isText = name === 'w:t' || name === 'm:t';
      },
      ontext(text) {
        if (isText && unseenDepth === 0 && chars + paragraph.length <= maxTextChars) paragraph += text;
      },
      onclosetag(name) {
        depth -= 1;
        isText = false;
        if (name === 'w:p' && unseenDepth === 0) endParagraph();
        else if (name === 'w:r') endRun();
        else if (unseen.has(name)) unseenDepth = Math.max(0, unseenDepth - 1);
        else if (name === 'w:tc') tables.at(-1)?.rows.at(-1)?.push(tables.at(-1)!.cell);
        else if (name === 'w:tbl' && tables.length > 0) endTable();
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  let isText = false;
  parser.write(new TextDecoder().decode(archive.read(docxText)));
  parser.end();

  const core = readXmlText(archive.read('docProps/core.xml'), ['dc:title', 'dc:creator', 'dcterms:created']);
  const text = cleanText(blocks.join('\n\n').slice(0, maxTextChars).toWellFormed()).trim();
  const heading = /^#{1,6} (.+)$/m.exec(text)?.[1];
  const published = isoDate(core['dcterms:created']);
  return {
    text,
    title: cleanLine(core['dc:title'] || heading || /^.*\S.*$/m.exec(text)?.[0] || '').slice(0, 200),
    ...(core['dc:creator'] ? { byline: cleanLine(core['dc:creator']).slice(0, 200) } : {}),
    ...(published === undefined ? {} : { published_at: published }),
    words: countWords(text),
    links: [],
    extractor: 'docx',
    truncated: chars > maxTextChars,
    warnings: [],
  };
}

/** Rows of cells, whose first is the head, as a Markdown table. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, at) => cells[at] ?? '').join(' | ')} |`;
  const [head = [], ...others] = rows;
  return [line(head), `|${' --- |'.repeat(width)}`, ...others.map(line)].join('\n');
}
