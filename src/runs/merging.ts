/**
 * What a reader is given next: the frame of one entry, or one frame for all the neighbouring deltas of a block. A reader
 * that keeps up gets single entries; the further it lags the fewer frames it gets, with the same state after each.
 */
import type { Entry, RunLog } from './log.ts';
import { frameText } from './log.ts';

export interface Frame {
  /** JSON on one line. */
  readonly text: string;
  readonly type: string;
  /** The reader's cursor once it has this frame. */
  readonly seq: number;
}

/** Most characters of answer text in one merged frame: small enough for any socket's room. */
const mergedCharacters = 16 * 1024;

/** The frame behind `after`, or undefined when the reader is at the head. */
export function nextFrame(log: RunLog, after: number): Frame | undefined {
  const first = log.entry(after + 1);
  if (first === undefined) return undefined;
  const last = first.event.type === 'answer.delta' ? mergedDelta(log, first) : first;
  const text = last === first ? log.text(first) : frameText(log.search_id, last, first.seq);
  return { text, type: first.event.type, seq: last.seq };
}

function mergedDelta(log: RunLog, first: Entry): Entry {
  if (first.event.type !== 'answer.delta') return first;
  const { block, from } = first.event;
  let text = first.event.text;
  let last = first;
  for (let next = log.entry(last.seq + 1); next !== undefined; next = log.entry(last.seq + 1)) {
    const { event } = next;
    if (event.type !== 'answer.delta' || event.block !== block) break;
    if (text.length + event.text.length > mergedCharacters) break;
    text += event.text;
    last = next;
  }
  return last === first ? first : { ...last, event: { type: 'answer.delta', block, from, text } };
}
