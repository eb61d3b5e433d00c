/**
 * Readers of every speed that are stalled and dropped at random, and come back to any process, while a search is written:
 * none misses an event, gets one twice or out of order, and all end with the same state, whatever was joined on the way.
 * With TEST_LONG=1 a thousand schedules over each twin.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchEvent, SearchFrame } from '../../protocol/index.ts';
import { createMemoryRunRecords } from '../../src/runs/records/memory-run-records.ts';
import { openSharedRuns } from '../../src/runs/redis/shared-runs-redis.ts';
import { createRegistry, type Registry } from '../../src/runs/registry.ts';
import type { Run } from '../../src/runs/run.ts';
import { startPump } from '../../src/transport/pump.ts';
import { expectDense, expectLawful, stateAfter } from '../contracts/search-laws.ts';
import { accountOf, readFrames, startScriptedRun } from '../support/scripted-run.ts';
import { freshPrefix, hasRedis, startRedis, type TestRedis } from '../support/servers/redis.ts';
import { createSlowStream } from '../support/slow-stream.ts';
import { writtenEvents } from '../support/written-log.ts';

const isLong = process.env.TEST_LONG === '1';
const atOnce = 10;
const { account_id } = accountOf;
const onFault = (error: unknown) => {
  throw error;
};

/** What a reader does next: takes what waits for it, takes nothing for a while (ms), or loses its line. */
type Move = 'drain' | { readonly stall: number } | { readonly drop: 'home' | 'away' };

const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Move>('drain') },
  { weight: 2, arbitrary: fc.record({ stall: fc.nat(60) }) },
  { weight: 2, arbitrary: fc.record({ drop: fc.constantFrom('home' as const, 'away' as const) }) },
);
const reader = fc.record({
  begins: fc.constantFrom('home' as const, 'away' as const),
  room: fc.constantFrom(0, 300, 2_000, 1_000_000),
  moves: fc.array(move, { maxLength: 12 }),
});
const schedule = fc.record({
  events: writtenEvents,
  /** How many events come at a time, and the pause after each of these, ms. */
  bursts: fc.array(fc.tuple(fc.integer({ min: 1, max: 12 }), fc.nat(25)), { minLength: 1, maxLength: 12 }),
  readers: fc.array(reader, { minLength: 1, maxLength: 3 }),
});
type Schedule = Parameters<Parameters<typeof schedule.map>[0]>[0];

const pause = (ms: number) =>
  new Promise<void>((resolve) => (ms === 0 ? setImmediate(resolve) : setTimeout(resolve, ms)));

interface Processes {
  readonly home: Registry;
  readonly away: Registry;
}

/** All the frames that a reader was given, over all its lines. */
async function readAsPlanned(
  { home, away }: Processes,
  search_id: string,
  { begins, room, moves }: Schedule['readers'][number],
): Promise<SearchFrame[]> {
  const frames: SearchFrame[] = [];
  let cursor = 0;
  let at = begins;
  const left = [...moves];
  for (;;) {
    const registry = at === 'home' ? home : away;
    const run = (await registry.find(account_id, search_id)).run!;
    expect(await run.reaches(cursor)).toBe('held');
    const next = await readUntilDropped(registry, run, cursor, room, left);
    frames.push(...next.frames);
    cursor = next.cursor;
    if (next.dropped === undefined) return frames;
    at = next.dropped;
  }
}

async function readUntilDropped(
  registry: Registry,
  run: Run,
  after: number,
  room: number,
  moves: Move[],
): Promise<{ frames: SearchFrame[]; cursor: number; dropped: 'home' | 'away' | undefined }> {
  const leave = registry.attach(run);
  const { stream, frames, drain } = createSlowStream(room);
  let hasEnded = false;
  const pump = startPump({
    log: run.log,
    after,
    to: stream,
    format: (entry) => run.log.text(entry),
    onEnd: () => {
      hasEnded = true;
    },
    onStall: () => {},
  });
  stream.onDrain(pump.wake);
  let dropped: 'home' | 'away' | undefined;
  while (!hasEnded && dropped === undefined) {
    const next = moves.shift() ?? 'drain';
    if (next === 'drain') drain();
    if (typeof next === 'object' && 'drop' in next) dropped = next.drop;
    await pause(typeof next === 'object' && 'stall' in next ? next.stall : 3);
  }
  pump.stop();
  leave();
  return { frames, cursor: pump.cursor(), dropped: hasEnded ? undefined : dropped };
}

async function write(give: (...events: SearchEvent[]) => Promise<void>, { events, bursts }: Schedule): Promise<void> {
  // The run says itself that it was accepted.
  const left = events.slice(1);
  for (let n = 0; left.length > 0; n += 1) {
    const [count, ms] = bursts[n % bursts.length]!;
    await give(...left.splice(0, count));
    await pause(ms);
  }
}

async function play(processes: Processes, plan: Schedule): Promise<void> {
  const { run, give } = await startScriptedRun(processes.home);
  const readings = plan.readers.map((each) => readAsPlanned(processes, run.search_id, each));
  await write(give, plan);
  await run.done;
  const whole = stateAfter(readFrames(run.log));
  for (const frames of await Promise.all(readings)) {
    expectDense(frames, 0);
    expect(frames.at(-1)!.seq).toBe(run.log.head());
    expect(stateAfter(frames)).toEqual(whole);
  }
  const there = (await processes.away.find(account_id, run.search_id)).run!;
  expect(await there.reaches(run.log.head())).toBe('held');
  expectEveryCut(run, there);
}

/** Reading up to any seq here and after it there is one uninterrupted read. */
function expectEveryCut(here: Run, there: Run): void {
  const whole = readFrames(here.log);
  expectLawful(whole.map((frame) => ({ ...frame, search_id: here.search_id })));
  const state = stateAfter(whole);
  for (let cut = 0; cut <= here.log.head(); cut += 1) {
    const before = readFrames(here.log).flatMap((frame) => upTo(frame, cut, readFrames(here.log, cut)[0]));
    const rest = readFrames(there.log, cut);
    expectDense(rest, cut);
    expect(stateAfter([...before, ...rest])).toEqual(state);
  }
}

/** What of a frame comes before the seq `cut`, `next` being the first frame after it. */
function upTo(frame: SearchFrame, cut: number, next: SearchFrame | undefined): SearchFrame[] {
  if (frame.seq <= cut) return [frame];
  if ((frame.first_seq ?? frame.seq) > cut || frame.type !== 'answer.delta' || next?.type !== 'answer.delta') return [];
  return [{ ...frame, text: frame.text.slice(0, next.from - frame.from) }];
}

function schedulesHold(processes: () => Processes, runs: number): () => Promise<void> {
  return () =>
    fc.assert(
      fc.asyncProperty(fc.array(schedule, { minLength: atOnce, maxLength: atOnce }), async (plans) => {
        await Promise.all(plans.map((plan) => play(processes(), plan)));
      }),
      { numRuns: runs / atOnce, endOnFailure: true },
    );
}

const count = isLong ? 1_000 : 30;

describe('readers of one process', () => {
  const runs = createRegistry({ retentionMs: 60_000, records: createMemoryRunRecords(), onFault });
  afterAll(() => runs.close());

  it(
    'misses nothing for readers of one process on any schedule',
    { timeout: 600_000 },
    schedulesHold(() => ({ home: runs, away: runs }), count),
  );
});

describe.skipIf(!hasRedis)('readers of two processes on one Redis', () => {
  let redis: TestRedis;
  let processes: Processes;
  let stalling: NodeJS.Timeout;
  let close: () => Promise<void>;
  beforeAll(async () => {
    redis = await startRedis();
    const records = createMemoryRunRecords();
    const prefix = freshPrefix();
    const shared = await Promise.all([1, 2].map(() => openSharedRuns({ url: redis.url, records, prefix, onFault })));
    const [home, away] = shared.map((each) => createRegistry({ retentionMs: 60_000, records, shared: each, onFault }));
    processes = { home: home!, away: away! };
    // Redis, too, has moments in which it does not answer.
    stalling = setInterval(() => {
      redis.pause();
      setTimeout(redis.resume, 40);
    }, 300);
    close = async () => {
      clearInterval(stalling);
      redis.resume();
      for (const each of [home!, away!]) await each.close();
      for (const each of shared) await each.close();
      await redis.stop();
    };
  });
  afterAll(() => close());

  it(
    'misses nothing for readers of two processes on any schedule',
    { timeout: 900_000 },
    schedulesHold(() => processes, count),
  );
});
