/** The description of an option with its name, which is a label above it: "-d file: True if file exists and is a directory." */
import { readPassage } from '../text/passages.ts';
import type { Piece } from './piece.ts';
import type { WritablePiece } from './write-pieces.ts';

/** Characters; a longer label is a signature. Set by hand. */
const maxNameLength = 80;

/** What is shown of a piece, after that name if the piece begins a description. */
export function withName({ source, units: [first] }: Piece, shown: WritablePiece): WritablePiece {
  const [lead, ...rest] = shown.units;
  const name = first?.section ?? '';
  if (first?.kind !== 'sentence' || lead === undefined || !/^--?[A-Za-z]/.test(name) || name.length > maxNameLength)
    return shown;
  const { units } = readPassage(source);
  const isFirst = units[units.indexOf(first) - 1]?.section !== name;
  return isFirst ? { source, units: [{ ...lead, text: `${name}: ${lead.text}` }, ...rest] } : shown;
}
