/**
 * The versions of published APIs that their accounts no longer offer. In a table of their own, because versions never
 * change: a row that is deleted again leaves no trace on its version.
 */
import type { Migration } from '../migrate.ts';

export const retiredVersions: Migration = {
  name: '022-retired-versions',
  async up(trx, { text }) {
    await trx.schema
      .createTable('retired_versions')
      .addColumn('api_stub', text, (column) => column.notNull())
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('retired_at', text, (column) => column.notNull())
      .addPrimaryKeyConstraint('retired_versions_key', ['api_stub', 'version'])
      .addForeignKeyConstraint('retired_versions_of', ['api_stub', 'version'], 'api_versions', ['api_stub', 'version'])
      .execute();
  },
};
