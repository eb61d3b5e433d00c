/** Invitations: links that create one account each. */
import type { Migration } from '../migrate.ts';

export const invitations: Migration = {
  name: '023-invitations',
  async up(trx, { text }) {
    await trx.schema
      .createTable('invitations')
      .addColumn('id', text, (column) => column.primaryKey().notNull())
      .addColumn('name', text, (column) => column.notNull())
      .addColumn('plan', text, (column) => column.notNull())
      .addColumn('created_at', text, (column) => column.notNull())
      .addColumn('expires_at', text, (column) => column.notNull())
      .addColumn('accepted_at', text)
      .addColumn('account_id', text)
      .execute();
  },
};
