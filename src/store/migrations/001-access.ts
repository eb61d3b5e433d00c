/** Accounts, their keys, and the usage of each key per day. */
import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

export const access: Migration = {
  name: '001-access',
  async up(trx, { text }) {
    await trx.schema
      .createTable('accounts')
      .addColumn('id', text, (column) => column.primaryKey().notNull())
      .addColumn('name', text, (column) => column.notNull())
      .addColumn('plan', text, (column) => column.notNull().check(sql`plan in ('starter', 'pro')`))
      .addColumn('status', text, (column) => column.notNull().check(sql`status in ('active', 'suspended', 'banned')`))
      .addColumn('status_reason', text)
      .addColumn('created_at', text, (column) => column.notNull())
      .execute();
    await trx.schema
      .createTable('keys')
      .addColumn('id', text, (column) => column.primaryKey().notNull())
      .addColumn('account_id', text, (column) => column.notNull().references('accounts.id'))
      .addColumn('name', text, (column) => column.notNull())
      .addColumn('secret_hash', text, (column) => column.notNull().unique())
      .addColumn('scopes', text, (column) => column.notNull())
      .addColumn('created_at', text, (column) => column.notNull())
      .addColumn('last_used_at', text)
      .addColumn('revoked_at', text)
      .execute();
    await trx.schema.createIndex('keys_of_account').on('keys').column('account_id').execute();
    await trx.schema
      .createTable('usage_days')
      .addColumn('key_id', text, (column) => column.notNull().references('keys.id'))
      .addColumn('day', text, (column) => column.notNull())
      .addColumn('counter', text, (column) => column.notNull())
      .addColumn('amount', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('usage_days_key', ['key_id', 'day', 'counter'])
      .execute();
  },
};
