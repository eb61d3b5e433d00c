/** The last search of each chat, which clients of other protocols name instead of a search. */
import type { Migration } from '../migrate.ts';

export const chats: Migration = {
  name: '009-chats',
  async up(trx, { text }) {
    await trx.schema
      .createTable('chats')
      .addColumn('account_id', text, (column) => column.notNull().references('accounts.id'))
      .addColumn('chat_id', text, (column) => column.notNull())
      .addColumn('search_id', text, (column) => column.notNull())
      .addColumn('updated_at', text, (column) => column.notNull())
      .addPrimaryKeyConstraint('chats_key', ['account_id', 'chat_id'])
      .execute();
    await trx.schema.createIndex('chats_by_update').on('chats').column('updated_at').execute();
  },
};
