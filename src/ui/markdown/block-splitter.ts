/**
 * Splits growing Markdown into blocks. Appended text can change only the last block and the one before it, so only those are
 * parsed again, and unchanged blocks stay the same objects.
 */
import { blocksOf } from './tokens.ts';

/** A block: `raw` is `text.slice(start, start + raw.length)`. */
export interface Piece {
  readonly start: number;
  readonly raw: string;
}

export interface Splitter {
  /** The blocks of a text that extends the previous one; any other text starts over. */
  update(text: string): readonly Piece[];
}

/** A paragraph "2" can become "2. b" and join the list above it; blocks before that list cannot change. */
const openPieces = 2;

export function createSplitter(): Splitter {
  let settled: Piece[] = [];
  let settledEnd = 0;
  let before = '';
  let open: readonly Piece[] = [];

  return {
    update(text) {
      if (!text.startsWith(before)) {
        settled = [];
        settledEnd = 0;
        open = [];
      }
      if (text === before) return [...settled, ...open];
      before = text;
      const pieces = splitMarkdown(text.slice(settledEnd), settledEnd).map((piece) => known(open, piece));
      const ready = pieces.slice(0, settledCount(pieces));
      open = pieces.slice(ready.length);
      settled = [...settled, ...ready];
      settledEnd = open[0]?.start ?? settledEnd;
      return [...settled, ...open];
    },
  };
}

/** How many blocks can no longer change: those before a blank line with two blocks after it; adjacent lines may still merge. */
function settledCount(pieces: readonly Piece[]): number {
  for (let count = pieces.length - openPieces; count > 0; count -= 1) {
    const above = pieces[count - 1]!;
    if (pieces[count]!.start > above.start + above.raw.length) return count;
  }
  return 0;
}

/** All blocks of a text, without the blank lines between them. Text that nests too deeply is a single block. */
export function splitMarkdown(text: string, offset = 0): Piece[] {
  // Line ends may be two characters; offsets must count both.
  const whole = text.replaceAll('\r', ' ');
  const pieces: Piece[] = [];
  let start = offset;
  for (const { type, raw } of blocksOf(whole) ?? [{ type: 'text', raw: whole }]) {
    if (type !== 'space') pieces.push({ start, raw });
    start += raw.length;
  }
  return pieces;
}

function known(pieces: readonly Piece[], piece: Piece): Piece {
  return pieces.find(({ start, raw }) => start === piece.start && raw === piece.raw) ?? piece;
}
