import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccessRecords } from '../../../src/access/access-records.ts';
import { createAccounts, type NewKey } from '../../../src/access/accounts.ts';
import type { Caller } from '../../../src/access/identity.ts';
import { createMemoryLimiter } from '../../../src/access/limiter/memory.ts';
import { plans } from '../../../src/access/plans.ts';
import { createUsage } from '../../../src/access/usage/usage.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder();
const none = { calls: 0, refused: 0, searches: 0, contents: 0, input_tokens: 0, output_tokens: 0 };

function callerOf({ key, account }: NewKey): Caller {
  return { key_id: key.id, account_id: account.id, plan: account.plan, scopes: [] };
}

describe('usage', () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore({ dataDir: `${folder}/usage` });
  });
  afterAll(() => store.close());
  const newCaller = async () =>
    callerOf(await createAccounts({ records: store.access }).createKey({ name: 'mine', plan: 'starter' }));

  it('reports the minute, the plan and the days of the calling key', async () => {
    const [caller, other] = [await newCaller(), await newCaller()];
    const limiter = createMemoryLimiter();
    let today = Date.parse('2026-03-01T23:59:59Z');
    const usage = createUsage({ records: store.access, limiter, now: () => today });
    await limiter.take(caller.key_id, plans.starter.calls);
    usage.count(caller.key_id, 'calls');
    usage.count(caller.key_id, 'calls');
    usage.count(caller.key_id, 'input_tokens', 1234);
    usage.count(other.key_id, 'calls', 99);
    today += 2_000;
    usage.count(caller.key_id, 'refused');
    expect(await usage.report(caller)).toMatchObject({
      plan: 'starter',
      used: 1,
      rate_limit: { policy: 'starter', limit: 10, remaining: 9, window_s: 60 },
      days: [
        { day: '2026-03-01', ...none, calls: 2, input_tokens: 1234 },
        { day: '2026-03-02', ...none, refused: 1 },
      ],
    });
    await usage.close();
  });

  it('sums what several processes write', async () => {
    const caller = await newCaller();
    const options = { records: store.access, limiter: createMemoryLimiter() };
    const usages = [createUsage(options), createUsage(options)];
    for (const usage of usages) usage.count(caller.key_id, 'searches', 3);
    await Promise.all(usages.map((usage) => usage.close()));
    expect((await createUsage(options).report(caller)).days).toMatchObject([{ searches: 6 }]);
  });

  it('keeps counts that could not be written for the next write', async () => {
    const caller = await newCaller();
    let isBroken = true;
    const records: AccessRecords = {
      ...store.access,
      addUsage: (counts, keepFrom) =>
        isBroken ? Promise.reject(new Error('disk full')) : store.access.addUsage(counts, keepFrom),
    };
    const usage = createUsage({ records, limiter: createMemoryLimiter() });
    usage.count(caller.key_id, 'calls');
    expect((await usage.report(caller)).days).toEqual([]);
    usage.count(caller.key_id, 'calls');
    isBroken = false;
    expect((await usage.report(caller)).days).toMatchObject([{ calls: 2 }]);
    await usage.close();
  });
});
