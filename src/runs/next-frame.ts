/**
 * What a reader is given next: the frame of one entry, or one frame for all the neighbouring deltas of a block. A reader
 * that keeps up gets single entries; the further it lags the fewer frames it gets, with the same state after each.
 */
import { coalesceFrom, frameText, type RunLog, sliceAfter } from './log.ts';

export interface Frame {
  /** JSON on one line. */
  readonly text: string;
  readonly type: string;
  /** The reader's cursor once it has this frame. */
  readonly seq: number;
}

/** The frame behind `after`, or undefined when the reader is at the head. */
export function nextFrame(log: RunLog, after: number): Frame | undefined {
  const entry = log.entry(after + 1);
  if (entry === undefined) return undefined;
  // What keeps up is alone, and nothing is made for it.
  const isLast = entry.seq === log.head() && entry.first_seq > after;
  const span = isLast ? entry : coalesceFrom(sliceAfter(entry, after), (seq) => log.entry(seq + 1));
  const text = span === entry ? log.text(entry) : frameText(log.search_id, span);
  return { text, type: entry.event.type, seq: span.seq };
}
