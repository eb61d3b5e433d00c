/** The pump's laws, with readers of any speed: nothing lost, nothing sent twice, the same state however much was merged. */
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { SearchEvent, SearchFrame } from '../../protocol/index.ts';
import { createRunLog, type RunLog } from '../../src/runs/log.ts';
import { nextEntry } from '../../src/runs/next-entry.ts';
import { type Pump, startPump } from '../../src/transport/pump.ts';
import { expectDense, stateAfter } from '../contracts/search-laws.ts';
import { createSlowStream } from '../support/slow-stream.ts';

afterEach(() => {
  vi.useRealTimers();
});

function pumpInto(log: RunLog, after: number, room: number) {
  const { stream, frames, drain } = createSlowStream(room);
  const calls = { ends: 0, stalls: 0 };
  const pump: Pump = startPump({
    log,
    after,
    to: stream,
    format: (entry) => log.text(entry),
    onEnd: () => {
      calls.ends += 1;
    },
    onStall: () => {
      calls.stalls += 1;
    },
  });
  stream.onDrain(() => pump.wake());
  return { pump, frames, drain, calls };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Reads to the end, drained after every turn. */
async function readAll(log: RunLog, after: number, room: number): Promise<SearchFrame[]> {
  const reader = pumpInto(log, after, room);
  while (reader.calls.ends === 0) {
    await turn();
    reader.drain();
  }
  expect(reader.calls).toEqual({ ends: 1, stalls: 0 });
  return reader.frames;
}

type Step = { readonly block: number; readonly text: string } | 'step' | 'patch' | 'drain' | 'turn';

const steps = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({ block: fc.nat({ max: 1 }), text: fc.string({ maxLength: 30, unit: 'grapheme' }) }),
    },
    { weight: 1, arbitrary: fc.constantFrom<Step[]>('step', 'patch') },
    { weight: 2, arbitrary: fc.constantFrom<Step[]>('drain', 'turn') },
  ),
  { maxLength: 250 },
);

/** A log past whose bounds old deltas are joined, and the frames of its entries as each was appended. */
function createSmallLog() {
  const log = createRunLog('s_test', () => 0, { entries: 80, size: 4_000 });
  const single: SearchFrame[] = [];
  const lengths = [0, 0];
  let patches = 0;
  const append = (event: object) => {
    log.append(event as SearchEvent);
    single.push(JSON.parse(log.text(nextEntry(log, single.length)!)));
  };
  return {
    log,
    single,
    apply(step: Step) {
      if (typeof step === 'object') {
        const { block, text } = step;
        append({ type: 'answer.delta', block: `b${block}`, from: lengths[block], text });
        lengths[block]! += text.length;
      } else if (step === 'step') {
        append({ type: 'step.started', step_id: `${single.length}`, kind: 'read', title: 'a page' });
      } else if (step === 'patch') {
        append({ type: 'result.patch', ops: [{ op: 'set', path: `/f${(patches += 1)}`, value: patches }] });
      }
    },
    end: () => append({ type: 'search.failed', error: {}, usage: {} }),
  };
}

describe('a pump', () => {
  it('brings every reader to the same state, whatever its buffer, speed and starting point', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.nat({ max: 3_000 }), fc.nat(), async (all, room, seed) => {
        const { log, single, apply, end } = createSmallLog();
        const live = pumpInto(log, 0, room);
        for (const step of all) {
          if (step === 'drain') live.drain();
          else if (step === 'turn') await turn();
          else apply(step);
        }
        end();
        while (live.calls.ends === 0) {
          live.drain();
          await turn();
        }
        expectDense(live.frames, 0);
        const whole = stateAfter(single);
        expect(stateAfter(live.frames)).toEqual(whole);

        const cut = seed % (single.length + 1);
        for (const after of new Set([0, cut, single.length - 1])) {
          const rest = await readAll(log, after, seed % 5_000);
          expectDense(rest, after);
          expect(stateAfter([...single.slice(0, after), ...rest])).toEqual(whole);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('keeps the offsets at which each merged text begins', async () => {
    const { log, apply, end } = createSmallLog();
    for (let n = 0; n < 200; n++) apply({ block: n % 50 === 0 ? 1 : 0, text: '🐙é' });
    end();
    const lengths: Record<string, number> = {};
    for (const frame of await readAll(log, 0, 0)) {
      if (frame.type !== 'answer.delta') continue;
      expect(frame.from).toBe(lengths[frame.block] ?? 0);
      lengths[frame.block] = frame.from + frame.text.length;
    }
  });

  it('merges the deltas that a reader missed and sends later ones as they come', async () => {
    const { log, apply, end } = createSmallLog();
    const fast = pumpInto(log, 0, 1e9);
    for (let n = 0; n < 60; n++) {
      apply({ block: 0, text: 'word ' });
      await turn();
    }
    expect(fast.frames).toHaveLength(60);
    const slow = await Promise.all([readAll(log, 0, 0), (async () => end())()]);
    expect(slow[0].length).toBeLessThan(5);
    fast.pump.stop();
  });

  it('writes nothing while the stream is full, and everything once it has drained', async () => {
    const { log, apply, end } = createSmallLog();
    const reader = pumpInto(log, 0, 500);
    for (let n = 0; n < 70; n++) {
      apply('step');
      await turn();
    }
    end();
    expect(reader.frames.length).toBeLessThan(6);
    expect(reader.pump.cursor()).toBe(reader.frames.length);
    expect(reader.calls.ends).toBe(0);
    while (reader.calls.ends === 0) {
      reader.drain();
      await turn();
    }
    expectDense(reader.frames, 0);
    expect(reader.pump.cursor()).toBe(log.head());
  });

  it('writes a frame larger than the whole buffer when the buffer is empty', async () => {
    const { log, apply, end } = createSmallLog();
    apply({ block: 0, text: 'x'.repeat(100_000) });
    end();
    expect(await readAll(log, 0, 10)).toHaveLength(2);
  });

  it('ends immediately for a reader that already has everything', async () => {
    const { log, end } = createSmallLog();
    end();
    expect(await readAll(log, 1, 0)).toEqual([]);
  });

  it('writes nothing and calls no callback once it was stopped', async () => {
    const { log, apply, end } = createSmallLog();
    const reader = pumpInto(log, 0, 1e9);
    apply('step');
    reader.pump.stop();
    apply('step');
    end();
    reader.drain();
    await turn();
    expect(reader.frames).toEqual([]);
    expect(reader.calls).toEqual({ ends: 0, stalls: 0 });
  });

  it('reports a reader as stalled that takes nothing for 20 s, but none that takes a little', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate'] });
    const { log, apply } = createSmallLog();
    for (let n = 0; n < 50; n++) apply('step');
    const stuck = pumpInto(log, 0, 0);
    const slow = pumpInto(log, 0, 0);
    for (let n = 0; n < 20; n++) {
      await vi.advanceTimersByTimeAsync(10_000);
      slow.drain();
    }
    expect(stuck.calls.stalls).toBe(1);
    expect(slow.calls.stalls).toBe(0);
    stuck.pump.stop();
    slow.pump.stop();
  });

  it('never reports a reader as stalled that waits for a silent search', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate'] });
    const { log, apply } = createSmallLog();
    apply('step');
    const reader = pumpInto(log, 0, 0);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(reader.calls.stalls).toBe(0);
    reader.pump.stop();
  });
});
