/** The log of refused calls in SQL: of each account the newest. */
import { type Kysely, sql } from 'kysely';
import type { RefusalRecords } from '../../access/usage/refusals.ts';
import { readPage } from '../keyset-page.ts';
import type { Tables } from '../tables/tables.ts';

/** Over the table `refusals`. */
export function createRefusalRecords(db: Kysely<Tables>): RefusalRecords {
  async function forgetOldest(account_id: string, keep: number): Promise<void> {
    const mine = db.selectFrom('refusals').where('account_id', '=', account_id);
    const last = await mine
      .select(['at', 'id'])
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .offset(keep - 1)
      .limit(1)
      .executeTakeFirst();
    if (last === undefined) return;
    await db
      .deleteFrom('refusals')
      .where('account_id', '=', account_id)
      .where(sql<boolean>`(at, id) < (${last.at}, ${last.id})`)
      .execute();
  }

  return {
    async secretHashes(key_ids) {
      const keys = await db.selectFrom('keys').select(['id', 'secret_hash']).where('id', 'in', key_ids).execute();
      return new Map(keys.map(({ id, secret_hash }) => [id, secret_hash]));
    },

    async addRefusals(refusals, keep) {
      const ids = [...new Set(refusals.map(({ key_id }) => key_id))];
      const keys = await db.selectFrom('keys').select(['id', 'account_id']).where('id', 'in', ids).execute();
      const accountOf = new Map(keys.map(({ id, account_id }) => [id, account_id]));
      const rows = refusals.flatMap((refusal) => {
        const account_id = accountOf.get(refusal.key_id);
        const { at, key_id } = refusal;
        return account_id === undefined
          ? []
          : [{ id: crypto.randomUUID(), account_id, at, key_id, content: JSON.stringify(refusal) }];
      });
      for (let from = 0; from < rows.length; from += rowsPerStatement) {
        await db
          .insertInto('refusals')
          .values(rows.slice(from, from + rowsPerStatement))
          .execute();
      }
      for (const account_id of new Set(rows.map((row) => row.account_id))) await forgetOldest(account_id, keep);
    },

    async refusals(account_id, { key_id, ...page }) {
      const all = db.selectFrom('refusals').selectAll().where('account_id', '=', account_id);
      const mine = key_id === undefined ? all : all.where('key_id', '=', key_id);
      const { rows, more } = await readPage(mine, { at: 'string', id: 'string' }, page);
      return { items: rows.map(({ content }) => JSON.parse(content)), ...more };
    },

    async removeRefusalsBefore(at, limit) {
      const old = db.selectFrom('refusals').select('id').where('at', '<', at).limit(limit);
      await db.deleteFrom('refusals').where('id', 'in', old).execute();
      return (await old.limit(1).executeTakeFirst()) !== undefined;
    },
  };
}

/** Set by hand; below the parameter limits of both databases. */
const rowsPerStatement = 500;
