/** `AccessRecords` in SQL: one set of queries for every database. */
import { sql } from 'kysely';
import { listedKeys } from '../../../protocol/index.ts';
import type { AccessRecords, Account } from '../../access/access-records.ts';
import type { OpenDatabase } from '../dialect.ts';
import { lockAccount } from '../row-locks.ts';
import { createAccountListRecords } from './account-list-records.ts';
import { accountById, accountColumns, keyColumns, toKey, toKeyRow } from './account-rows.ts';
import { advanceTimes } from './advance-times.ts';
import { createIdentityRecords } from './identity-records.ts';
import { createInvitationRecords } from './invitation-records.ts';
import { createNetworkRecords } from './network-records.ts';
import { createQuotaRecords } from './quota-records.ts';
import { createRefusalRecords } from './refusal-records.ts';
import { createSessionRecords } from './session-records.ts';
import { createUsageRecords } from './usage-records.ts';

/** Over the tables of accounts, keys, sessions, usage and networks. */
export function createAccessRecords(open: OpenDatabase): AccessRecords {
  const { db } = open;
  return {
    ...createIdentityRecords(db),
    ...createInvitationRecords(db),
    ...createAccountListRecords(db),
    ...createNetworkRecords(db),
    ...createSessionRecords(open),
    ...createUsageRecords(db),
    ...createQuotaRecords(db),
    ...createRefusalRecords(db),

    addAccount: (account, firstKey) =>
      db.transaction().execute(async (trx) => {
        const { numInsertedOrUpdatedRows } = await trx
          .insertInto('accounts')
          .values(account)
          .onConflict((conflict) => conflict.column('id').doNothing())
          .executeTakeFirstOrThrow();
        if (!numInsertedOrUpdatedRows) return false;
        if (firstKey !== undefined) await trx.insertInto('keys').values(toKeyRow(firstKey)).execute();
        return true;
      }),

    account: (id) => accountById(db, id),

    accounts: () => db.selectFrom('accounts').select(accountColumns).orderBy('created_at').orderBy('id').execute(),

    changeAccount: (id, change) =>
      db.transaction().execute(async (trx) => {
        if (change.status !== undefined && change.status !== 'active') {
          await trx.deleteFrom('sessions').where('account_id', '=', id).execute();
          await trx.deleteFrom('sign_in_links').where('account_id', '=', id).execute();
        }
        return trx
          .updateTable('accounts')
          .set(change)
          .where('id', '=', id)
          .returning(accountColumns)
          .executeTakeFirst();
      }),

    addKey: (key, limit) =>
      db.transaction().execute(async (trx) => {
        if (limit !== undefined) {
          await lockAccount(trx, key.account_id);
          const { count } = await trx
            .selectFrom('keys')
            .select((eb) => eb.fn.countAll().as('count'))
            .where('account_id', '=', key.account_id)
            .where('revoked_at', 'is', null)
            .where('id', '!=', limit.except)
            .executeTakeFirstOrThrow();
          if (Number(count) >= limit.max) return false;
        }
        await trx.insertInto('keys').values(toKeyRow(key)).execute();
        return true;
      }),

    async keyWithAccount(id) {
      const row = await db
        .selectFrom('keys')
        .innerJoin('accounts', 'accounts.id', 'keys.account_id')
        .selectAll('keys')
        .select([
          'accounts.name as account_name',
          'accounts.plan',
          'accounts.status',
          'accounts.status_reason',
          'accounts.created_at as account_created_at',
        ])
        .where('keys.id', '=', id)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const account: Account = {
        id: row.account_id,
        name: row.account_name,
        plan: row.plan,
        status: row.status,
        status_reason: row.status_reason,
        created_at: row.account_created_at,
      };
      return { key: { ...toKey(row), secret_hash: row.secret_hash }, account };
    },

    async keys(accountId) {
      const all = db.selectFrom('keys').select(keyColumns);
      if (accountId === undefined) return (await all.orderBy('created_at').orderBy('id').execute()).map(toKey);
      const newestOfAccount = await all
        .where('account_id', '=', accountId)
        .orderBy(sql`case when revoked_at is null then 0 else 1 end`)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(listedKeys)
        .execute();
      const age = ({ created_at, id }: { created_at: string; id: string }) => `${created_at} ${id}`;
      return newestOfAccount.sort((a, b) => (age(a) < age(b) ? -1 : 1)).map(toKey);
    },

    async renameKey(accountId, id, name) {
      const row = await db
        .updateTable('keys')
        .set({ name })
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .returning(keyColumns)
        .executeTakeFirst();
      return row === undefined ? undefined : toKey(row);
    },

    async revokeKey(id, at) {
      const row = await db
        .updateTable('keys')
        .set((eb) => ({ revoked_at: eb.fn.coalesce('revoked_at', eb.val(at)) }))
        .where('id', '=', id)
        .returning(keyColumns)
        .executeTakeFirst();
      return row === undefined ? undefined : toKey(row);
    },

    markUsed: (uses) => advanceTimes(open, { table: 'keys', column: 'last_used_at' }, uses),
  };
}
