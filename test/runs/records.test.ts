/** The keepers of ended searches, each under the same law. */
import { afterAll } from 'vitest';
import { createMemoryRunRecords } from '../../src/runs/records.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { describeRunRecords } from '../contracts/run-records.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
const stores: Store[] = [];
afterAll(async () => {
  for (const store of stores) await store.close();
});

describeRunRecords('memory', async () => createMemoryRunRecords());

describeRunRecords('SQLite', async (accounts) => {
  const store = await openStore({ dataDir: `${folder}/${stores.length}` });
  stores.push(store);
  const account = {
    plan: 'pro',
    status: 'active',
    status_reason: null,
    created_at: '2026-01-01T00:00:00.000Z',
  } as const;
  for (const id of accounts) await store.access.addAccount({ id, name: id, ...account });
  return store.runs;
});
