/** The log of refused calls. */
import type { Migration } from '../migrate.ts';

export const refusals: Migration = {
  name: '019-refusals',
  async up(trx, { text }) {
    await trx.schema
      .createTable('refusals')
      .addColumn('id', text, (column) => column.primaryKey().notNull())
      .addColumn('account_id', text, (column) => column.notNull().references('accounts.id'))
      .addColumn('at', text, (column) => column.notNull())
      .addColumn('key_id', text, (column) => column.notNull())
      .addColumn('content', text, (column) => column.notNull())
      .execute();
    await trx.schema.createIndex('refusals_of_account').on('refusals').columns(['account_id', 'at', 'id']).execute();
  },
};
