/** `RunRecords` in SQL. */
import type { Kysely } from 'kysely';
import { dayMs } from '../base/values/day.ts';
import type { RunRecords } from '../runs/records/run-records.ts';
import type { OpenDatabase } from './dialect.ts';
import { type LargeColumn, readPage } from './keyset-page.ts';
import { filtered, listedColumns, toListed, toRecord } from './run-rows.ts';
import { createRunSaver } from './save-runs.ts';
import type { Tables } from './tables/tables.ts';

/** A hundred prompts of 2,600 characters; set by hand. */
const prompts: LargeColumn = { name: 'prompts', maxBytes: 256 * 1024 };

/** Over the table `runs`; `onQueued` is called when webhooks were queued with records. */
export function createRunRecords({ db, dialect }: OpenDatabase, onQueued: () => void): RunRecords {
  return {
    save: createRunSaver({ db }, onQueued),

    async get(account_id, search_id) {
      const row = await db
        .selectFrom('runs')
        .selectAll()
        .where('search_id', '=', search_id)
        .where('account_id', '=', account_id)
        .where('state', '<>', 'removed')
        .executeTakeFirst();
      return row && toRecord(row);
    },

    async byIdempotencyKey(account_id, key) {
      const dayAgo = new Date(Date.now() - dayMs).toISOString();
      const row = await db
        .selectFrom('runs')
        .selectAll()
        .where('account_id', '=', account_id)
        .where('idempotency_key', '=', key)
        .where('ended_at', '>', dayAgo)
        .orderBy('ended_at', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row && toRecord(row);
    },

    async list(account_id, { cursor, limit, ...filter }) {
      const mine = filtered(
        db
          .selectFrom('runs')
          .select(listedColumns)
          .where('account_id', '=', account_id)
          .where('state', '<>', 'removed'),
        filter,
      );
      const page = { cursor, limit };
      const { rows, more } = await readPage(mine, { ended_at: 'string', search_id: 'string' }, page, prompts);
      return { items: rows.map(toListed), ...more };
    },

    async continueChat(account_id, chat_id, search_id) {
      const change = { search_id, updated_at: new Date().toISOString() };
      await db
        .insertInto('chats')
        .values({ account_id, chat_id, ...change })
        .onConflict((conflict) => conflict.columns(['account_id', 'chat_id']).doUpdateSet(change))
        .execute();
    },

    async lastOfChat(account_id, chat_id) {
      const row = await db
        .selectFrom('chats')
        .select('search_id')
        .where('account_id', '=', account_id)
        .where('chat_id', '=', chat_id)
        .executeTakeFirst();
      return row?.search_id;
    },

    async remove(account_id, search_id) {
      const nothing = {
        prompts: '[]',
        words: null,
        terminal: '{}',
        steps: null,
        echoed: null,
        idempotency_key: null,
        idempotency_hash: null,
      };
      const now = new Date().toISOString();
      const change = { ...nothing, state: 'removed', ended_at: now } as const;
      await db.transaction().execute(async (trx) => {
        // First, because this waits for a rating that is being stored.
        await trx
          .insertInto('runs')
          .values({ search_id, account_id, created_at: now, mode: 'text', door: 'native', engine: '', ...change })
          .onConflict((conflict) =>
            conflict.column('search_id').doUpdateSet(change).where('runs.account_id', '=', account_id),
          )
          .execute();
        const mine = { account_id, search_id };
        await trx
          .deleteFrom('feedback')
          .where((eb) => eb.and(mine))
          .execute();
        await trx
          .deleteFrom('webhook_deliveries')
          .where((eb) => eb.and({ ...mine, state: 'pending', tries: 0 }))
          .execute();
      });
    },

    async newestEnd() {
      const newest = db.selectFrom('runs').select('ended_at').orderBy('ended_at', 'desc').limit(1);
      return (await newest.executeTakeFirst())?.ended_at;
    },

    async removeBefore(ended_at, limit) {
      const oldChats = db.selectFrom('chats').select('updated_at').where('updated_at', '<', ended_at);
      const last = await oldChats
        .orderBy('updated_at')
        .offset(limit - 1)
        .limit(1)
        .executeTakeFirst();
      const chats = db.deleteFrom('chats').where('updated_at', '<', ended_at);
      await (last === undefined ? chats : chats.where('updated_at', '<=', last.updated_at)).execute();
      const oldest = (from: Kysely<Tables>, count: number) =>
        from.selectFrom('runs').select('search_id').where('ended_at', '<', ended_at).orderBy('ended_at').limit(count);
      await db.transaction().execute(async (trx) => {
        const ids = (await dialect.skipLocked(oldest(trx, limit)).execute()).map(({ search_id }) => search_id);
        if (ids.length === 0) return;
        await trx.deleteFrom('feedback').where('search_id', 'in', ids).execute();
        await trx.deleteFrom('runs').where('search_id', 'in', ids).execute();
      });
      // The count of deleted rows would not do: another process may have deleted some of them.
      const left = await Promise.all([oldest(db, 1).executeTakeFirst(), oldChats.limit(1).executeTakeFirst()]);
      return left.some((row) => row !== undefined);
    },
  };
}
