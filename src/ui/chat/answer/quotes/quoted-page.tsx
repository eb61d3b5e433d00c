/**
 * The stored text of a source page, as Markdown, with the quote highlighted. The parts of a long page that are far from the
 * quote are shown on demand. A block that cannot be highlighted in part is highlighted as a whole.
 */
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { frontMatterEnd } from '../../../../../protocol/front-matter.ts';
import { Button } from '../../../components/button.tsx';
import { t } from '../../../language/text.ts';
import { type Piece, splitMarkdown } from '../../../markdown/block-splitter.ts';
import { type FilledSlot, renderMarkdown } from '../../../markdown/render.tsx';
import { safeStretch } from '../../../markdown/slots.ts';

export interface Span {
  /** `text.slice(start, end)`. */
  readonly start: number;
  readonly end: number;
}

/** Blocks rendered initially on each side of the quote, or from the start. Set by hand. */
const around = 120;

interface QuotedPageProps {
  readonly text: string;
  /** Whether its lines end where they do in the text, as in a list of a text file; Markdown joins them. */
  readonly hasLines?: boolean;
  readonly quote: Span | undefined;
  /** A match of what the reader looks for; the page is then shown around it. */
  readonly found?: Span | undefined;
}

export function QuotedPage({ text, hasLines = false, quote, found }: QuotedPageProps) {
  const end = frontMatterEnd(text);
  const isSought = [quote, found].some((span) => span !== undefined && span.start < end);
  const first = isSought ? 0 : end;
  const pieces = useMemo(() => splitMarkdown(text.slice(first), first), [text, first]);
  const { start } = found ?? quote ?? { start: 0 };
  const at = Math.max(
    0,
    pieces.findIndex((piece) => endOf(piece) > start),
  );
  const [shown, setShown] = useState({ before: around, after: around });
  const from = Math.max(0, at - shown.before);
  const to = Math.min(pieces.length, at + shown.after);
  const nodes = useMemo(
    () => pieces.slice(from, to).map((piece) => drawPiece(piece, quote, found)),
    [pieces, from, to, quote?.start, quote?.end, found],
  );
  return (
    <div class={hasLines ? 'prose page-text page-lines' : 'prose page-text'}>
      {from > 0 && <More label={t.reader.earlier} onClick={() => setShown({ ...shown, before: Infinity })} />}
      {nodes}
      {to < pieces.length && <More label={t.reader.rest} onClick={() => setShown({ ...shown, after: Infinity })} />}
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

function drawPiece(piece: Piece, quote: Span | undefined, found: Span | undefined): ComponentChildren {
  const { raw, start } = piece;
  const inQuote = stretchIn(piece, quote);
  const inFound = stretchIn(piece, found);
  // None if only whitespace or markup of the quote is in this block.
  const { nodes, isWhole } = draw(raw, inQuote || inFound ? slotsOf(inQuote, inFound) : []);
  if (isWhole)
    return (
      <div key={start} dir="auto">
        {nodes}
      </div>
    );
  return (
    <mark key={start} class={inFound === undefined ? 'cited cited-block' : 'found cited-block'} dir="auto">
      {draw(raw).nodes}
    </mark>
  );
}

function draw(raw: string, slots: readonly FilledSlot[] = []) {
  return renderMarkdown(raw, { headings: 3, codeTools: true, hideLayout: true, slots });
}

/** What of a span is in a block and can be marked there, as offsets in the block. */
function stretchIn({ raw, start }: Piece, span: Span | undefined): Span | undefined {
  if (span === undefined || span.start >= start + raw.length || span.end <= start) return undefined;
  return safeStretch(raw, Math.max(0, span.start - start), Math.min(raw.length, span.end - start));
}

/** The marks of the quote and of a match, which may overlap. */
function slotsOf(quote: Span | undefined, found: Span | undefined): FilledSlot[] {
  const spans = [quote, found].filter((span) => span !== undefined);
  const ends = [...new Set(spans.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);
  const isIn = (span: Span | undefined, at: number) => span !== undefined && span.start <= at && at < span.end;
  return ends.map((at) => {
    const look = isIn(found, at) ? 'found' : isIn(quote, at) ? 'cited' : undefined;
    const wrap = look === undefined ? undefined : (text: string) => <mark class={look}>{text}</mark>;
    return { at, until: at, wrap };
  });
}

function endOf({ start, raw }: Piece): number {
  return start + raw.length;
}
