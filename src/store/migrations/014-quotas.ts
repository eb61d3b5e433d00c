/** What accounts have used of their quotas. */
import type { Migration } from '../migrate.ts';

export const quotas: Migration = {
  name: '014-quotas',
  async up(trx, { text }) {
    await trx.schema
      .createTable('quota_counts')
      .addColumn('account_id', text, (column) => column.notNull().references('accounts.id'))
      .addColumn('counter', text, (column) => column.notNull())
      .addColumn('period', text, (column) => column.notNull())
      .addColumn('amount', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('quota_counts_key', ['account_id', 'counter', 'period'])
      .execute();
  },
};
