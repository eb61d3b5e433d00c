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

  describe('while a run that it took over waits for admission', () => {
    const waits = (signal: AbortSignal) =>
      new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

    /** A process that has `waiting` in its queue, and what it was asked to restart. */
    async function startWaiting() {
      const begun: { search_id: string; reason: unknown }[] = [];
      let renewals = 0;
      await store.background.add(backgroundRun('waiting', account_id), 'dead', -1);
      const process = startProcess({
        ...store.background,
        renew(...given) {
          renewals += 1;
          return store.background.renew(...given);
        },
      });
      process.start(({ search_id }, _, { signal, reason }) => {
        begun.push({ search_id, reason });
        return waits(signal);
      });
      await expect.poll(() => begun).toEqual([{ search_id: 'waiting', reason: undefined }]);
      return { process, begun, renewals: () => renewals };
    }

    it('renews its leases', async () => {
      const { renewals } = await startWaiting();
      const before = renewals();
      await expect.poll(renewals).toBeGreaterThan(before + 4);
    });

    it('notices that the run is to be cancelled, and ends it', async () => {
      const { begun } = await startWaiting();
      await store.background.cancel(account_id, 'waiting');
      await expect.poll(() => begun.slice(1)).toContainEqual({ search_id: 'waiting', reason: 'cancelled' });
    });

    it('notices that the run was removed', async () => {
      const { process } = await startWaiting();
      await store.background.remove(account_id, 'waiting');
      await expect.poll(() => process.held()).toBe(0);
    });

    it('leaves it to others when it takes over no more', async () => {
      const { process } = await startWaiting();
      process.drain();
      const claim = () => store.background.claim('other', 60_000, { limit: 10 });
      await expect.poll(claim).toMatchObject([{ search_id: 'waiting', deaths: 1 }]);
    });
  });
});
