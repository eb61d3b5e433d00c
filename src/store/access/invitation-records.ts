/** Invitations in SQL. Only hashes of their secrets are stored. */
import type { Kysely } from 'kysely';
import type { InvitationRecords } from '../../access/access-records.ts';
import type { Tables } from '../tables/tables.ts';

/** Over the tables `invitations` and `accounts`. */
export function createInvitationRecords(db: Kysely<Tables>): InvitationRecords {
  return {
    async addInvitation(invitation, maxOpen, keepFrom) {
      await db.deleteFrom('invitations').where('expires_at', '<', keepFrom).execute();
      const { count } = await db
        .selectFrom('invitations')
        .select((eb) => eb.fn.countAll().as('count'))
        .where('accepted_at', 'is', null)
        .where('expires_at', '>', invitation.created_at)
        .executeTakeFirstOrThrow();
      // A bound against mistakes of administrators: a few more, added at the same time, do no harm.
      if (Number(count) >= maxOpen) return false;
      await db.insertInto('invitations').values(invitation).execute();
      return true;
    },

    invitations: (limit) =>
      db.selectFrom('invitations').selectAll().orderBy('created_at', 'desc').orderBy('id').limit(limit).execute(),

    acceptInvitation: (id, draft, now) =>
      db.transaction().execute(async (trx) => {
        // The update locks the row, so of several callers only one finds it open.
        const accepted = await trx
          .updateTable('invitations')
          .set({ accepted_at: now, account_id: draft.id })
          .where('id', '=', id)
          .where('accepted_at', 'is', null)
          .where('expires_at', '>', now)
          .returning(['name', 'plan'])
          .executeTakeFirst();
        if (accepted === undefined) return undefined;
        const { name, plan } = accepted;
        const account = { id: draft.id, name, plan, status: 'active', status_reason: null, created_at: now } as const;
        await trx.insertInto('accounts').values(account).execute();
        return account;
      }),

    async removeInvitation(id) {
      const removed = await db
        .deleteFrom('invitations')
        .where('id', '=', id)
        .where('accepted_at', 'is', null)
        .executeTakeFirstOrThrow();
      return Number(removed.numDeletedRows) > 0;
    },
  };
}
