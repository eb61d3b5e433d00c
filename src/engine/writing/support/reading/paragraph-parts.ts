/** The parts of a paragraph that are read one by one: its lines, where each says something of its own. */
import { readEntries } from '../../../../base/text/lines/plain-lines.ts';

/** A stretch of a text, by UTF-16 offsets. */
export interface Block {
  readonly kind: 'prose' | 'item' | 'row' | 'heading' | 'code';
  readonly start: number;
  readonly end: number;
}

/** The lines of a paragraph whose lines are entries, "Check-in: from 15:00"; any other paragraph is one part. */
export function partsOf(text: string, block: Block, isPlain: boolean): Block[] {
  const firstEnd = text.indexOf('\n', block.start);
  if (firstEnd === -1 || firstEnd >= block.end) return [block];
  const lines: Block[] = [];
  for (let start = block.start; start < block.end; ) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? block.end : Math.min(newline, block.end);
    lines.push({ kind: 'prose', start, end });
    start = end + 1;
  }
  const entries = readEntries(
    lines.map(({ start, end }) => text.slice(start, end).trim()),
    isPlain,
  );
  if (entries === undefined) return [block];
  const isHeading = (at: number) => (at === 0 && entries.heading !== 'none') || entries.inner.has(at);
  return lines.map((line, at) => (isHeading(at) ? { ...line, kind: 'heading' } : line));
}
