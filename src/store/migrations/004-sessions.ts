/** Sign-in links, browser sessions, and the usage of each key per minute. */
import type { Migration } from '../migrate.ts';

export const sessions: Migration = {
  name: '004-sessions',
  async up(trx, { text }) {
    await trx.schema
      .createTable('sign_in_links')
      .addColumn('id', text, (column) => column.primaryKey().notNull())
      .addColumn('account_id', text, (column) => column.notNull().references('accounts.id'))
      .addColumn('expires_at', text, (column) => column.notNull())
      .execute();
    await trx.schema
      .createTable('sessions')
      .addColumn('id', text, (column) => column.primaryKey().notNull())
      .addColumn('account_id', text, (column) => column.notNull().references('accounts.id'))
      .addColumn('created_at', text, (column) => column.notNull())
      .addColumn('expires_at', text, (column) => column.notNull())
      .execute();
    await trx.schema.createIndex('sessions_of_account').on('sessions').column('account_id').execute();
    await trx.schema
      .createTable('usage_minutes')
      .addColumn('minute', text, (column) => column.notNull())
      .addColumn('key_id', text, (column) => column.notNull().references('keys.id'))
      .addColumn('counter', text, (column) => column.notNull())
      .addColumn('amount', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('usage_minutes_key', ['minute', 'key_id', 'counter'])
      .execute();
  },
};
