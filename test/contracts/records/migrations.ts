/** What becomes of a migration that is interrupted, whatever database it is of. */
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { createAccounts } from '../../../src/access/accounts.ts';
import { openStore } from '../../../src/store/store.ts';
import { linesOf, startOnStore } from '../../support/processes/store-process.ts';
import type { StoreKind } from '../store.ts';

export function describeMigrations({ fresh, query }: Pick<StoreKind, 'fresh' | 'query'>): void {
  it('leaves no trace of a migration whose process was killed in the middle', async () => {
    const where = await fresh();
    const first = await openStore(where);
    const { account } = await createAccounts({ records: first.access }).createKey({ name: 'k', plan: 'pro' });
    await first.close();
    const child = startOnStore('migrate-slowly', where);
    const lines = linesOf(child);
    await once(child.stdout!, 'data');
    child.kill('SIGKILL');
    expect(await lines).toEqual(['half way']);
    const second = await openStore(where);
    expect(await second.access.account(account.id)).toEqual(account);
    await second.close();
    await expect(query(where, 'select * from half_way')).rejects.toThrow(/half_way/);
    expect(await query(where, "select name from migrations where name = '999-slow'")).toEqual([]);
  });
}
