/**
 * The text of an answer as it grows. Only blocks that changed are drawn again: the last one, as a rule, and one that a
 * marker came to. Drawn blocks are counted, so that a test can hold it to that.
 */
import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Block, Source } from '../../client/client.ts';
import { type FilledSlot, renderMarkdown } from '../markdown/render.tsx';
import { safeStretch } from '../markdown/slots.ts';
import { createSplitter, type Piece } from '../markdown/split.ts';
import { type Claim, findClaims } from './claims.ts';
import { ClaimText, Markers } from './markers.tsx';

/** Blocks drawn since the page was loaded. */
export const drawn = { blocks: 0 };

export function AnswerText({ block, sources }: { readonly block: Block; readonly sources: readonly Source[] }) {
  const [splitter] = useState(createSplitter);
  const kept = useRef(new Map<number, { piece: Piece; signature: string; node: VNode }>());
  const pieces = splitter.update(block.text);
  const claims = findClaims(block.text, block.citations);
  const nodes = pieces.map((piece, index) => {
    const inside = claims.filter(({ at }) => at > piece.start && at <= piece.start + piece.raw.length);
    const isOpen = !block.isDone && index === pieces.length - 1;
    const signature = `${isOpen ? 'open ' : ''}${inside.map(({ id, markers }) => `${id}:${markers.length}`).join(' ')}`;
    const before = kept.current.get(piece.start);
    if (before?.piece === piece && before.signature === signature) return before.node;
    const node = <div class="piece">{draw(piece, inside, sources, isOpen)}</div>;
    kept.current.set(piece.start, { piece, signature, node });
    return node;
  });
  return <div class="prose">{nodes}</div>;
}

function draw({ raw, start }: Piece, claims: readonly Claim[], sources: readonly Source[], isOpen: boolean) {
  drawn.blocks += 1;
  const slots = claims.flatMap((claim): FilledSlot[] => {
    const show = <Markers claim={claim.id} markers={claim.markers} sources={sources} />;
    const marker: FilledSlot = { at: claim.at - start, until: claim.until - start, show };
    const stretch = safeStretch(raw, Math.max(0, claim.start - start), claim.end - start);
    if (stretch === undefined) return [marker];
    const wrap = (text: string) => <ClaimText claim={claim.id} text={text} />;
    return [
      { at: stretch.start, until: stretch.start, wrap },
      { at: stretch.end, until: stretch.end, wrap: undefined },
      marker,
    ];
  });
  return renderMarkdown(isOpen ? closeOpen(raw) : raw, { slots }).nodes;
}

/** Emphasis and code that are not closed yet look as they will, not as the signs that begin them. */
function closeOpen(raw: string): string {
  if (/^ {0,3}(?:```|~~~)/.test(raw)) return raw;
  const text = raw.replace(/[*_~`]+$/, '');
  const line = text.slice(text.lastIndexOf('\n') + 1);
  const isOdd = (sign: string) => (line.split(sign).length - 1) % 2 === 1;
  if (isOdd('`')) return `${text}\``;
  return isOdd('**') ? `${text}**` : text;
}
