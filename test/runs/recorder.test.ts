/** Ended searches are written down, though the store is away for a while. */
import { describe, expect, it } from 'vitest';
import { noUsage } from '../../protocol/index.ts';
import { AppError } from '../../src/base/errors.ts';
import { createRecorder } from '../../src/runs/recorder.ts';
import type { RunRecord } from '../../src/runs/run-records.ts';

const record = (search_id: string): RunRecord => ({
  ...{ search_id, account_id: 'a', created_at: '', ended_at: '', state: 'cancelled', mode: 'text', engine: 'test' },
  ...{ prompts: ['?'], idempotency: undefined },
  terminal: { type: 'search.cancelled', by: 'client', usage: noUsage },
});

/** A recorder over a store that fails in these ways, one after the other, and works from then on. */
function over(failures: readonly Error[], settings: { patienceMs?: number; waitMs?: number } = {}) {
  const left = [...failures];
  const saved: string[] = [];
  const faults: unknown[] = [];
  let attempts = 0;
  const recorder = createRecorder({
    records: {
      get: async () => undefined,
      byIdempotencyKey: async () => undefined,
      list: async () => ({ items: [] }),
      removeBefore: async () => false,
      async save({ search_id }) {
        attempts += 1;
        const failure = left.shift();
        if (failure !== undefined) throw failure;
        saved.push(search_id);
      },
    },
    onFault: (error) => faults.push(error),
    waitMs: 1,
    ...settings,
  });
  return { ...recorder, saved, faults, attempts: () => attempts };
}

const away = new AppError('overloaded', 'away');

describe('a search that has ended', () => {
  it('saves an ended search once the store is back', async () => {
    const { record: write, saved, faults, attempts } = over([away, away, away]);
    await write(record('s1')).done;
    expect({ saved, faults, attempts: attempts() }).toEqual({ saved: ['s1'], faults: [], attempts: 4 });
  });

  it('resolves `tried` after the first attempt while the store is away', async () => {
    const { record: write, saved, close } = over([away], { waitMs: 1_000_000 });
    const { tried, done } = write(record('s1'));
    await tried;
    expect(saved).toEqual([]);
    close();
    await done;
    expect(saved).toEqual(['s1']);
  });

  it('gives a record up and reports a fault when the store refuses it', async () => {
    const refusal = new Error('no such account');
    const { record: write, saved, faults, attempts } = over([refusal]);
    await write(record('s1')).done;
    expect({ saved, faults, attempts: attempts() }).toEqual({ saved: [], faults: [refusal], attempts: 1 });
  });

  it('gives a record up when the time for retries is over, after at least one attempt', async () => {
    const { record: write, faults, attempts } = over([away, away, away], { patienceMs: -1 });
    await write(record('s1')).done;
    expect({ faults, attempts: attempts() }).toEqual({ faults: [away], attempts: 1 });
  });

  it('tries once more to save a record when the process shuts down', async () => {
    const { record: write, faults, attempts, close } = over([away, away, away], { waitMs: 1_000_000 });
    const { tried, done } = write(record('s1'));
    await tried;
    close();
    await done;
    expect({ faults, attempts: attempts() }).toEqual({ faults: [away], attempts: 2 });
  });
});
