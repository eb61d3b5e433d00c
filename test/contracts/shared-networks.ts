/** What is kept of accounts that call from one address, whatever database it is kept in, and what is not. */
import { describe, expect, it } from 'vitest';
import type { AccessRecords } from '../../src/access/access-records.ts';
import type { Caller } from '../../src/access/identity.ts';
import type { PlanName } from '../../src/access/plans.ts';
import { createSharedNetworks } from '../../src/access/usage/shared-networks.ts';
import { findSuspects } from '../../src/access/usage/suspects.ts';

const here = '93.184.216.7';
const start = Date.parse('2026-03-01T12:00:30.000Z');

export function describeSharedNetworks(
  name: string,
  open: (accounts: readonly string[]) => Promise<AccessRecords>,
): void {
  /** Two processes over one store, all on one clock. */
  async function openTwo(planOf: Record<string, PlanName>) {
    const records = await open(Object.keys(planOf));
    for (const [id, plan] of Object.entries(planOf)) await records.changeAccount(id, { plan });
    let time = start;
    const processes = [1, 2].map(() => createSharedNetworks({ records, now: () => time }));
    return {
      records,
      /** The number of calls of each account from there, to each process. */
      call(calls: Record<string, number>, address = here) {
        for (const [account_id, count] of Object.entries(calls)) {
          const caller: Caller = { key_id: account_id, account_id, plan: 'pro', scopes: [], address };
          for (const { count: one } of processes) for (let i = 0; i < count; i++) one(caller);
        }
      },
      wait(minutes: number) {
        time += minutes * 60_000;
      },
      async suspects() {
        for (const { close } of processes) await close();
        const groups = findSuspects(await records.sharedMinutes(), await records.accounts());
        return groups.map(({ accounts, minutes, peak, limit }) => ({
          ...Object.fromEntries(accounts.map(({ id, calls }) => [id, calls])),
          ...{ minutes, peak, limit },
        }));
      },
    };
  }
  const starters = { a: 'starter', b: 'starter', c: 'starter', d: 'starter' } as const;

  describe(`shared networks over ${name}`, () => {
    it('lists accounts that exceed the limit together, although no single process saw it', async () => {
      const { call, suspects } = await openTwo(starters);
      call({ a: 3, b: 4 });
      expect(await suspects()).toEqual([{ a: 6, b: 8, minutes: 1, peak: 14, limit: 10 }]);
    });

    it('lists no accounts within the limit, from several addresses, in several minutes, or behind one proxy', async () => {
      const { call, wait, suspects } = await openTwo(starters);
      call({ a: 2, b: 3 });
      wait(1);
      call({ c: 5 });
      wait(1);
      call({ d: 5 });
      call({ a: 50 }, '93.184.216.8');
      call({ b: 50 }, '93.184.216.9');
      for (const proxy of ['127.0.0.1', '10.1.2.3', '::1', '::ffff:192.168.0.1', 'fd00::1'])
        call({ a: 9, b: 9 }, proxy);
      expect(await suspects()).toEqual([]);
    });

    it('lists no accounts that together stay within the best of their plans', async () => {
      const { call, wait, suspects } = await openTwo({ a: 'pro', b: 'starter' });
      call({ a: 45, b: 5 });
      wait(1);
      call({ a: 46, b: 5 });
      expect(await suspects()).toEqual([{ a: 92, b: 10, minutes: 1, peak: 102, limit: 100 }]);
    });

    it('merges groups that share an account', async () => {
      const { call, wait, suspects } = await openTwo(starters);
      call({ a: 5, b: 5 });
      call({ c: 5, d: 6 }, '2600:1406:0:1::1');
      wait(1);
      call({ b: 5, c: 5 }, '2600:1406::1');
      expect(await suspects()).toEqual([{ b: 20, c: 20, d: 12, a: 10, minutes: 3, peak: 22, limit: 10 }]);
    });

    it('stores nothing of the address, and a different mark each minute', async () => {
      const { call, wait, records, suspects } = await openTwo(starters);
      call({ a: 1, b: 1 });
      wait(1);
      call({ a: 1, b: 1 });
      await suspects();
      const rows = await records.sharedMinutes();
      expect(new Set(rows.map(({ mark }) => mark)).size).toBe(2);
      expect(rows.every(({ mark }) => /^[0-9a-f]{6}$/.test(mark))).toBe(true);
      expect(JSON.stringify(rows)).not.toContain('93.184');
    });

    it('deletes shared minutes after a week, and the secret behind their marks after a day', async () => {
      const { call, wait, records, suspects } = await openTwo(starters);
      call({ a: 5, b: 6 });
      wait(1);
      call({ c: 1 });
      const before = await records.networkSecret('2026-03-01');
      expect(await records.networkSecret('2026-03-01')).toBe(before);
      wait(24 * 60);
      call({ c: 1 });
      expect(await suspects()).toHaveLength(1);
      expect(await records.networkSecret('2026-03-01')).not.toBe(before);
      await records.forgetNetworks('2026-03-08', '2026-03-08T12:00');
      expect(await records.sharedMinutes()).toEqual([]);
    });
  });
}
