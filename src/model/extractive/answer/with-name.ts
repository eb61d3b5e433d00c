/** The description of an option or a method with its name, which is a label or heading above it: "-d file: True if file exists and is a directory." */
import { isDescribed } from '../documentation/compose.ts';
import { readPassage } from '../text/passages.ts';
import type { Piece } from './piece.ts';
import type { WritablePiece } from './write-pieces.ts';

/** What is shown of a piece, after that name if the piece begins a description. */
export function withName({ source, units: [first] }: Piece, shown: WritablePiece): WritablePiece {
  const [lead, ...rest] = shown.units;
  if (first === undefined || lead === undefined || !isDescribed(first)) return shown;
  const { units } = readPassage(source);
  const isFirst = units[units.indexOf(first) - 1]?.section !== first.section;
  if (!isFirst || lead.text.startsWith(first.section)) return shown;
  return { source, units: [{ ...lead, text: `${first.section}: ${lead.text}` }, ...rest] };
}
