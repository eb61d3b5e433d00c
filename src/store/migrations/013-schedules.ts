/** Schedules of runs. */
import type { Migration } from '../migrate.ts';

export const schedules: Migration = {
  name: '013-schedules',
  async up(trx, { text }) {
    await trx.schema
      .createTable('schedules')
      .addColumn('id', text, (column) => column.primaryKey().notNull())
      .addColumn('account_id', text, (column) => column.notNull().references('accounts.id'))
      .addColumn('key_id', text, (column) => column.notNull())
      .addColumn('name', text, (column) => column.notNull())
      .addColumn('api_stub', text, (column) => column.notNull())
      .addColumn('version', text)
      .addColumn('cron', text, (column) => column.notNull())
      .addColumn('time_zone', text, (column) => column.notNull())
      .addColumn('webhook', text)
      .addColumn('created_at', text, (column) => column.notNull())
      .addColumn('next_at', text)
      .addColumn('disabled_at', text)
      .addColumn('disabled_reason', text)
      .addColumn('last_at', text)
      .addColumn('last_search_id', text)
      .addColumn('last_error', text)
      .addColumn('owner', text)
      .addColumn('lease_until', text)
      .addColumn('inputs', text, (column) => column.notNull())
      .execute();
    await trx.schema.createIndex('schedules_due').on('schedules').columns(['next_at']).execute();
    await trx.schema
      .createIndex('schedules_of_account')
      .on('schedules')
      .columns(['account_id', 'created_at'])
      .execute();
  },
};
