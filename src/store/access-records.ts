/** `AccessRecords` in SQL: one set of queries for every database. */
import type { Kysely, Selectable } from 'kysely';
import type { AccessRecords, Account, Key, KeyRecord } from '../access/records.ts';
import type { Tables } from './tables.ts';

const accountColumns = ['id', 'name', 'plan', 'status', 'status_reason', 'created_at'] as const;
const keyColumns = ['id', 'account_id', 'name', 'scopes', 'created_at', 'last_used_at', 'revoked_at'] as const;

const rowsOfOneStatement = 1_000;

export function createAccessRecords(db: Kysely<Tables>): AccessRecords {
  return {
    addAccount: (account, firstKey) =>
      db.transaction().execute(async (trx) => {
        const { numInsertedOrUpdatedRows } = await trx
          .insertInto('accounts')
          .values(account)
          .onConflict((conflict) => conflict.column('id').doNothing())
          .executeTakeFirstOrThrow();
        if (!numInsertedOrUpdatedRows) return false;
        if (firstKey !== undefined) await trx.insertInto('keys').values(toRow(firstKey)).execute();
        return true;
      }),

    account: (id) => db.selectFrom('accounts').select(accountColumns).where('id', '=', id).executeTakeFirst(),

    accounts: () => db.selectFrom('accounts').select(accountColumns).orderBy('created_at').orderBy('id').execute(),

    changeAccount: (id, change) =>
      db.updateTable('accounts').set(change).where('id', '=', id).returning(accountColumns).executeTakeFirst(),

    async addKey(key) {
      await db.insertInto('keys').values(toRow(key)).execute();
    },

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
      let query = db.selectFrom('keys').select(keyColumns).orderBy('created_at').orderBy('id');
      if (accountId !== undefined) query = query.where('account_id', '=', accountId);
      return (await query.execute()).map(toKey);
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

    async markUsed(uses) {
      if (uses.size === 0) return;
      await db.transaction().execute(async (trx) => {
        for (const [id, at] of inOneOrder([...uses], ([key]) => key)) {
          await trx
            .updateTable('keys')
            .set({ last_used_at: at })
            .where('id', '=', id)
            .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', at)]))
            .execute();
        }
      });
    },

    async addUsage(counts) {
      if (counts.length === 0) return;
      const rows = inOneOrder(counts, ({ key_id, day, counter }) => `${key_id} ${day} ${counter}`);
      await db.transaction().execute(async (trx) => {
        for (let from = 0; from < rows.length; from += rowsOfOneStatement) {
          await trx
            .insertInto('usage_days')
            .values(rows.slice(from, from + rowsOfOneStatement))
            .onConflict((conflict) =>
              conflict
                .columns(['key_id', 'day', 'counter'])
                .doUpdateSet((eb) => ({ amount: eb('usage_days.amount', '+', eb.ref('excluded.amount')) })),
            )
            .execute();
        }
      });
    },

    async usage(keyId, fromDay) {
      return db
        .selectFrom('usage_days')
        .selectAll()
        .where('key_id', '=', keyId)
        .where('day', '>=', fromDay)
        .orderBy('day')
        .orderBy('counter')
        .execute();
    },
  };
}

/** Whoever locks several rows does it in the same order as everybody else, so that no two wait for each other. */
function inOneOrder<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Row[] {
  return [...rows].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function toRow(key: KeyRecord): Tables['keys'] {
  return { ...key, scopes: JSON.stringify(key.scopes) };
}

function toKey(row: Pick<Selectable<Tables['keys']>, (typeof keyColumns)[number]>): Key {
  const { id, account_id, name, scopes, created_at, last_used_at, revoked_at } = row;
  return { id, account_id, name, scopes: JSON.parse(scopes) as string[], created_at, last_used_at, revoked_at };
}
