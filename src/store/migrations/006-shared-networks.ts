/** Which accounts called from one network in the same minute; access/usage/shared-networks.ts says what is not stored. */
import type { Migration } from '../migrate.ts';

export const sharedNetworks: Migration = {
  name: '006-shared-networks',
  async up(trx, { text }) {
    await trx.schema
      .createTable('network_secrets')
      .addColumn('day', text, (column) => column.primaryKey().notNull())
      .addColumn('secret', text, (column) => column.notNull())
      .execute();
    await trx.schema
      .createTable('shared_minutes')
      .addColumn('minute', text, (column) => column.notNull())
      .addColumn('mark', text, (column) => column.notNull())
      .addColumn('account_id', text, (column) => column.notNull().references('accounts.id'))
      .addColumn('calls', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('shared_minutes_key', ['minute', 'mark', 'account_id'])
      .execute();
  },
};
