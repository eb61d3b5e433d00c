/** Ended searches. */
import type { Migration } from '../migrate.ts';

export const runs: Migration = {
  name: '002-runs',
  async up(trx, { text }) {
    await trx.schema
      .createTable('runs')
      .addColumn('search_id', text, (column) => column.primaryKey().notNull())
      .addColumn('account_id', text, (column) => column.notNull().references('accounts.id'))
      .addColumn('created_at', text, (column) => column.notNull())
      .addColumn('ended_at', text, (column) => column.notNull())
      .addColumn('state', text, (column) => column.notNull())
      .addColumn('mode', text, (column) => column.notNull())
      .addColumn('engine', text, (column) => column.notNull())
      .addColumn('prompts', text, (column) => column.notNull())
      .addColumn('terminal', text, (column) => column.notNull())
      .addColumn('idempotency_key', text)
      .addColumn('idempotency_hash', text)
      .execute();
    const index = (name: string, columns: string[]) =>
      trx.schema.createIndex(name).on('runs').columns(columns).execute();
    await index('runs_of_account', ['account_id', 'ended_at', 'search_id']);
    await index('runs_by_idempotency_key', ['account_id', 'idempotency_key']);
  },
};
