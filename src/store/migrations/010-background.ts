/** Background runs that have not ended, and how many times those that have were begun. */
import type { Migration } from '../migrate.ts';

export const background: Migration = {
  name: '010-background',
  async up(trx, { text }) {
    await trx.schema
      .createTable('background_runs')
      .addColumn('search_id', text, (column) => column.primaryKey().notNull())
      .addColumn('account_id', text, (column) => column.notNull().references('accounts.id'))
      .addColumn('created_at', text, (column) => column.notNull())
      .addColumn('mode', text, (column) => column.notNull())
      .addColumn('door', text, (column) => column.notNull())
      .addColumn('idempotency_key', text)
      .addColumn('idempotency_hash', text)
      .addColumn('attempt', 'integer', (column) => column.notNull())
      .addColumn('deaths', 'integer', (column) => column.notNull())
      .addColumn('owner', text)
      .addColumn('lease_until', text, (column) => column.notNull())
      .addColumn('is_cancelled', 'integer', (column) => column.notNull())
      .addColumn('progress', text)
      .addColumn('prompts', text, (column) => column.notNull())
      // SQLite reads a row up to the last column that a query needs.
      .addColumn('input', text, (column) => column.notNull())
      .execute();
    const index = (name: string, columns: string[]) =>
      trx.schema.createIndex(name).on('background_runs').columns(columns).execute();
    await index('background_runs_of_account', ['account_id', 'created_at', 'search_id']);
    await index('background_runs_by_lease', ['lease_until']);
    await trx.schema.alterTable('runs').addColumn('attempt', 'integer').execute();
  },
};
