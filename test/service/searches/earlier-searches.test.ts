/** Calls about searches that were started earlier, over a store that fails between two of its steps. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { neverAborted } from '../../../src/base/abort.ts';
import { AppError } from '../../../src/base/errors.ts';
import { createRegistry, type Registry } from '../../../src/runs/registry.ts';
import { createEarlierSearchCalls } from '../../../src/service/searches/earlier-searches.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { runRecord } from '../../contracts/run-records.ts';
import { accountOf } from '../../support/scripted-run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const { account_id } = accountOf;
const created_at = '2026-01-01T00:00:00.000Z';
const folder = temporaryFolder();
let store: Store;
let runs: Registry;

beforeEach(async () => {
  store = await openStore({ dataDir: `${folder}/${crypto.randomUUID()}` });
  const account = { id: account_id, name: 'one', plan: 'pro', status: 'active', status_reason: null } as const;
  await store.access.addAccount({ ...account, created_at });
  runs = createRegistry({ retentionMs: 60_000, records: store.runs, onFault: () => {} });
});
afterEach(async () => {
  await runs.close();
  await store.close();
});

it('removes the question with the search, also when the database was away in between', async () => {
  await store.runs.save(runRecord('s1', account_id));
  const request = { prompt: 'My secret salary?' };
  await store.threads.begin(account_id, { search_id: 's1', created_at, request, has_image: false });
  await store.threads.share(
    account_id,
    's1',
    { hash: 'h', created_at, expires_at: created_at, content: '{}', snapshots: [] },
    [],
  );
  let failures = 1;
  const threads = {
    async removeTurn(...turn: [string, string]) {
      failures -= 1;
      if (failures >= 0) throw new AppError('overloaded', 'The database is away.');
      await store.threads.removeTurn(...turn);
    },
  };
  const caller = { key_id: 'k', account_id, plan: 'pro', name: 'key', scopes: [] } as const;
  const access = { identify: async () => caller } as never;
  const calls = createEarlierSearchCalls({
    access,
    runs,
    records: store.runs,
    threads,
    largeRead: async () => [] as never,
  });
  const call = { request_id: 'r', from: caller, signal: neverAborted, onCharged: () => {} } as never;
  await expect(calls.remove(call, 's1')).rejects.toMatchObject({ code: 'overloaded' });
  expect(await calls.remove(call, 's1')).toEqual({ search_id: 's1', deleted: true });
  expect(await store.threads.get(account_id, 's1')).toBeUndefined();
  expect(await store.runs.get(account_id, 's1')).toBeUndefined();
  await expect(calls.remove(call, 's1')).rejects.toMatchObject({ code: 'not_found' });
});
