/**
 * The text of an answer while it grows, with its citation markers, the claims they support, and the sentences that lost theirs.
 */
import { useRef, useState } from 'preact/hooks';
import type { Block, Source, UncitedText } from '../../../client/client.ts';
import type { Piece } from '../../markdown/block-splitter.ts';
import { type FilledSlot, renderMarkdown } from '../../markdown/render.tsx';
import { type Slot, safeStretch } from '../../markdown/slots.ts';
import { ClaimText, Markers } from './citation-markers.tsx';
import type { Claim } from './cited-claims.ts';
import { NoSource, UncitedClaim } from './no-source.tsx';
import { createPieceRenderer } from './piece-renderer.ts';

export interface AnswerTextProps {
  readonly block: Block;
  readonly sources: readonly Source[];
  /** Sentences of all blocks, known once the search is complete. */
  readonly uncited: readonly UncitedText[];
}

export function AnswerText({ block, sources, uncited }: AnswerTextProps) {
  const known = useRef(sources);
  known.current = sources;
  const [pieces] = useState(() => createPieceRenderer((...piece) => drawPiece(piece, known.current)));
  const own = uncited.filter((each) => each.block === block.id);
  return <div class="prose">{pieces(block, own)}</div>;
}

type Drawn = [piece: Piece, claims: readonly Claim[], isOpen: boolean, uncited: readonly UncitedText[]];

function drawPiece([{ raw, start }, claims, isOpen, uncited]: Drawn, sources: readonly Source[]) {
  const slots = [
    ...claims.flatMap((claim) => claimSlots(claim, start, raw, sources)),
    ...uncited.flatMap((each) => uncitedSlots(each, start, raw)),
  ].sort((a, b) => a.at - b.at);
  const { nodes } = renderMarkdown(isOpen ? closeOpen(raw) : raw, { slots, codeTools: true });
  return (
    <div key={start} dir="auto">
      {nodes}
    </div>
  );
}

function claimSlots(claim: Claim, start: number, raw: string, sources: readonly Source[]): FilledSlot[] {
  const show = <Markers claim={claim.id} markers={claim.markers} sources={sources} />;
  const isHere = claim.at < start + raw.length;
  const marker: FilledSlot[] = isHere ? [{ at: claim.at - start, until: claim.until - start, show }] : [];
  return [...wrapSlots(claim, start, raw, (text) => <ClaimText claim={claim.id} text={text} />), ...marker];
}

function uncitedSlots(uncited: UncitedText, start: number, raw: string): FilledSlot[] {
  const wrapped = wrapSlots(uncited, start, raw, (text) => <UncitedClaim text={text} />);
  const last = wrapped.at(-1);
  if (last === undefined || uncited.end > start + raw.length) return wrapped;
  return [...wrapped, { at: last.at, until: last.at, show: <NoSource reason={uncited.reason} /> }];
}

/** The slots that begin and end a wrapper around `[start, end)`; none if nothing of that can be wrapped. */
function wrapSlots(
  span: { readonly start: number; readonly end: number },
  start: number,
  raw: string,
  wrap: NonNullable<Extract<FilledSlot, { wrap: unknown }>['wrap']>,
): FilledSlot[] {
  const stretch = safeStretch(raw, Math.max(0, span.start - start), Math.min(raw.length, span.end - start));
  if (stretch === undefined) return [];
  const [from, to] = [stretch.start, stretch.end].map((at) => ({ at, until: at })) as [Slot, Slot];
  return [
    { ...from, wrap },
    { ...to, wrap: undefined },
  ];
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
