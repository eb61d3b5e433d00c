/**
 * A page as it was read, as Markdown, with the cited words marked. Of a long page what lies far from them waits to be
 * asked for. Where the words begin or end within something that cannot be marked in part, all of that is marked.
 */
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { renderMarkdown } from '../../markdown/render.tsx';
import { safeStretch } from '../../markdown/slots.ts';
import { type Piece, splitMarkdown } from '../../markdown/split.ts';

export interface Span {
  /** `text.slice(start, end)`. */
  readonly start: number;
  readonly end: number;
}

/** Blocks on each side of the quote, or from the start, that are drawn at once. */
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
      {from > 0 && <More words="Show what comes before" onClick={() => setShown({ ...shown, before: Infinity })} />}
      {nodes}
      {to < pieces.length && <More words="Show the rest" onClick={() => setShown({ ...shown, after: Infinity })} />}
    </div>
  );
}

function More({ words, onClick }: { readonly words: string; readonly onClick: () => void }) {
  return (
    <p>
      <Button onClick={onClick}>{words}</Button>
    </p>
  );
}

function drawPiece(piece: Piece, quote: Span | undefined): ComponentChildren {
  const { raw, start } = piece;
  const headings = 3;
  const isQuoted = quote !== undefined && quote.start < endOf(piece) && quote.end > start;
  if (!isQuoted) return <div key={start}>{renderMarkdown(raw, { headings }).nodes}</div>;
  const stretch = safeStretch(raw, Math.max(0, quote.start - start), Math.min(raw.length, quote.end - start));
  // Blanks and signs at the end of a quote that goes on in the next block.
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
