/** The protocol through which each search came. */
import type { ColumnDefinitionBuilder } from 'kysely';
import type { Migration } from '../migrate.ts';

export const doors: Migration = {
  name: '008-doors',
  async up(trx) {
    const notNull = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo('native');
    await trx.schema.alterTable('runs').addColumn('door', 'text', notNull).execute();
  },
};
