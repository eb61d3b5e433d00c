/** `ThreadRecords` in SQL. */
import { type Kysely, sql, type Transaction } from 'kysely';
import { titleOf } from '../base/text/searched-text.ts';
import type { ThreadRecords } from '../runs/records/thread-records.ts';
import { containing } from './containing.ts';
import { readPage } from './keyset-page.ts';
import { marked } from './marked.ts';
import type { Tables } from './tables/tables.ts';
import { maxWords, searchedQuestions, titled, toRow, toThread, turnsOf } from './thread-rows.ts';

/** Over the tables `threads`, `thread_turns` and `thread_shares`. */
export function createThreadRecords(db: Kysely<Tables>): ThreadRecords {
  const withShares = db
    .selectFrom('threads')
    .leftJoin('thread_shares', 'thread_shares.thread_id', 'threads.thread_id')
    .select([
      'threads.thread_id',
      'threads.title',
      'threads.is_named',
      'threads.is_pinned',
      'threads.turns',
      'threads.created_at',
      'threads.updated_at',
      'thread_shares.created_at as shared_at',
      'thread_shares.expires_at as share_ends_at',
    ]);

  const find = (account_id: string, thread_id: string) =>
    withShares
      .where('threads.thread_id', '=', thread_id)
      .where('threads.account_id', '=', account_id)
      .executeTakeFirst();

  return {
    begin: (account_id, turn) =>
      db.transaction().execute(async (trx) => {
        const { search_id: thread_id, created_at } = turn;
        const fixed = { is_named: 0, is_pinned: 0, turns: 1, created_at, updated_at: created_at };
        const row = {
          thread_id,
          account_id,
          ...titled(titleOf(turn.request.prompt)),
          ...fixed,
          words: searchedQuestions([turn]),
        };
        await trx.insertInto('threads').values(row).execute();
        await trx
          .insertInto('thread_turns')
          .values(toRow(account_id, thread_id, turn))
          .execute();
      }),

    async add(account_id, thread_id, turn, maxTurns) {
      const isAdded = await db.transaction().execute(async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable('threads')
          .set((eb) => ({
            turns: eb('turns', '+', 1),
            updated_at: turn.created_at,
            words: sql<string>`substr(words || ${`\n${searchedQuestions([turn])}`}, 1, ${maxWords})`,
          }))
          .where('thread_id', '=', thread_id)
          .where('account_id', '=', account_id)
          .where('turns', '<', maxTurns)
          .executeTakeFirst();
        if (numUpdatedRows !== 1n) return false;
        await trx
          .insertInto('thread_turns')
          .values(toRow(account_id, thread_id, turn))
          .execute();
        return true;
      });
      if (isAdded) return 'added';
      return (await find(account_id, thread_id)) === undefined ? 'unknown' : 'full';
    },

    removeTurn: (account_id, search_id) =>
      db.transaction().execute(async (trx) => {
        const found = await trx
          .selectFrom('thread_turns')
          .select('thread_id')
          .where('search_id', '=', search_id)
          .where('account_id', '=', account_id)
          .executeTakeFirst();
        const thread = found && (await lockThread(trx, account_id, found.thread_id));
        if (thread === undefined) return;
        const { thread_id } = thread;
        const before = await turnsOf(trx, thread_id);
        const turns = before.filter((turn) => turn.search_id !== search_id);
        if (turns.length === before.length) return;
        if (turns.length === 0) {
          await trx.deleteFrom('threads').where('thread_id', '=', thread_id).execute();
          return;
        }
        await trx.deleteFrom('thread_turns').where('search_id', '=', search_id).execute();
        // A link must not continue to show what was removed.
        await trx.deleteFrom('thread_shares').where('thread_id', '=', thread_id).execute();
        // The title was made from the first question, by a model or not.
        const isTitled = thread.is_named === 0 && before[0]!.search_id === search_id;
        const title = isTitled ? titled(titleOf(turns[0]!.request.prompt)) : {};
        await trx
          .updateTable('threads')
          .set({ turns: turns.length, words: searchedQuestions(turns), ...title })
          .where('thread_id', '=', thread_id)
          .execute();
      }),

    async get(account_id, thread_id) {
      const thread = await find(account_id, thread_id);
      if (thread === undefined) return undefined;
      return { ...toThread(thread), list: await turnsOf(db, thread_id) };
    },

    async list(account_id, { cursor, limit, words, mark }) {
      let mine = withShares.where('threads.account_id', '=', account_id);
      if (mark !== undefined) mine = mine.where(marked('threads.thread_id', mark));
      for (const word of words) {
        mine = mine.where((eb) => eb.or([containing('threads.title_words', word), containing('threads.words', word)]));
      }
      const keys = {
        'threads.is_pinned': 'number',
        'threads.updated_at': 'string',
        'threads.thread_id': 'string',
      } as const;
      const { rows, more } = await readPage(mine, keys, { cursor, limit });
      return { items: rows.map(toThread), ...more };
    },

    async change(account_id, thread_id, { title, pinned, unlessNamed }) {
      const isChanged = title !== undefined || pinned !== undefined;
      const mine = db
        .updateTable('threads')
        .set({
          ...(title === undefined ? {} : { ...titled(title), ...(unlessNamed === true ? {} : { is_named: 1 }) }),
          ...(pinned === undefined ? {} : { is_pinned: pinned ? 1 : 0 }),
        })
        .where('thread_id', '=', thread_id)
        .where('account_id', '=', account_id);
      const unnamed = mine
        .where('is_named', '=', 0)
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom('thread_turns')
              .select('search_id')
              .whereRef('thread_turns.search_id', '=', 'threads.thread_id'),
          ),
        );
      if (isChanged) await (unlessNamed === true ? unnamed : mine).execute();
      const thread = await find(account_id, thread_id);
      return thread && toThread(thread);
    },

    remove: (account_id, thread_id) =>
      db.transaction().execute(async (trx) => {
        // No search joins after its turns are read.
        if ((await lockThread(trx, account_id, thread_id)) === undefined) return undefined;
        const turns = await trx
          .selectFrom('thread_turns')
          .select('search_id')
          .where('thread_id', '=', thread_id)
          .execute();
        await trx.deleteFrom('threads').where('thread_id', '=', thread_id).execute();
        return turns.map(({ search_id }) => search_id);
      }),

    share: (account_id, thread_id, share, searches) =>
      db.transaction().execute(async (trx) => {
        if ((await lockThread(trx, account_id, thread_id)) === undefined) return 'unknown';
        const turns = new Set((await turnsOf(trx, thread_id)).map(({ search_id }) => search_id));
        if (searches.some((search_id) => !turns.has(search_id))) return 'changed';
        await trx.deleteFrom('thread_shares').where('thread_id', '=', thread_id).execute();
        const row = { thread_id, ...share, snapshots: JSON.stringify(share.snapshots) };
        await trx.insertInto('thread_shares').values(row).execute();
        return 'shared';
      }),

    unshare: (account_id, thread_id) =>
      db.transaction().execute(async (trx) => {
        if ((await lockThread(trx, account_id, thread_id)) === undefined) return false;
        await trx.deleteFrom('thread_shares').where('thread_id', '=', thread_id).execute();
        return true;
      }),

    async shared(hash, now) {
      const row = await db
        .selectFrom('thread_shares')
        .innerJoin('threads', 'threads.thread_id', 'thread_shares.thread_id')
        .innerJoin('accounts', 'accounts.id', 'threads.account_id')
        .select('thread_shares.content')
        .where('thread_shares.hash', '=', hash)
        .where('thread_shares.expires_at', '>', now)
        .where('accounts.status', '=', 'active')
        .executeTakeFirst();
      return row?.content;
    },

    async removeThreadsBefore(updated_at, now, limit) {
      const old = db
        .selectFrom('threads')
        .select('thread_id')
        .where('updated_at', '<', updated_at)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('thread_shares')
                .select('thread_shares.thread_id')
                .whereRef('thread_shares.thread_id', '=', 'threads.thread_id')
                .where('thread_shares.expires_at', '>', now),
            ),
          ),
        )
        .orderBy('updated_at');
      await db.deleteFrom('threads').where('thread_id', 'in', old.limit(limit)).execute();
      return (await old.limit(1).executeTakeFirst()) !== undefined;
    },
  };
}

/** Locks a thread until the transaction ends, as `lockAccount` does an account; undefined if the account has none with this id. */
async function lockThread(trx: Transaction<Tables>, account_id: string, thread_id: string) {
  return trx
    .updateTable('threads')
    .set((eb) => ({ turns: eb.ref('turns') }))
    .where('thread_id', '=', thread_id)
    .where('account_id', '=', account_id)
    .returning(['thread_id', 'is_named'])
    .executeTakeFirst();
}
