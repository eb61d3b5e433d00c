/** Threads, their turns, and what their share links show. */
import type { Migration } from '../migrate.ts';

export const threads: Migration = {
  name: '011-threads',
  async up(trx, { text }) {
    await trx.schema
      .createTable('threads')
      .addColumn('thread_id', text, (column) => column.primaryKey().notNull())
      .addColumn('account_id', text, (column) => column.notNull().references('accounts.id'))
      .addColumn('title', text, (column) => column.notNull())
      .addColumn('is_named', 'integer', (column) => column.notNull())
      .addColumn('is_pinned', 'integer', (column) => column.notNull())
      .addColumn('turns', 'integer', (column) => column.notNull())
      .addColumn('created_at', text, (column) => column.notNull())
      .addColumn('updated_at', text, (column) => column.notNull())
      .addColumn('words', text, (column) => column.notNull())
      .execute();
    await trx.schema
      .createTable('thread_turns')
      .addColumn('search_id', text, (column) => column.primaryKey().notNull())
      .addColumn('thread_id', text, (column) => column.notNull().references('threads.thread_id').onDelete('cascade'))
      .addColumn('account_id', text, (column) => column.notNull())
      .addColumn('previous_search_id', text)
      .addColumn('created_at', text, (column) => column.notNull())
      .addColumn('has_image', 'integer', (column) => column.notNull())
      .addColumn('request', text, (column) => column.notNull())
      .execute();
    await trx.schema
      .createTable('thread_shares')
      .addColumn('thread_id', text, (column) =>
        column.primaryKey().notNull().references('threads.thread_id').onDelete('cascade'),
      )
      .addColumn('hash', text, (column) => column.notNull().unique())
      .addColumn('created_at', text, (column) => column.notNull())
      .addColumn('expires_at', text, (column) => column.notNull())
      .addColumn('snapshots', text, (column) => column.notNull())
      .addColumn('content', text, (column) => column.notNull())
      .execute();
    const index = (name: string, table: string, columns: string[]) =>
      trx.schema.createIndex(name).on(table).columns(columns).execute();
    await index('threads_of_account', 'threads', ['account_id', 'is_pinned', 'updated_at', 'thread_id']);
    await index('threads_by_update', 'threads', ['updated_at']);
    await index('turns_of_thread', 'thread_turns', ['thread_id', 'created_at']);
  },
};
