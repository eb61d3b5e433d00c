/** What becomes of a migration that is interrupted, and of what earlier versions left, whatever database it is of. */
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { createAccounts } from '../../../src/access/accounts.ts';
import { openStore } from '../../../src/store/store.ts';
import { linesOf, startOnStore } from '../../support/processes/store-process.ts';
import { runRecord } from '../run-records.ts';
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

  it('removes refused calls that show what was sent', async () => {
    const where = await fresh();
    const before = await openStore(where);
    const { account, key } = await createAccounts({ records: before.access }).createKey({ name: 'k', plan: 'pro' });
    const messages = ['body.effort: expected "fast"; got "cw_abcdefgh_secret"', 'body.whsec_abc: no', 'Not allowed.'];
    const refusal = { key_id: key.id, method: 'GET', path: '/', status: 422, code: 'validation_error' } as const;
    const at = '2026-01-01T00:00:00.000Z';
    await before.access.addRefusals(
      messages.map((message) => ({ ...refusal, at, message, request_id: 'r' })),
      500,
    );
    await before.close();
    await query(where, "delete from migrations where name = '029-redacted-refusals'");
    const after = await openStore(where);
    const { items } = await after.access.refusals(account.id, { cursor: undefined, limit: 10 });
    expect(items.map(({ message }) => message)).toEqual(['Not allowed.']);
    await after.close();
  });

  it('removes the ratings that earlier versions kept of removed searches', async () => {
    const where = await fresh();
    const first = await openStore(where);
    const { account } = await createAccounts({ records: first.access }).createKey({ name: 'k', plan: 'pro' });
    const rated_at = '2026-01-01T00:00:00.000Z';
    for (const search_id of ['kept', 'old', 'removed']) {
      await first.runs.save(runRecord(search_id, account.id));
      const about = { question: 'why?', models: [], text: 'because' };
      await first.feedback.put(account.id, { search_id, rating: 'up', rated_at, ...about });
    }
    await first.close();
    await query(where, "delete from runs where search_id = 'old'");
    await query(where, "update runs set state = 'removed' where search_id = 'removed'");
    await query(where, "delete from migrations where name = '028-orphaned-feedback'");
    const second = await openStore(where);
    const { items } = await second.feedback.list(account.id, { cursor: undefined, limit: 10 });
    expect(items.map(({ search_id }) => search_id)).toEqual(['kept']);
    await second.close();
  });
}
