/**
 * The stored text of a source page, as Markdown, with the quote highlighted. The parts of a long page that are far from the
 * quote are shown on demand. A block that cannot be highlighted in part is highlighted as a whole.
 */
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { type Piece, splitMarkdown } from '../../markdown/block-splitter.ts';
import { renderMarkdown } from '../../markdown/render.tsx';
import { safeStretch } from '../../markdown/slots.ts';

export interface Span {
  /** `text.slice(start, end)`. */
  readonly start: number;
  readonly end: number;
}

/** Blocks rendered initially on each side of the quote, or from the start. Set by hand. */
const around = 120;

export function QuotedPage({ text, quote }: { readonly text: string; readonly quote: Span | undefined }) {
  const pieces = useMemo(() => splitMarkdown(text), [text]);
  const at =
    quote === undefined
      ? 0
      : Math.max(
          0,
          pieces.findIndex((piece) => endOf(piece) > quote.start),
        );
  const [shown, setShown] = useState({ before: around, after: around });
  const from = Math.max(0, at - shown.before);
  const to = Math.min(pieces.length, at + shown.after);
  const nodes = useMemo(
    () => pieces.slice(from, to).map((piece) => drawPiece(piece, quote)),
    [pieces, from, to, quote],
  );
  return (
    <div class="prose page-text">
      {from > 0 && <More label="Show earlier text" onClick={() => setShown({ ...shown, before: Infinity })} />}
      {nodes}
      {to < pieces.length && <More label="Show the rest" onClick={() => setShown({ ...shown, after: Infinity })} />}
    </div>
  );
}

function More({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <p>
      <Button onClick={onClick}>{label}</Button>
    </p>
  );
}

function drawPiece(piece: Piece, quote: Span | undefined): ComponentChildren {
  const { raw, start } = piece;
  const headings = 3;
  const isQuoted = quote !== undefined && quote.start < endOf(piece) && quote.end > start;
  if (!isQuoted) return <div key={start}>{renderMarkdown(raw, { headings }).nodes}</div>;
  const stretch = safeStretch(raw, Math.max(0, quote.start - start), Math.min(raw.length, quote.end - start));
  // Only whitespace or markup of the quote is in this block.
  if (stretch === undefined) return <div key={start}>{renderMarkdown(raw, { headings }).nodes}</div>;
  const { nodes, isWhole } = renderMarkdown(raw, {
    headings,
    slots: [
      { at: stretch.start, until: stretch.start, wrap: (text) => <mark class="cited">{text}</mark> },
      { at: stretch.end, until: stretch.end, wrap: undefined },
    ],
  });
  if (isWhole) return <div key={start}>{nodes}</div>;
  return (
    <mark key={start} class="cited cited-block">
      {renderMarkdown(raw, { headings }).nodes}
    </mark>
  );
}

function endOf({ start, raw }: Piece): number {
  return start + raw.length;
}
