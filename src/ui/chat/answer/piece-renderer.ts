/**
 * Renders a growing answer incrementally: only blocks whose text changed, usually the last one, and blocks that got a new
 * marker are rendered again. All others keep their nodes.
 */
import type { Block, UncitedText } from '../../../client/client.ts';
import { createSplitter, type Piece } from '../../markdown/block-splitter.ts';
import { type Claim, findClaims } from './cited-claims.ts';

/** `isOpen`: the end of the piece may still change. */
export type DrawPiece<Node> = (
  piece: Piece,
  claims: readonly Claim[],
  isOpen: boolean,
  uncited: readonly UncitedText[],
) => Node;

/**
 * The function that is returned takes a block that extends the one from the call before, with its sentences that lost their
 * citations, and returns its nodes.
 */
export function createPieceRenderer<Node>(
  draw: DrawPiece<Node>,
): (block: Block, uncited?: readonly UncitedText[]) => readonly Node[] {
  const splitter = createSplitter();
  const kept = new Map<number, { readonly piece: Piece; readonly about: string; readonly node: Node }>();
  return (block, uncited = []) => {
    const pieces = splitter.update(block.text);
    const claims = findClaims(block.text, block.citations);
    let next = 0;
    return pieces.map((piece, index) => {
      const end = piece.start + piece.raw.length;
      const first = next;
      while (next < claims.length && claims[next]!.at < end) next += 1;
      // The claim of the next marker may be in this piece while the marker itself is in a paragraph after it.
      const reaches = next < claims.length && claims[next]!.start < end;
      const inside = claims.slice(first, reaches ? next + 1 : next);
      const isOpen = !block.isDone && index === pieces.length - 1;
      const unsaid = uncited.filter((each) => each.start < end && each.end > piece.start);
      const about = `${isOpen} ${inside.map(({ id, until }) => `${id}:${until}`).join(' ')} ${unsaid.map(({ start }) => start)}`;
      const before = kept.get(piece.start);
      if (before?.piece === piece && before.about === about) return before.node;
      const node = draw(piece, inside, isOpen, unsaid);
      kept.set(piece.start, { piece, about, node });
      return node;
    });
  };
}
