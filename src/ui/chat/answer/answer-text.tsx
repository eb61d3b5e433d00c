/** The text of an answer while it grows, with its citation markers and the claims they support. */
import { useRef, useState } from 'preact/hooks';
import type { Block, Source } from '../../../client/client.ts';
import type { Piece } from '../../markdown/block-splitter.ts';
import { type FilledSlot, renderMarkdown } from '../../markdown/render.tsx';
import { type Slot, safeStretch } from '../../markdown/slots.ts';
import { ClaimText, Markers } from './citation-markers.tsx';
import type { Claim } from './cited-claims.ts';
import { createPieceRenderer } from './piece-renderer.ts';

export function AnswerText({ block, sources }: { readonly block: Block; readonly sources: readonly Source[] }) {
  const known = useRef(sources);
  known.current = sources;
  const [pieces] = useState(() => createPieceRenderer((...piece) => drawPiece(...piece, known.current)));
  return <div class="prose">{pieces(block)}</div>;
}

function drawPiece({ raw, start }: Piece, claims: readonly Claim[], isOpen: boolean, sources: readonly Source[]) {
  const slots = claims.flatMap((claim) => slotsOf(claim, start, raw, sources));
  return <div key={start}>{renderMarkdown(isOpen ? closeOpen(raw) : raw, { slots }).nodes}</div>;
}

function slotsOf(claim: Claim, start: number, raw: string, sources: readonly Source[]): FilledSlot[] {
  const show = <Markers claim={claim.id} markers={claim.markers} sources={sources} />;
  const isHere = claim.at < start + raw.length;
  const marker: FilledSlot[] = isHere ? [{ at: claim.at - start, until: claim.until - start, show }] : [];
  const stretch = safeStretch(raw, Math.max(0, claim.start - start), Math.min(raw.length, claim.end - start));
  if (stretch === undefined) return marker;
  const wrap = (text: string) => <ClaimText claim={claim.id} text={text} />;
  const [from, to] = [stretch.start, stretch.end].map((at) => ({ at, until: at })) as [Slot, Slot];
  return [{ ...from, wrap }, { ...to, wrap: undefined }, ...marker];
}

/** Closes open emphasis and code, so that a growing text shows them formatted rather than as raw Markdown. */
function closeOpen(raw: string): string {
  if (/^ {0,3}(?:```|~~~)/.test(raw)) return raw;
  const text = raw.replace(/[*_~`]+$/, '');
  const line = text.slice(text.lastIndexOf('\n') + 1);
  const isOdd = (sign: string) => (line.split(sign).length - 1) % 2 === 1;
  if (isOdd('`')) return `${text}\``;
  return isOdd('**') ? `${text}**` : text;
}
