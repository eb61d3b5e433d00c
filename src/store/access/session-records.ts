/** Sign-in links and browser sessions in SQL. Only hashes of their secrets are stored. */
import type { AccessRecords } from '../../access/access-records.ts';
import type { OpenDatabase } from '../dialect.ts';
import { accountById, keyColumns, toKey, toKeyRow } from './account-rows.ts';
import { advanceTimes } from './advance-times.ts';

type SessionRecords = Pick<
  AccessRecords,
  'addLink' | 'takeLink' | 'addSession' | 'sessionWithAccount' | 'extendSessions' | 'endSession'
>;

/** Over the tables `sign_in_links` and `sessions`, and the session keys in `keys`. */
export function createSessionRecords(open: OpenDatabase): SessionRecords {
  const { db } = open;
  return {
    async addLink(link) {
      await db.insertInto('sign_in_links').values(link).execute();
    },

    async takeLink(id, now) {
      const link = await db
        .deleteFrom('sign_in_links')
        .where('id', '=', id)
        .returning(['account_id', 'expires_at'])
        .executeTakeFirst();
      return link !== undefined && link.expires_at > now ? link.account_id : undefined;
    },

    addSession: (session, sessionKey) =>
      db.transaction().execute(async (trx) => {
        const { created_at } = session;
        await trx
          .insertInto('keys')
          .values(toKeyRow(sessionKey))
          // No column is named: concurrent inserts may conflict on any unique one.
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        await trx.deleteFrom('sessions').where('expires_at', '<', created_at).execute();
        await trx.deleteFrom('sign_in_links').where('expires_at', '<', created_at).execute();
        await trx.insertInto('sessions').values(session).execute();
      }),

    async sessionWithAccount(id) {
      const session = await db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst();
      const account = session === undefined ? undefined : await accountById(db, session.account_id);
      if (session === undefined || account === undefined) return undefined;
      if (session.key_id === null) return { session, account };
      const key = await db
        .selectFrom('keys')
        .select(keyColumns)
        .where('id', '=', session.key_id)
        .where('account_id', '=', session.account_id)
        .where('revoked_at', 'is', null)
        .executeTakeFirst();
      return key === undefined ? undefined : { session, account, key: toKey(key) };
    },

    extendSessions: (ends) => advanceTimes(open, { table: 'sessions', column: 'expires_at' }, ends),

    async endSession(id) {
      const ended = await db.deleteFrom('sessions').where('id', '=', id).returning('account_id').executeTakeFirst();
      return ended?.account_id;
    },
  };
}
