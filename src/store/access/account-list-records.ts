/** Accounts as administrators see them, in SQL. */
import { type Kysely, sql } from 'kysely';
import type { AccountDetails, AccountListRecords } from '../../access/access-records.ts';
import { containing } from '../containing.ts';
import { readPage } from '../keyset-page.ts';
import type { Tables } from '../tables/tables.ts';
import { accountColumns } from './account-rows.ts';

/** Over the tables `accounts`, `keys` and `external_identities`. */
export function createAccountListRecords(db: Kysely<Tables>): AccountListRecords {
  return {
    async accountPage({ words, status, ...page }) {
      let query = db.selectFrom('accounts').select(accountColumns);
      if (status !== undefined) query = query.where('status', '=', status);
      for (const word of words) {
        // SQLite lowers ASCII letters only, so other letters are also looked for as they were typed.
        const texts = [containing('lower(name)', word.toLowerCase()), containing('name', word), containing('id', word)];
        query = query.where(sql<boolean>`(${sql.join(texts, sql` or `)})`);
      }
      const { rows, more } = await readPage(query, { created_at: 'string', id: 'string' }, page);
      return { items: rows, ...more };
    },

    async accountDetails(ids, exceptKeys) {
      if (ids.length === 0) return new Map();
      const keys = await db
        .selectFrom('keys')
        .select((eb) => ['account_id', eb.fn.countAll().as('count'), eb.fn.max('last_used_at').as('last_used_at')])
        .where('account_id', 'in', ids)
        .where('revoked_at', 'is', null)
        .where('id', 'not in', exceptKeys)
        .groupBy('account_id')
        .execute();
      const identities = await db
        .selectFrom('external_identities')
        .select(['account_id', 'issuer', 'subject'])
        .where('account_id', 'in', ids)
        .orderBy('issuer')
        .orderBy('subject')
        .execute();
      return new Map(
        ids.map((id): [string, AccountDetails] => {
          const { count = 0, last_used_at = null } = keys.find(({ account_id }) => account_id === id) ?? {};
          const own = identities.filter(({ account_id }) => account_id === id);
          return [
            id,
            { keys: Number(count), last_used_at, identities: own.map(({ issuer, subject }) => ({ issuer, subject })) },
          ];
        }),
      );
    },
  };
}
