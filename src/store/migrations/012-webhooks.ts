/** Endpoints of webhooks, the outbox, and the log of tries. */
import type { Migration } from '../migrate.ts';

export const webhooks: Migration = {
  name: '012-webhooks',
  async up(trx, { text }) {
    await trx.schema
      .createTable('webhook_endpoints')
      .addColumn('id', text, (column) => column.primaryKey().notNull())
      .addColumn('account_id', text, (column) => column.notNull().references('accounts.id'))
      .addColumn('url', text, (column) => column.notNull())
      .addColumn('name', text, (column) => column.notNull())
      .addColumn('events', text, (column) => column.notNull())
      .addColumn('secret', text, (column) => column.notNull())
      .addColumn('old_secret', text)
      .addColumn('old_until', text)
      .addColumn('created_at', text, (column) => column.notNull())
      .addColumn('disabled_at', text)
      .addColumn('disabled_reason', text)
      .addColumn('dropped', 'integer', (column) => column.notNull())
      .execute();
    await trx.schema
      .createTable('webhook_deliveries')
      .addColumn('id', text, (column) => column.primaryKey().notNull())
      .addColumn('account_id', text, (column) => column.notNull().references('accounts.id'))
      .addColumn('endpoint_id', text)
      .addColumn('url', text, (column) => column.notNull())
      .addColumn('target', text, (column) => column.notNull())
      .addColumn('secret', text)
      .addColumn('search_id', text)
      .addColumn('type', text, (column) => column.notNull())
      .addColumn('subject', text, (column) => column.notNull())
      .addColumn('occurred_at', text, (column) => column.notNull())
      .addColumn('created_at', text, (column) => column.notNull())
      .addColumn('state', text, (column) => column.notNull())
      .addColumn('tries', 'integer', (column) => column.notNull())
      .addColumn('round', 'integer', (column) => column.notNull())
      .addColumn('next_at', text)
      .addColumn('owner', text)
      .addColumn('last_status', 'integer')
      .addColumn('last_error', text)
      .execute();
    await trx.schema
      .createTable('webhook_tries')
      .addColumn('delivery_id', text, (column) => column.notNull())
      .addColumn('n', 'integer', (column) => column.notNull())
      .addColumn('at', text, (column) => column.notNull())
      .addColumn('status', 'integer')
      .addColumn('error', text)
      .addColumn('duration_ms', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('webhook_tries_key', ['delivery_id', 'n'])
      .execute();
    const index = (name: string, table: string, columns: string[]) =>
      trx.schema.createIndex(name).on(table).columns(columns).execute();
    await index('webhook_endpoints_of_account', 'webhook_endpoints', ['account_id', 'created_at']);
    await index('webhook_deliveries_due', 'webhook_deliveries', ['state', 'next_at']);
    await index('webhook_deliveries_of_account', 'webhook_deliveries', ['account_id', 'created_at', 'id']);
    await index('webhook_deliveries_waiting', 'webhook_deliveries', ['account_id', 'state']);
    await index('webhook_deliveries_of_endpoint', 'webhook_deliveries', ['endpoint_id', 'created_at', 'id']);
    await index('webhook_deliveries_by_age', 'webhook_deliveries', ['created_at']);
  },
};
