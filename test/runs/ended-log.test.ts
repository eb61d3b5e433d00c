/** What is kept of runs that have ended: their logs, whole, until they take too much memory. */
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noUsage, type SearchEvent } from '../../protocol/index.ts';
import { packLog } from '../../src/runs/ended-log.ts';
import { createLocalRuns } from '../../src/runs/local-runs.ts';
import { createRunLog, type RunLog } from '../../src/runs/log.ts';
import { nextEntry } from '../../src/runs/next-entry.ts';
import { startRun } from '../../src/runs/run.ts';

const cancelled: SearchEvent = { type: 'search.cancelled', by: 'client', usage: noUsage };
const events: fc.Arbitrary<SearchEvent> = fc.oneof(
  fc.record({
    type: fc.constant('answer.delta' as const),
    block: fc.constantFrom('b1', 'b2'),
    from: fc.nat(),
    text: fc.string({ unit: 'binary' }),
  }),
  fc.record({ type: fc.constant('warning' as const), code: fc.constant('throttled' as const), message: fc.string() }),
);

function framesAfter(log: RunLog, after: number): string[] {
  const frames: string[] = [];
  for (let entry = nextEntry(log, after); entry !== undefined; entry = nextEntry(log, entry.seq)) {
    frames.push(log.text(entry));
  }
  return frames;
}

describe('a packed log', () => {
  it('gives a reader with any cursor the same frames as the log that it was made of, coalesced or not', () => {
    fc.assert(
      fc.property(fc.array(events, { maxLength: 200 }), fc.constantFrom(50, 5_000), (some, entries) => {
        const log = createRunLog('s_test', () => 0, { entries, size: 2 ** 20 });
        for (const event of [...some, cancelled]) log.append(event);
        const packed = packLog(log);
        expect(packed.head()).toBe(log.head());
        expect(packed.terminal()).toEqual(log.terminal());
        for (let after = 0; after <= log.head(); after += 1) {
          expect(framesAfter(packed, after)).toEqual(framesAfter(log, after));
        }
      }),
      { numRuns: 50 },
    );
  });

  it('takes no further events', () => {
    const log = createRunLog('s_test');
    log.append(cancelled);
    expect(() => packLog(log).append(cancelled)).toThrow('has ended');
  });
});

describe('runs that have ended', () => {
  /** A run whose answer has this many characters, which compress to three quarters. */
  function ended(search_id: string, characters: number) {
    const spec = { search_id, account_id: 'a', request_id: 'r', prompts: ['x'], mode: 'text', engine: 'test' } as const;
    async function* research(): AsyncGenerator<SearchEvent, void> {
      yield {
        type: 'answer.delta',
        block: 'b1',
        from: 0,
        text: randomBytes(characters).toString('base64').slice(0, characters),
      };
      yield cancelled;
    }
    const record = async () => undefined;
    return startRun({ ...spec, deadline_ms: 60_000 }, { research, record, onFault: () => {} });
  }

  /** Resolves after the logs of runs that are recorded were packed. */
  const packing = () => new Promise((resolve) => setImmediate(resolve));

  async function addAll(runs: ReturnType<typeof createLocalRuns>, sizes: Readonly<Record<string, number>>) {
    for (const [search_id, characters] of Object.entries(sizes)) {
      const run = ended(search_id, characters);
      const recorded = run.done.then(() => {});
      runs.add(run, { isBackground: false, onDisconnect: 'continue', grace_ms: 0, recorded });
      await recorded;
      await packing();
    }
  }

  it('are read from their beginning like those in progress', async () => {
    const runs = createLocalRuns({ retentionMs: 60_000, maxEndedBytes: 100_000 });
    await addAll(runs, { one: 10 });
    const run = runs.find('a', 'one')!;
    expect(run.state()).toBe('cancelled');
    expect(await run.done).toEqual(cancelled);
    expect(framesAfter(run.log, 0).map((frame) => JSON.parse(frame).type)).toEqual([
      'search.accepted',
      'answer.delta',
      'search.cancelled',
    ]);
    expect(runs.find('b', 'one')).toBeUndefined();
    await runs.stop();
  });

  it('send their last events before their logs are packed', async () => {
    const runs = createLocalRuns({ retentionMs: 60_000, maxEndedBytes: 100_000 });
    const run = ended('one', 10);
    const { log } = run;
    const recorded = run.done.then(() => {});
    runs.add(run, { isBackground: false, onDisconnect: 'continue', grace_ms: 0, recorded });
    const isSentFromLog = new Promise<boolean>((resolve) => {
      // As the pump of a reader does: it writes in the tick after an event was appended.
      const unsubscribe = log.subscribe(() => {
        if (log.terminal() === undefined) return;
        unsubscribe();
        setImmediate(() => resolve(runs.find('a', 'one')?.log === log));
      });
    });
    expect(await isSentFromLog).toBe(true);
    await packing();
    expect(runs.find('a', 'one')?.log).not.toBe(log);
    await runs.stop();
  });

  it('are forgotten oldest first where they take more memory than they may, by their size and not by their number', async () => {
    const runs = createLocalRuns({ retentionMs: 60_000, maxEndedBytes: 75_000 });
    await addAll(runs, { large: 80_000, a: 10, b: 10 });
    expect(runs.has('large')).toBe(true);
    await addAll(runs, { c: 15_000 });
    expect(['large', 'a', 'b', 'c'].map(runs.has)).toEqual([false, true, true, true]);
    runs.forget('a');
    await addAll(runs, { d: 70_000 });
    expect(['b', 'c', 'd'].map(runs.has)).toEqual([true, true, true]);
    await runs.stop();
  });
});
