/**
 * One pump per (connection, search): while there is room, take the next frame at the cursor. Everything that became ready
 * in a turn goes out in one cork. When there is no room the pump waits, per sink, and nothing is held but a number. A
 * sink without room for 20 s is given up: its client comes back and reads on. Text waits for its neighbours before it
 * gets here, where the model's stream is read.
 */
import type { RunLog } from '../runs/log.ts';
import { type Frame, nextFrame } from '../runs/next-frame.ts';
import type { Stream } from './exchange.ts';
import { afterTick } from './tick-queue.ts';

export interface Pump {
  /** The seq of the last frame handed over. */
  cursor(): number;
  /** Tries again: there may be room. */
  wake(): void;
  stop(): void;
}

export interface PumpOptions {
  readonly log: RunLog;
  /** Frames behind this seq are sent. */
  readonly after: number;
  readonly to: Stream;
  /** How a frame is written in this protocol. */
  readonly format: (frame: Frame) => string;
  /** Called once, after the terminal event was handed over. */
  readonly onEnd: () => void;
  readonly onStall: () => void;
}

const stallMs = 20_000;

export function startPump({ log, after, to, format, onEnd, onStall }: PumpOptions): Pump {
  let cursor = after;
  let stopped = false;
  let thisTurn = false;
  let stall: NodeJS.Timeout | undefined;
  const unsubscribe = log.subscribe(schedule);

  function schedule(): void {
    if (thisTurn || stopped) return;
    thisTurn = true;
    afterTick(flush);
  }

  function flush(): void {
    thisTurn = false;
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
    while (cursor < log.head()) {
      const frame = nextFrame(log, cursor)!;
      const text = format(frame);
      if (!to.canWrite(text.length)) return;
      to.write(text);
      cursor = frame.seq;
    }
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
