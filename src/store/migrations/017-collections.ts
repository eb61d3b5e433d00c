/** Collections of sources, and the collections that a key is restricted to. */
import type { Migration } from '../migrate.ts';

export const collections: Migration = {
  name: '017-collections',
  async up(trx, { text }) {
    await trx.schema
      .createTable('collections')
      .addColumn('id', text, (column) => column.primaryKey().notNull())
      .addColumn('account_id', text, (column) => column.notNull().references('accounts.id'))
      .addColumn('name', text, (column) => column.notNull())
      .addColumn('name_key', text, (column) => column.notNull())
      .addColumn('created_at', text, (column) => column.notNull())
      .addColumn('updated_at', text, (column) => column.notNull())
      .addUniqueConstraint('collections_of_account', ['account_id', 'name_key'])
      .execute();
    await trx.schema
      .createTable('collection_sources')
      .addColumn('collection_id', text, (column) => column.notNull().references('collections.id').onDelete('cascade'))
      .addColumn('source', text, (column) => column.notNull())
      .addPrimaryKeyConstraint('collection_sources_key', ['collection_id', 'source'])
      .execute();
    await trx.schema.createIndex('collections_by_source').on('collection_sources').columns(['source']).execute();
    await trx.schema
      .alterTable('keys')
      .addColumn('collections', text, (column) => column.notNull().defaultTo('[]'))
      .execute();
  },
};
