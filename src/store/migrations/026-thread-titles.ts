/**
 * The titles of threads as they are searched. Databases lower only ASCII letters, so they are lowered before they are
 * stored.
 */
import type { Migration } from '../migrate.ts';

/** Threads that are changed before others are read; set by hand. */
const batch = 1_000;

export const threadTitles: Migration = {
  name: '026-thread-titles',
  async up(trx, { text }) {
    await trx.schema
      .alterTable('threads')
      .addColumn('title_words', text, (column) => column.notNull().defaultTo(''))
      .execute();
    let last = '';
    for (;;) {
      const rows = await trx
        .selectFrom('threads')
        .select(['thread_id', 'title'])
        .where('thread_id', '>', last)
        .orderBy('thread_id')
        .limit(batch)
        .execute();
      for (const { thread_id, title } of rows) {
        const title_words = title.toLowerCase();
        await trx.updateTable('threads').set({ title_words }).where('thread_id', '=', thread_id).execute();
      }
      if (rows.length < batch) return;
      last = rows.at(-1)!.thread_id;
    }
  },
};
