/** The units that are selected for an answer, as they are written: with their names, and long ones shortened. */
import { codeAfter } from '../documentation/beginning.ts';
import type { AnalysedQuestion } from '../question/analyse.ts';
import type { RankedUnit } from '../rank/rank.ts';
import type { Piece } from './piece.ts';
import { type SelectOptions, selectPieces } from './select.ts';
import { shorten } from './shorten.ts';
import { withName } from './with-name.ts';
import { type WritablePiece, writePieces } from './write-pieces.ts';

/** The selected units as Markdown, one string a piece, whether or not the evidence answers. */
export function compose(
  question: AnalysedQuestion,
  ranked: readonly RankedUnit[],
  options: SelectOptions = {},
): string[] {
  return writePieces(composePieces(question, ranked, options));
}

/** The same before it is written. */
export function composePieces(
  question: AnalysedQuestion,
  ranked: readonly RankedUnit[],
  options: SelectOptions,
): WritablePiece[] {
  const pieces = selectPieces(ranked, question, options);
  const [only, second] = pieces;
  const code = question.kind === 'manner' && only !== undefined && second === undefined ? codeAfter(only) : [];
  const shown = pieces.map((piece) => withName(piece, options.deep ? piece : shortenPiece(question, piece)));
  return [...shown, ...code];
}

/** A piece of one long sentence, shortened; a sentence that needs its neighbours is whole. */
function shortenPiece(question: AnalysedQuestion, { source, units }: Piece): WritablePiece {
  const [unit, ...others] = units;
  if (unit === undefined || others.length > 0) return { source, units };
  const { kind, header, bullet, block, lines } = unit;
  const text = shorten(question, unit);
  const whole = text === unit.text && lines !== undefined ? { lines } : {};
  return { source, units: [{ kind, header, bullet, block, text, ...whole }] };
}
