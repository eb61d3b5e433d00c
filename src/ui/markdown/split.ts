/**
 * Markdown that grows, as its blocks. Text that is added can change the last block and what the one before it runs into,
 * nothing earlier: so only those are read again, and a block that did not change stays the same object.
 */
import { blocksOf } from './tokens.ts';

/** A block as it stands in the text, `text.slice(start, start + raw.length)`. */
export interface Piece {
  readonly start: number;
  readonly raw: string;
}

export interface Splitter {
  /** The blocks of a text that begins with the one given before; another text begins anew. */
  update(text: string): readonly Piece[];
}

/** A paragraph "2" becomes "2. b" and joins the list above it; what stands above that stays. */
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

/** How many can no longer change: those above a blank line that has two below it, for lines in a row may still become one. */
function settledCount(pieces: readonly Piece[]): number {
  for (let count = pieces.length - openPieces; count > 0; count -= 1) {
    const above = pieces[count - 1]!;
    if (pieces[count]!.start > above.start + above.raw.length) return count;
  }
  return 0;
}

/** All blocks of a text; blank lines between them belong to none. One whose blocks nest too deep is one block. */
export function splitMarkdown(text: string, offset = 0): Piece[] {
  // A line may end in two characters; both have to be counted.
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
