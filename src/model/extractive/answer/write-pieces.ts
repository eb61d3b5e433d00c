/**
 * Pieces as Markdown. Prose is one paragraph, items are a list, rows a table with its headings, code a block. Each piece ends
 * with its citation marker; the rows of a table have one each, as a row is found in its page and its headings are elsewhere.
 */
import { cellsOf } from '../text/cells.ts';
import type { Source } from '../text/passages.ts';
import { boxOf, isListed, type Unit } from '../text/sentences.ts';

/** What is written of a unit. */
type Shown = Pick<Unit, 'kind' | 'text' | 'lines' | 'startsLine' | 'header' | 'bullet' | 'block'>;

/** Ends a line within a paragraph of Markdown. */
const lineBreak = '  \n';

export interface WritablePiece {
  readonly source: Source;
  readonly units: readonly Shown[];
}

/**
 * One string for each piece; joined, they are the answer. `between` separates pieces of prose: a blank in an answer that reads as
 * one, a blank line where the pieces are quoted from different places.
 */
export function writePieces(pieces: readonly WritablePiece[], between = ' '): string[] {
  // A single item reads as a sentence; several are a list.
  const items = pieces.filter(isItem).length;
  return pieces.map((piece, i) => {
    const before = pieces[i - 1];
    if (before === undefined) return writePiece(piece, items > 1);
    const row = before.units.at(-1);
    // A table that goes on in the next passage.
    if (row !== undefined && isSameTable(row, piece.units[0]!)) return `\n${writePiece(piece, items > 1, row)}`;
    const gap =
      isItem(before) && isItem(piece) ? '\n' : isProse(before, items) && isProse(piece, items) ? between : '\n\n';
    return `${gap}${writePiece(piece, items > 1)}`;
  });
}

function isItem({ units }: WritablePiece): boolean {
  return units.length === 1 && units[0]!.kind === 'item';
}

function isProse(piece: WritablePiece, items: number): boolean {
  return isItem(piece)
    ? items === 1
    : !isList(piece.units) && piece.units.every(({ kind, header }) => header === '' && kind !== 'code');
}

/** Items, or what announces them and an item; not the sentences of one item. */
function isList(units: readonly Shown[]): boolean {
  return units.some(isListed) && units.some(({ block }) => block !== units[0]!.block);
}

/** `above` is the row that the first one follows in their table. */
function writePiece({ source, units }: WritablePiece, asList: boolean, above?: Shown): string {
  const marker = `[${source.n}]`;
  const inList = asList || isList(units) || units.some((unit) => boxOf(unit) !== undefined);
  const lines = units.map((unit, i) => {
    const isLast = i === units.length - 1;
    if (unit.kind === 'code') return isLast ? `${unit.text}\n${marker}` : unit.text;
    if (unit.header !== '')
      return isSameTable(units[i - 1] ?? above, unit) ? writeRow(unit, marker) : writeTable(unit, marker);
    const isOfList = inList && isListed(unit);
    const shown = `${isOfList ? unit.text : closeSentence(unit.kind === 'row' ? writePair(unit.text) : (unit.lines?.join(lineBreak) ?? unit.text))}${isLast ? ` ${marker}` : ''}`;
    return isOfList && units[i - 1]?.block !== unit.block ? `${unit.bullet} ${shown}` : shown;
  });
  return lines.reduce((text, line, i) => `${text}${i === 0 ? '' : gapBetween(units[i - 1]!, units[i]!)}${line}`, '');
}

function gapBetween(before: Shown, unit: Shown): string {
  const areSentences = before.kind === 'sentence' && unit.kind === 'sentence';
  if (areSentences && before.block === unit.block && unit.startsLine === true) return lineBreak;
  if (areSentences && (before.block === unit.block || !isListed(unit))) return ' ';
  return (isListed(before) && isListed(unit)) || isSameTable(before, unit) ? '\n' : '\n\n';
}

function isSameTable(before: Shown | undefined, unit: Shown): boolean {
  return unit.header !== '' && before?.header === unit.header;
}

/** A table that begins with a row. */
function writeTable(row: Shown, marker: string): string {
  const { header } = row;
  // The first of them may be empty: "| | takes".
  const columns = header.split(/(?:^| )\|(?= |$)/).length;
  return `| ${header} |\n|${'---|'.repeat(columns)}\n${writeRow(row, marker)}`;
}

/** A row with the marker in its last cell. */
function writeRow({ text }: Shown, marker: string): string {
  return `| ${text} ${marker} |`;
}

/** "Deposit: 2,670 €" for a row of two cells whose columns have no names. */
function writePair(row: string): string {
  const [name, value, ...others] = cellsOf(row);
  return name !== undefined && name !== '' && value !== undefined && others.length === 0
    ? `${name.replace(/:$/, '')}: ${value}`
    : row;
}

/** Adds a full stop where there is no end mark, also for the comma or semicolon of an item; the items of a list need none. */
function closeSentence(text: string): string {
  return /[.!?:…。！？]["'”’)\]*_`]*$/.test(text) ? text : `${text.replace(/[,;]$/, '')}.`;
}
