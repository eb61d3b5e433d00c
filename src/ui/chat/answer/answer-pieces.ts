/**
 * Which blocks of a growing answer are drawn again: those whose text changed, the last one as a rule, and those that a
 * marker came to. All others are the nodes that they were.
 */
import type { Block } from '../../../client/client.ts';
import { createSplitter, type Piece } from '../../markdown/split.ts';
import { type Claim, findClaims } from './claims.ts';

/** `isOpen`: its end may still change. */
export type DrawPiece<Node> = (piece: Piece, claims: readonly Claim[], isOpen: boolean) => Node;

/** Gives the nodes of an answer that begins with the one given before. */
export function createPieces<Node>(draw: DrawPiece<Node>): (block: Block) => readonly Node[] {
  const splitter = createSplitter();
  const kept = new Map<number, { readonly piece: Piece; readonly about: string; readonly node: Node }>();
  return (block) => {
    const pieces = splitter.update(block.text);
    const claims = findClaims(block.text, block.citations);
    let next = 0;
    return pieces.map((piece, index) => {
      const end = piece.start + piece.raw.length;
      const first = next;
      while (next < claims.length && claims[next]!.at < end) next += 1;
      // What the next marker speaks for may stand here, and it in a paragraph of its own.
      const reaches = next < claims.length && claims[next]!.start < end;
      const inside = claims.slice(first, reaches ? next + 1 : next);
      const isOpen = !block.isDone && index === pieces.length - 1;
      const about = `${isOpen} ${inside.map(({ id, until }) => `${id}:${until}`).join(' ')}`;
      const before = kept.get(piece.start);
      if (before?.piece === piece && before.about === about) return before.node;
      const node = draw(piece, inside, isOpen);
      kept.set(piece.start, { piece, about, node });
      return node;
    });
  };
}
