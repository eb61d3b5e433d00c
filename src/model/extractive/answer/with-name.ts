/**
 * A value or the description of an option with its name, which is a label above it: "Weight: 3.4 kg", "-d file: True if file exists and
 * is a directory."
 */
import { type ReadUnit, readPassage, type Source } from '../text/passages.ts';
import type { Piece } from './piece.ts';
import type { WritablePiece } from './write-pieces.ts';

/** Characters; a longer label is a signature. Set by hand. */
const maxNameLength = 80;

/** What is shown of a piece, after that name if the piece is a value or begins a description. */
export function withName({ source, units: [first] }: Piece, shown: WritablePiece): WritablePiece {
  const [lead, ...rest] = shown.units;
  if (first === undefined || lead === undefined) return shown;
  if (first.label === '' && !beginsDescription(first, source)) return shown;
  const named = (text: string) => `${first.label !== '' ? first.label : first.section}: ${text}`;
  const { lines } = lead;
  const whole = lines === undefined ? {} : { lines: lines.map((line, at) => (at === 0 ? named(line) : line)) };
  return { source, units: [{ ...lead, text: named(lead.text), ...whole }, ...rest] };
}

function beginsDescription(unit: ReadUnit, source: Source): boolean {
  const name = unit.section;
  if (unit.kind !== 'sentence' || !/^--?[A-Za-z]/.test(name) || name.length > maxNameLength) return false;
  const { units } = readPassage(source);
  return units[units.indexOf(unit) - 1]?.section !== name;
}
