/**
 * Sends one run to one connection: a cursor into the run's log that advances while the stream can be written to. Everything
 * that became ready in a tick goes out in one cork, up to a slice; a long log goes out slice by slice, so that many readers of
 * long logs take turns. While the stream is full, the pump waits and holds nothing but its cursor and the frame that found no
 * room; a stream that stays full for 20 s is given up, and its client reconnects and resumes.
 *
 * Text is not collected here: where the model's stream is read, deltas are already joined.
 */
import type { Entry, RunLog } from '../runs/log.ts';
import { nextEntry } from '../runs/next-entry.ts';
import { stallMs } from './event-stream.ts';
import type { Stream } from './exchange.ts';
import { afterTick } from './tick-queue.ts';

export interface Pump {
  /** The seq of the last frame that was written. */
  cursor(): number;
  /** Tries to write again: the stream may have drained. */
  wake(): void;
  stop(): void;
}

export interface PumpOptions {
  readonly log: RunLog;
  /** The seq after which to begin. */
  readonly after: number;
  readonly to: Stream;
  /** An entry as text of the reader's protocol; empty if it has nothing to say there. Called once for each, in order. */
  readonly format: (entry: Entry) => string;
  /** Called once, after the terminal event was written. */
  readonly onEnd: () => void;
  /** Called when nothing could be written for 20 s. */
  readonly onStall: () => void;
}

/** A frame that waits for room. */
interface Held {
  readonly text: string;
  /** The cursor once it is written. */
  readonly seq: number;
}

/** Characters written in one go, about half a millisecond of work. Set by hand. */
const sliceCharacters = 64 * 1024;

/** Starts to write in a later tick, never before this returns. */
export function startPump({ log, after, to, format, onEnd, onStall }: PumpOptions): Pump {
  let cursor = after;
  let stopped = false;
  let scheduled = false;
  let stall: NodeJS.Timeout | undefined;
  let held: Held | undefined;
  const unsubscribe = log.subscribe(schedule);

  function schedule(): void {
    if (scheduled || stopped) return;
    scheduled = true;
    afterTick(flush);
  }

  function flush(): void {
    scheduled = false;
    if (stopped) return;
    const before = cursor;
    to.cork(writeFrames);
    if (cursor > before && stall !== undefined) {
      clearTimeout(stall);
      stall = undefined;
    }
    if (cursor < log.head()) stall ??= setTimeout(onStall, stallMs);
    finishAtEnd();
  }

  function writeFrames(): void {
    for (let written = 0; cursor < log.head(); ) {
      if (written > sliceCharacters) return schedule();
      held ??= next();
      const { text, seq } = held;
      if (text !== '') {
        if (!to.canWrite(text.length)) return;
        to.write(text);
      }
      held = undefined;
      cursor = seq;
      written += text.length;
    }
  }

  function next(): Held {
    const entry = nextEntry(log, cursor)!;
    return { text: format(entry), seq: entry.seq };
  }

  function finishAtEnd(): void {
    if (stopped || log.terminal() === undefined || cursor < log.head()) return;
    stop();
    onEnd();
  }

  function stop(): void {
    stopped = true;
    clearTimeout(stall);
    unsubscribe();
  }

  schedule();
  return { cursor: () => cursor, wake: schedule, stop };
}
