/**
 * The next frame for a reader: one entry, or one frame for all the neighbouring deltas of a block. A reader that keeps up
 * gets single entries. The further it lags, the fewer frames it gets, and they lead to the same state.
 */
import { coalesceFrom, frameText, type RunLog, sliceAfter } from './log.ts';

export interface Frame {
  /** JSON on one line. */
  readonly text: string;
  readonly type: string;
  /** The reader's cursor once it has this frame. */
  readonly seq: number;
}

/** The frame after the seq `after`; undefined when the reader is at the head. */
export function nextFrame(log: RunLog, after: number): Frame | undefined {
  const entry = log.entry(after + 1);
  if (entry === undefined) return undefined;
  // A reader that keeps up takes the newest entry as it is.
  const isLast = entry.seq === log.head() && entry.first_seq > after;
  const span = isLast ? entry : coalesceFrom(sliceAfter(entry, after), (seq) => log.entry(seq + 1));
  const text = span === entry ? log.text(entry) : frameText(log.search_id, span);
  return { text, type: entry.event.type, seq: span.seq };
}
