/** A run ends well whatever its engine does: every step finished, one terminal event, nothing after it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noUsage, type SearchEvent } from '../../protocol/index.ts';
import { AppError } from '../../src/base/errors.ts';
import { createRunLog } from '../../src/runs/log.ts';
import type { Run } from '../../src/runs/run.ts';
import { type RunDependencies, startRun } from '../../src/runs/start-run.ts';
import { expectDense, expectLawful, stateAfter } from '../contracts/search-laws.ts';
import { createDeferred } from '../support/deferred.ts';
import { readFrames } from '../support/scripted-run.ts';

type Record = RunDependencies['record'];
type Events = (...given: Parameters<RunDependencies['research']>) => AsyncGenerator<SearchEvent, void>;

const step = (step_id: string): SearchEvent => ({ type: 'step.started', step_id, kind: 'plan', title: 'Reading' });
const finished = (step_id: string): SearchEvent => ({ type: 'step.finished', step_id, status: 'ok', duration_ms: 1 });
const delta = (from: number, text: string): SearchEvent => ({ type: 'answer.delta', block: 'b1', from, text });
const timings = { total_ms: 1, stages: {} };

function completed(answer: string): SearchEvent {
  const rest = { sources: [], citations: [], usage: noUsage, timings };
  const status = 'answered' as const;
  return { type: 'search.completed', status, result: { search_id: 's_test', status, answer, ...rest }, ...rest };
}

function start(
  events: Events,
  deadline_ms = 60_000,
  record: Record = async () => undefined,
): Run & { faults: unknown[] } {
  const faults: unknown[] = [];
  const run = startRun(
    {
      search_id: 's_test',
      account_id: 'a',
      request_id: 'r',
      prompts: ['x'],
      mode: 'text',
      engine: 'test',
      deadline_ms,
    },
    { research: events, record, onFault: (error) => faults.push(error) },
  );
  return { ...run, faults };
}

const stuck = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason));
  });

describe('a run', () => {
  it('ends a run with the terminal event of its engine', async () => {
    const run = start(async function* () {
      yield step('one');
      yield finished('one');
      yield completed('');
    });
    expect((await run.done).type).toBe('search.completed');
    expect(run.state()).toBe('completed');
    expectLawful(readFrames(run.log));
  });

  it.each<[string, (run: Run) => void, number]>([
    ['cancelled', (run) => run.cancel('client'), 60_000],
    ['late', () => {}, 100],
    ['broken', () => {}, 60_000],
  ])('carries what was used until its end when it is %s', async (how, end, deadline_ms) => {
    const used = { ...noUsage, models: ['m'] };
    const begun = createDeferred();
    const run = start(async function* (signal, shareUsage) {
      shareUsage(() => ({ ...used }));
      yield step('one');
      used.tokens_in += 21_000;
      begun.resolve();
      if (how === 'broken') throw new Error('secret detail');
      try {
        await stuck(signal);
      } finally {
        // What comes in while the search is being ended.
        used.tokens_out += 7;
      }
    }, deadline_ms);
    await begun.promise;
    end(run);
    expect((await run.done).usage).toMatchObject({
      tokens_in: 21_000,
      tokens_out: how === 'broken' ? 0 : 7,
      models: ['m'],
    });
    expectLawful(readFrames(run.log));
  });

  it.each<[string, Events, string]>([
    [
      'throws',
      async function* () {
        yield step('one');
        yield step('two');
        throw new Error('secret detail');
      },
      'internal',
    ],
    [
      'throws what callers may see',
      async function* () {
        yield step('one');
        throw new AppError('upstream_error', 'The model went away.');
      },
      'upstream_error',
    ],
    [
      'ends without a last word',
      async function* () {
        yield step('one');
      },
      'internal',
    ],
  ])('fails the run, with its steps finished, when the engine %s', async (_, events, code) => {
    const run = start(events);
    const terminal = await run.done;
    expect(terminal).toMatchObject({ type: 'search.failed', error: { code, request_id: 'r' } });
    expect(JSON.stringify(terminal)).not.toContain('secret detail');
    expect(run.faults.length).toBe(code === 'internal' ? 1 : 0);
    expectLawful(readFrames(run.log));
  });

  it('includes the partial structured answer when a run is cancelled', async () => {
    const run = start(async function* () {
      yield { type: 'result.patch', ops: [{ op: 'set', path: '/designer', value: 'E. Vance' }] };
      yield { type: 'result.patch', ops: [{ op: 'set', path: '/years', value: [] }] };
      yield { type: 'result.patch', ops: [{ op: 'set', path: '/years/0', value: { year: 1887 } }] };
      run.cancel('client');
    });
    expect(await run.done).toMatchObject({
      type: 'search.cancelled',
      partial: { output: { designer: 'E. Vance', years: [{ year: 1887 }] }, citations: [] },
    });
  });

  it('ignores events that the engine yields after the terminal event', async () => {
    const run = start(async function* () {
      yield completed('');
      yield step('late');
    });
    await run.done;
    expectLawful(readFrames(run.log));
    expect(() => run.log.append(step('later'))).toThrow(/has ended/);
  });

  it('fails a run at its deadline, with the partial answer', async () => {
    const run = start(async function* (signal) {
      yield step('one');
      yield delta(0, 'half an answer');
      await stuck(signal);
    }, 20);
    expect(await run.done).toMatchObject({
      type: 'search.failed',
      error: { code: 'deadline_exceeded' },
      partial: { answer: 'half an answer' },
    });
    expectLawful(readFrames(run.log));
  });

  it('ends a run exactly once when it is cancelled at any event', async () => {
    const script = [step('one'), finished('one'), step('two'), delta(0, 'a'), delta(1, 'b'), finished('two')];
    for (let index = 0; index <= script.length; index += 1) {
      let closed = false;
      const run = start(async function* (signal) {
        try {
          yield* script.slice(0, index);
          await stuck(signal);
        } finally {
          closed = true;
        }
      });
      while (run.log.head() < index + 1) await new Promise(setImmediate);
      run.cancel('client');
      run.cancel('admin');
      expect(await run.done).toMatchObject({ type: 'search.cancelled', by: 'client' });
      expect(closed).toBe(true);
      expectLawful(readFrames(run.log));
    }
  });

  it('ends a cancelled run although its engine ignores the signal', async () => {
    const run = start(async function* () {
      yield step('one');
      await new Promise(() => {});
    });
    while (run.log.head() < 2) await new Promise(setImmediate);
    run.cancel('client');
    expect((await run.done).type).toBe('search.cancelled');
    expectLawful(readFrames(run.log));
  });
});

describe('the terminal event', () => {
  const answered: Events = async function* () {
    yield delta(0, 'An answer.');
    yield completed('An answer.');
  };
  const fails: Events = async function* () {
    yield step('one');
    throw new Error('broken');
  };

  it.each([
    ['completed', answered, 'search.completed'],
    ['failed', fails, 'search.failed'],
  ])('of a %s search is readable only once the search is recorded', async (_, events, type) => {
    const recording = createDeferred();
    const recorded: string[] = [];
    const run = start(events, undefined, (terminal) => {
      recorded.push(terminal.type);
      return recording.promise;
    });
    await expect.poll(() => recorded).toEqual([type]);
    const before = readFrames(run.log);
    expect(before.map((frame) => frame.type)).not.toContain(type);
    expect(run.state()).toBe('running');
    recording.resolve();
    expect((await run.done).type).toBe(type);
    expect(readFrames(run.log, before.length).map((frame) => frame.type)).toEqual([type]);
  });

  it('comes after a warning when the search is not stored', async () => {
    const run = start(answered, undefined, async () => 'The disk is full.');
    await run.done;
    const frames = readFrames(run.log);
    expectLawful(frames);
    expect(frames.slice(-2)).toMatchObject([
      { type: 'warning', code: 'not_stored', message: 'The disk is full.' },
      { type: 'search.completed' },
    ]);
  });

  it('is not changed by a cancellation or the deadline once it is being recorded', async () => {
    const recording = createDeferred();
    const run = start(answered, 20, () => recording.promise);
    await expect.poll(() => run.log.head()).toBe(2);
    run.cancel('client');
    await new Promise((resolve) => setTimeout(resolve, 40));
    recording.resolve();
    expect((await run.done).type).toBe('search.completed');
    expectLawful(readFrames(run.log));
  });

  it('is the one of the engine even if the engine fails afterwards', async () => {
    const run = start(async function* () {
      try {
        yield completed('');
      } finally {
        // biome-ignore lint/correctness/noUnsafeFinally: what a careless engine does.
        throw new Error('too late');
      }
    });
    expect((await run.done).type).toBe('search.completed');
    expect(run.faults).toEqual([]);
  });
});

describe('reading a log', () => {
  const events = fc.array(fc.constantFrom('delta', 'step', 'other'), { maxLength: 40 }).map((kinds) => {
    let length = 0;
    return kinds.flatMap((kind, index): SearchEvent[] => {
      if (kind === 'step') return [step(`s${index}`), finished(`s${index}`)];
      if (kind === 'other') return [{ type: 'warning', code: 'x', message: `${index}` }];
      const text = `text ${index} `;
      length += text.length;
      return [delta(length - text.length, text)];
    });
  });

  it('leads to the same state after a disconnect at any seq, however frames are coalesced', async () => {
    await fc.assert(
      fc.asyncProperty(events, fc.nat(), async (script, cut) => {
        const text = script.map((event) => (event.type === 'answer.delta' ? event.text : '')).join('');
        const run = start(async function* () {
          yield* script;
          yield completed(text);
        });
        await run.done;
        const whole = readFrames(run.log);
        expectLawful(whole);
        const singly = Array.from({ length: run.log.head() }, (_, i) =>
          JSON.parse(run.log.text(run.log.entry(i + 1)!)),
        );
        const after = cut % (run.log.head() + 1);
        const resumed = readFrames(run.log, after);
        expectDense(resumed, after);
        expect(stateAfter([...singly.slice(0, after), ...resumed])).toEqual(stateAfter(whole));
        expect(stateAfter(singly)).toEqual(stateAfter(whole));
      }),
      { numRuns: 200 },
    );
  });

  it('serialises an entry once, however many readers take it', () => {
    const run = start(async function* () {
      yield completed('');
    });
    const first = run.log.text(run.log.entry(1)!);
    expect(run.log.text(run.log.entry(1)!)).toBe(first);
  });
});

describe('a log that grows past its bounds', () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 100, maxLength: 400 });

  it('coalesces old entries of a log past its bounds and keeps every cursor valid', () => {
    fc.assert(
      fc.property(lengths, fc.array(fc.nat(), { maxLength: 20 }), (sizes, cuts) => {
        const log = createRunLog('s_test', Date.now, { entries: 80, size: 1e9 });
        const single = createRunLog('s_test', Date.now, { entries: 1e9, size: 1e9 });
        let length = 0;
        for (const [index, size] of sizes.entries()) {
          const event: SearchEvent =
            index % 37 === 5 ? { type: 'warning', code: 'x', message: `${index}` } : delta(length, 'x'.repeat(size));
          if (event.type === 'answer.delta') length += size;
          log.append(event);
          single.append(event);
        }
        const singly = Array.from({ length: single.head() }, (_, i) => JSON.parse(single.text(single.entry(i + 1)!)));
        for (const cut of [0, single.head(), ...cuts.map((each) => each % single.head())]) {
          const resumed = readFrames(log, cut);
          expectDense(resumed, cut);
          expect(stateAfter([...singly.slice(0, cut), ...resumed])).toEqual(stateAfter(singly));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('stores a long answer in few entries', () => {
    const log = createRunLog('s_test', Date.now, { entries: 500, size: 1e9 });
    for (let i = 0; i < 100_000; i += 1) log.append(delta(i, 'x'));
    const held = new Set(Array.from({ length: 1000 }, (_, i) => log.entry(i * 100 + 1)));
    expect(held.size).toBeLessThan(50);
  });
});
