/** Which account an identity of a provider is linked to, in SQL. */
import type { Kysely } from 'kysely';
import type { AccessRecords } from '../../access/access-records.ts';
import type { Tables } from '../tables/tables.ts';
import { accountById } from './account-rows.ts';

/** Over the tables `accounts` and `external_identities`. */
export function createIdentityRecords(
  db: Kysely<Tables>,
): Pick<AccessRecords, 'accountOfIdentity' | 'addLinkedAccount'> {
  return {
    async accountOfIdentity({ issuer, subject }) {
      const linked = await db
        .selectFrom('external_identities')
        .select('account_id')
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .executeTakeFirst();
      return linked === undefined ? undefined : accountById(db, linked.account_id);
    },

    addLinkedAccount: (account, { issuer, subject }) =>
      db.transaction().execute(async (trx) => {
        await trx.insertInto('accounts').values(account).execute();
        const { numInsertedOrUpdatedRows } = await trx
          .insertInto('external_identities')
          .values({ issuer, subject, account_id: account.id, created_at: account.created_at })
          .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
          .executeTakeFirstOrThrow();
        if (numInsertedOrUpdatedRows) return true;
        await trx.deleteFrom('accounts').where('id', '=', account.id).execute();
        return false;
      }),
  };
}
