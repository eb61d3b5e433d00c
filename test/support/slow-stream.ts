/** A stream whose client buffers at most `room` bytes, or one frame of any size, until `drain` empties the buffer. */
import { expect } from 'vitest';
import type { SearchFrame } from '../../protocol/index.ts';
import type { Stream } from '../../src/transport/exchange.ts';

export interface SlowStream {
  readonly stream: Stream;
  readonly frames: SearchFrame[];
  drain(): void;
}

export function createSlowStream(room: number): SlowStream {
  let held = 0;
  let onDrain = () => {};
  let corked = false;
  const frames: SearchFrame[] = [];
  const stream: Stream = {
    canWrite: (bytes) => held === 0 || held + bytes <= room,
    write(text) {
      expect(corked, 'every write is in a cork').toBe(true);
      held += text.length;
      frames.push(JSON.parse(text));
    },
    cork(writes) {
      corked = true;
      writes();
      corked = false;
    },
    onDrain: (listener) => {
      onDrain = listener;
    },
    onClose: () => {},
    end: () => {},
    terminate: () => {},
  };
  const drain = () => {
    held = 0;
    onDrain();
  };
  return { stream, frames, drain };
}
