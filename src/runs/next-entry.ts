/**
 * What a reader of a log gets next: one entry, or one for all the neighbouring deltas of a block. A reader that keeps up
 * gets single entries. The further it lags, the fewer it gets, and they lead to the same state.
 */
import { coalesceFrom, type Entry, type RunLog, sliceAfter } from './log.ts';

/** The entry after the seq `after`; its `seq` is the reader's next cursor. Undefined when the reader is at the head. */
export function nextEntry(log: RunLog, after: number): Entry | undefined {
  const entry = log.entry(after + 1);
  if (entry === undefined) return undefined;
  // A reader that keeps up takes the newest entry as it is.
  const isLast = entry.seq === log.head() && entry.first_seq > after;
  return isLast ? entry : coalesceFrom(sliceAfter(entry, after), (seq) => log.entry(seq + 1));
}
