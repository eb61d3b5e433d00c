/** Ended searches are saved even if the store is away, slow or full for a while, and callers are notified of what is not saved. */
import { describe, expect, it } from 'vitest';
import { noUsage } from '../../protocol/index.ts';
import { AppError } from '../../src/base/errors.ts';
import { createRecorder } from '../../src/runs/recorder.ts';
import type { RunRecord } from '../../src/runs/records/run-records.ts';
import { createDeferred } from '../support/deferred.ts';

const record = (search_id: string): RunRecord => ({
  ...{
    search_id,
    account_id: 'a',
    created_at: '',
    ended_at: '',
    state: 'cancelled',
    mode: 'text',
    door: 'native',
    engine: 'test',
  },
  ...{ prompts: ['?'], idempotency: undefined },
  terminal: { type: 'search.cancelled', by: 'client', usage: noUsage },
});

type Settings = Partial<Pick<Parameters<typeof createRecorder>[0], 'answerMs' | 'maxWaiting' | 'pauseMs'>>;

/** A recorder over a store that fails in these ways, one after the other, and works from then on. */
function over(failures: readonly (Error | Promise<undefined>)[], settings: Settings = {}) {
  const left = [...failures];
  const saved: string[] = [];
  const faults: unknown[] = [];
  const outages: (string | undefined)[] = [];
  let attempts = 0;
  const recorder = createRecorder({
    records: {
      async save({ search_id }) {
        attempts += 1;
        const failure = left.shift();
        if (failure instanceof Error) throw failure;
        await failure;
        if (!saved.includes(search_id)) saved.push(search_id);
        return undefined;
      },
    },
    onFault: (error) => faults.push(error),
    onOutage: (why) => outages.push(why),
    pauseMs: 1,
    ...settings,
  });
  return { ...recorder, saved, faults, outages, attempts: () => attempts };
}

const away = new AppError('overloaded', 'The disk is full.');
const notStored = (search_id: string) => new Error(`search ${search_id} is not stored`);
const retrying = 'The disk is full. The search is not stored yet; the server keeps trying.';

describe('a search that has ended', () => {
  it('is kept once it is saved', async () => {
    const saving = createDeferred();
    const { record: write, saved, unsaved } = over([saving.promise]);
    const { kept, done } = write(record('s1'));
    let isKept = false;
    kept.then(() => {
      isKept = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect({ isKept, unsaved: unsaved() }).toEqual({ isKept: false, unsaved: { waiting: 1, lost: 0 } });
    saving.resolve();
    expect(await kept).toBeUndefined();
    await done;
    expect({ saved, unsaved: unsaved() }).toEqual({ saved: ['s1'], unsaved: { waiting: 0, lost: 0 } });
  });

  it('is shown with the reason while the store is away, and saved once it is back', async () => {
    const { record: write, saved, faults } = over([away, away, away]);
    const { kept, done } = write(record('s1'));
    expect(await kept).toBe(retrying);
    expect(saved).toEqual([]);
    await done;
    expect({ saved, faults }).toEqual({ saved: ['s1'], faults: [] });
  });

  it('does not wait for a store that is known to be away, and is saved with the others once it is back', async () => {
    const { record: write, saved, attempts, close } = over([away, away], { pauseMs: 1_000_000 });
    const first = write(record('s1'));
    await first.kept;
    const later = ['s2', 's3'].map((search_id) => write(record(search_id)));
    expect(await Promise.all(later.map(({ kept }) => kept))).toEqual([retrying, retrying]);
    expect(attempts()).toBe(1);
    close();
    await Promise.all([first, ...later].map(({ done }) => done));
    // One of them met the second failure, and there is no third attempt when the process ends.
    expect(saved.length).toBe(2);
  });

  it('is shown with a sentence when the store does not answer in time, and saved when it does', async () => {
    const saving = createDeferred();
    const { record: write, saved, faults } = over([saving.promise], { answerMs: 10 });
    const { kept, done } = write(record('s1'));
    expect(await kept).toBe('The search could not be stored within 0.01 s; the server keeps trying.');
    saving.resolve();
    await done;
    expect({ saved, faults }).toEqual({ saved: ['s1'], faults: [] });
  });

  it('is given up, which is a fault, when the store refuses it', async () => {
    const refusal = new Error('no such account');
    const { record: write, saved, faults, attempts, unsaved } = over([refusal]);
    const { kept, done } = write(record('s1'));
    expect(await kept).toBe('The search could not be stored.');
    await done;
    expect({ saved, faults, attempts: attempts() }).toEqual({ saved: [], faults: [notStored('s1')], attempts: 1 });
    expect(faults[0]).toHaveProperty('cause', refusal);
    expect(unsaved()).toEqual({ waiting: 0, lost: 1 });
  });

  it('is given up when too many others wait for the store', async () => {
    const { record: write, saved, faults, unsaved, close } = over([away], { maxWaiting: 2, pauseMs: 1_000_000 });
    const all = ['s1', 's2', 's3'].map((search_id) => write(record(search_id)));
    expect(await all[2]!.kept).toBe('The search could not be stored.');
    await all[0]!.kept;
    expect(unsaved()).toEqual({ waiting: 2, lost: 1 });
    close();
    await Promise.all(all.map(({ done }) => done));
    expect(saved.sort()).toEqual(['s1', 's2']);
    expect(faults.map(String)).toEqual([expect.stringContaining('s3 is not stored')]);
  });

  it('is tried once more when the process shuts down', async () => {
    const { record: write, faults, attempts, close } = over([away, away, away], { pauseMs: 1_000_000 });
    const { kept, done } = write(record('s1'));
    await kept;
    close();
    await done;
    expect({ faults, attempts: attempts() }).toEqual({ faults: [notStored('s1')], attempts: 2 });
    expect(faults[0]).toHaveProperty('cause', away);
  });

  it('is not reported as stored again when the process ends in an outage', async () => {
    const { record: write, outages, close } = over([away, away], { pauseMs: 1_000_000 });
    const { kept, done } = write(record('s1'));
    await kept;
    close();
    await done;
    expect(outages).toEqual([away.message]);
  });

  it('is waited for until it is stored', async () => {
    const { record: write, saved, outages, idle } = over([away, away]);
    const { kept } = write(record('s1'));
    await kept;
    expect(saved).toEqual([]);
    await idle();
    expect({ saved, outages }).toEqual({ saved: ['s1'], outages: [away.message, undefined] });
  });
});
