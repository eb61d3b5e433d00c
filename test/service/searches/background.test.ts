/** Background searches of processes that share a store: what each keeps, takes over and gives up. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/base/errors.ts';
import type { BackgroundRecords } from '../../../src/runs/records/background-records.ts';
import { createRegistry } from '../../../src/runs/registry.ts';
import { type BackgroundRuns, createBackgroundRuns } from '../../../src/service/searches/background.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { backgroundRun } from '../../contracts/background-records.ts';
import { accountOf } from '../../support/scripted-run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const { account_id } = accountOf;
const folder = temporaryFolder();
let folders = 0;

describe('the background searches of a process', () => {
  let store: Store;
  let closing: (() => Promise<void>)[];
  beforeEach(async () => {
    store = await openStore({ dataDir: `${folder}/${++folders}` });
    closing = [() => store.close()];
    const about = {
      plan: 'pro',
      status: 'active',
      status_reason: null,
      created_at: '2026-01-01T00:00:00.000Z',
    } as const;
    await store.access.addAccount({ id: account_id, name: 'one', ...about });
  });
  afterEach(async () => {
    for (const close of closing.reverse()) await close();
  });

  function startProcess(records: BackgroundRecords = store.background, leaseMs = 400): BackgroundRuns {
    const onFault = (error: unknown) => {
      throw error;
    };
    const runs = createRegistry({ retentionMs: 60_000, records: store.runs, background: records, onFault });
    const process = createBackgroundRuns({ records, runs, leaseMs, onFault });
    closing.push(
      () => runs.close(),
      () => process.close(),
    );
    return process;
  }

  it('does not keep a run that its caller was not told of, because the answer of the store was lost', async () => {
    const away = new AppError('overloaded', 'The database is away.');
    const process = startProcess({
      ...store.background,
      async add(...given) {
        await store.background.add(...given);
        throw away;
      },
    });
    process.start(() => Promise.reject(away));
    await expect(process.add(backgroundRun('s1', account_id))).rejects.toBe(away);
    await expect.poll(() => store.background.list(account_id, 10)).toEqual([]);
    expect(process.held()).toBe(0);
  });
});
