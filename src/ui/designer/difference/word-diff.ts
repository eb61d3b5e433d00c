/**
 * The words that differ between two texts. Whatever is marked, the pieces that are not `added` make up the first text, and those
 * that are not `removed` the second one.
 */
import { diffArrays } from 'diff';

export interface Piece {
  readonly text: string;
  readonly kind: 'same' | 'removed' | 'added';
}

/** Texts that differ in more words are shown as removed and added as a whole, as the comparison grows with it. Set by hand. */
const maxEdits = 1_000;

/**
 * Below this share of common letters, marking single words is harder to read than both texts one after the other. Set by hand.
 */
const minShared = 0.25;

export function diffWords(before: string, after: string): Piece[] {
  if (before === after) return before === '' ? [] : [{ text: before, kind: 'same' }];
  const changes = diffArrays(diffUnitsOf(before), diffUnitsOf(after), { maxEditLength: maxEdits });
  const pieces = changes === undefined ? [] : joined(changes.map(toPiece));
  const shared = lettersIn(pieces.filter(({ kind }) => kind === 'same').map(({ text }) => text));
  const isReadable = shared >= minShared * Math.max(lettersIn([before]), lettersIn([after]));
  return isReadable && changes !== undefined ? pieces : wholes(before, after);
}

function toPiece({ value, added, removed }: { value: string[]; added: boolean; removed: boolean }): Piece {
  return { text: value.join(''), kind: added ? 'added' : removed ? 'removed' : 'same' };
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/**
 * Words, spaces and signs, in order; a `{{placeholder}}` is one word. Chinese is split by the browser's dictionary. The
 * segmenter's time grows with the square of its text, so it gets what is between two spaces.
 */
function diffUnitsOf(text: string): string[] {
  return text
    .split(/(\{\{\s*\w+\s*\}\}|\s+)/)
    .flatMap((part, at) => (at % 2 === 1 ? [part] : Array.from(segmenter.segment(part), ({ segment }) => segment)));
}

/** Joins changes that only spaces or signs separate, each side into one piece, so that a changed phrase is read as one. */
function joined(pieces: readonly Piece[]): Piece[] {
  const result: Piece[] = [];
  let [gone, come] = ['', ''];
  const flush = () => {
    result.push(...wholes(gone, come));
    [gone, come] = ['', ''];
  };
  for (const [at, piece] of pieces.entries()) {
    const { kind, text } = piece;
    if (kind === 'removed') gone += text;
    else if (kind === 'added') come += text;
    else if (gone + come !== '' && at < pieces.length - 1 && !/[\p{L}\p{N}\n]/u.test(text)) {
      gone += text;
      come += text;
    } else {
      flush();
      result.push(piece);
    }
  }
  flush();
  return result;
}

function wholes(before: string, after: string): Piece[] {
  const pieces: Piece[] = [
    { text: before, kind: 'removed' },
    { text: after, kind: 'added' },
  ];
  return pieces.filter(({ text }) => text !== '');
}

function lettersIn(texts: readonly string[]): number {
  return texts.join('').replace(/[^\p{L}\p{N}]+/gu, '').length;
}
