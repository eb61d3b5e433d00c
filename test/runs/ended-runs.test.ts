/** What is kept of runs that have ended: their logs, whole, in a ring of blocks that is in a file or in memory. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { noUsage, type SearchEvent } from '../../protocol/index.ts';
import { createEndedRuns } from '../../src/runs/ended/ended-runs.ts';
import { packRun, unpackRun } from '../../src/runs/ended/pack-run.ts';
import { type Block, createMemoryRing, createRingIn, openFileRing, type Ring } from '../../src/runs/ended/ring.ts';
import { createLocalRuns } from '../../src/runs/local-runs.ts';
import { createRunLog, type RunLog } from '../../src/runs/log.ts';
import { nextEntry } from '../../src/runs/next-entry.ts';
import type { Echoed } from '../../src/runs/records/run-records.ts';
import { startRun } from '../../src/runs/start-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();

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

const about = { account_id: 'a', request_id: 'r', prompts: ['x'], mode: 'text', engine: 'test' } as const;

/** A run of these events. */
function startedRun(search_id: string, given: readonly SearchEvent[], log?: RunLog) {
  async function* research(): AsyncGenerator<SearchEvent, void> {
    yield* given;
  }
  const record = async () => undefined;
  const echoed = { of: search_id } as unknown as Echoed;
  const spec = { ...about, search_id, deadline_ms: 60_000, echoed };
  return startRun(spec, { research, record, onFault: () => {}, ...(log === undefined ? {} : { log }) });
}

describe('a packed run', () => {
  it('gives a reader with any cursor the same frames as the one that it was made of, coalesced or not', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(events, { maxLength: 200 }), fc.constantFrom(50, 5_000), async (some, entries) => {
        const log = createRunLog('s_test', () => 0, { entries, size: 2 ** 20 });
        const run = startedRun('s_test', [...some, cancelled], log);
        await run.done;
        const unpacked = unpackRun(packRun(run));
        expect(unpacked.log.head()).toBe(log.head());
        expect(unpacked.log.terminal()).toEqual(log.terminal());
        for (let after = 0; after <= log.head(); after += 1) {
          expect(framesAfter(unpacked.log, after)).toEqual(framesAfter(log, after));
        }
      }),
      { numRuns: 50 },
    );
  });

  it('is what the run was, and takes no further events', async () => {
    const run = startedRun('s_test', [cancelled]);
    await run.done;
    const unpacked = unpackRun(packRun(run));
    const { search_id, account_id, created_at, prompts, attempt, echoed } = run;
    expect(unpacked).toMatchObject({ search_id, account_id, created_at, prompts, attempt, echoed });
    expect(unpacked.state()).toBe('cancelled');
    expect([await unpacked.reaches(2), await unpacked.reaches(3)]).toEqual(['held', 'ahead']);
    expect(() => unpacked.log.append(cancelled)).toThrow('has ended');
  });
});

/** The capacity of the rings: six blocks. */
const capacity = 6 * 4096;
const rings: readonly [string, (folder: string) => Promise<Ring>][] = [
  ['in memory', async () => createMemoryRing(capacity)],
  ['in a file', (folder) => openFileRing(folder, capacity)],
];

describe.each(rings)('a ring %s', (_, open) => {
  it('returns each block as it was written until newer ones have replaced it', async () => {
    const sizes = fc.array(fc.integer({ min: 0, max: capacity }), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(sizes, async (lengths) => {
        const ring = await open(folder);
        const blocks: { block: Block; bytes: Buffer }[] = [];
        for (const length of lengths) {
          const bytes = randomBytes(length);
          blocks.push({ block: (await ring.write(bytes))!, bytes });
          const held = blocks.filter(({ block }) => ring.holds(block));
          for (const { block, bytes } of held) expect((await ring.read(block))!.equals(bytes)).toBe(true);
          // What is held are the newest, the last one among them.
          expect(held).toEqual(blocks.slice(-held.length));
          expect(held.length).toBeGreaterThan(0);
          const [replaced] = blocks.slice(0, -held.length).slice(-1);
          if (replaced !== undefined) expect(await ring.read(replaced.block)).toBeUndefined();
        }
        await ring.close();
      }),
      { numRuns: 30 },
    );
  });

  it('takes nothing that is larger than itself, and nothing once it is closed', async () => {
    const ring = await open(folder);
    expect(await ring.write(randomBytes(capacity + 1))).toBeUndefined();
    const block = (await ring.write(randomBytes(10)))!;
    await ring.close();
    expect([await ring.write(randomBytes(10)), await ring.read(block)]).toEqual([undefined, undefined]);
  });
});

it.runIf(process.platform !== 'win32')('a ring in a file leaves no file to others, or after the process', async () => {
  const own = mkdtempSync(join(folder, 'own-'));
  const ring = await openFileRing(own, capacity);
  expect(await ring.write(randomBytes(10))).toEqual({ at: 0, length: 10 });
  expect(readdirSync(own)).toEqual([]);
  await ring.close();
});

it.runIf(existsSync('/dev/full'))('what does not fit on a disk is not kept', async () => {
  const file = await openFile('/dev/full', 'r+');
  const ring = createRingIn(file, capacity);
  expect(await ring.write(randomBytes(10))).toBeUndefined();
  await ring.close();
});

describe('runs that have ended', () => {
  /** A run whose answer has this many characters, which compress to three quarters. */
  function ended(search_id: string, characters: number) {
    const text = randomBytes(characters).toString('base64').slice(0, characters);
    return startedRun(search_id, [{ type: 'answer.delta', block: 'b1', from: 0, text }, cancelled]);
  }

  async function addAll(runs: ReturnType<typeof createLocalRuns>, sizes: Readonly<Record<string, number>>) {
    for (const [search_id, characters] of Object.entries(sizes)) {
      const run = ended(search_id, characters);
      const recorded = run.done.then(() => {});
      runs.add(run, { isBackground: false, onDisconnect: 'continue', grace_ms: 0, recorded });
      await moved(runs, search_id);
    }
  }

  /** Resolves once the run is no longer the one in progress. */
  const moved = (runs: ReturnType<typeof createLocalRuns>, search_id: string) =>
    expect.poll(() => runs.recorded(search_id) === undefined).toBe(true);

  const create = (retentionMs = 60_000) => createLocalRuns({ retentionMs, ring: createMemoryRing(capacity) });

  it('are read from their beginning like those in progress, by their account', async () => {
    const runs = create();
    await addAll(runs, { one: 10 });
    const run = (await runs.find('a', 'one'))!;
    expect(run.state()).toBe('cancelled');
    expect(await run.done).toEqual(cancelled);
    expect(framesAfter(run.log, 0).map((frame) => JSON.parse(frame).type)).toEqual([
      'search.accepted',
      'answer.delta',
      'search.cancelled',
    ]);
    expect(await runs.find('b', 'one')).toBeUndefined();
    expect(['a', 'b'].map(runs.hasAny)).toEqual([true, false]);
    expect(runs.attach('one')).toBeDefined();
    await runs.stop();
  });

  it('send their last events before they are packed', async () => {
    const runs = create();
    const run = ended('one', 10);
    const { log } = run;
    const recorded = run.done.then(() => {});
    runs.add(run, { isBackground: false, onDisconnect: 'continue', grace_ms: 0, recorded });
    const isSentFromLog = new Promise<boolean>((resolve) => {
      // As the pump of a reader does: it writes in the tick after an event was appended.
      const unsubscribe = log.subscribe(() => {
        if (log.terminal() === undefined) return;
        unsubscribe();
        setImmediate(async () => resolve((await runs.find('a', 'one'))?.log === log));
      });
    });
    expect(await isSentFromLog).toBe(true);
    await moved(runs, 'one');
    expect((await runs.find('a', 'one'))?.log).not.toBe(log);
    await runs.stop();
  });

  it('are forgotten oldest first where there is no more room, by their size and not by their number', async () => {
    const runs = create();
    // Of six blocks: three, one and one.
    await addAll(runs, { large: 15_000, a: 10, b: 10 });
    expect(['large', 'a', 'b'].map(runs.has)).toEqual([true, true, true]);
    await addAll(runs, { c: 9_000 });
    expect(['large', 'a', 'b', 'c'].map(runs.has)).toEqual([false, true, true, true]);
    runs.forget('a');
    await addAll(runs, { d: 8_000 });
    expect(['a', 'b', 'c', 'd'].map(runs.has)).toEqual([false, true, true, true]);
    await runs.stop();
    expect(runs.hasAny('a')).toBe(false);
  });

  it('are forgotten after their time', async () => {
    const runs = create(20);
    await addAll(runs, { one: 10, two: 10 });
    await expect.poll(() => ['one', 'two'].map(runs.has)).toEqual([false, false]);
    expect([runs.hasAny('a'), await runs.find('a', 'one')]).toEqual([false, undefined]);
    await runs.stop();
  });

  it('do not come back when they are removed while they are packed', async () => {
    const runs = create();
    const run = ended('one', 10);
    const recorded = run.done.then(() => {});
    runs.add(run, { isBackground: false, onDisconnect: 'continue', grace_ms: 0, recorded });
    await recorded;
    setImmediate(() => runs.forget('one'));
    await addAll(runs, { two: 10 });
    expect(['one', 'two'].map(runs.has)).toEqual([false, true]);
    await runs.stop();
  });
});

describe('ended runs', () => {
  it('are forgotten when their time is over although the clock was set back meanwhile', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const ended = createEndedRuns(createMemoryRing(2 ** 20), 30);
    for (const search_id of ['s_1', 's_2']) {
      const run = startedRun(search_id, [cancelled]);
      await run.done;
      await ended.add(run);
      vi.setSystemTime(Date.now() - 40 * 86_400_000);
    }
    await vi.waitFor(() => expect(ended.hasAny('a')).toBe(false), 60_000);
    await ended.close();
  });
});
