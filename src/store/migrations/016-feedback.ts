/** Ratings of answers and citations. */
import type { Migration } from '../migrate.ts';

export const feedback: Migration = {
  name: '016-feedback',
  async up(trx, { text }) {
    await trx.schema
      .createTable('feedback')
      .addColumn('account_id', text, (column) => column.notNull().references('accounts.id'))
      .addColumn('search_id', text, (column) => column.notNull())
      .addColumn('citation_id', text, (column) => column.notNull())
      .addColumn('rated_at', text, (column) => column.notNull())
      .addColumn('content', text, (column) => column.notNull())
      .addPrimaryKeyConstraint('feedback_of_search', ['account_id', 'search_id', 'citation_id'])
      .execute();
    await trx.schema
      .createIndex('feedback_of_account')
      .on('feedback')
      .columns(['account_id', 'rated_at', 'search_id', 'citation_id'])
      .execute();
    await trx.schema.createIndex('feedback_by_search').on('feedback').columns(['search_id']).execute();
  },
};
