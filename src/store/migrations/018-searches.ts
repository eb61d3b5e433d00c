/** What the list of searches is filtered by. Searches of earlier versions have none of it. */
import type { Migration } from '../migrate.ts';

export const searches: Migration = {
  name: '018-searches',
  async up(trx, { text }) {
    for (const column of ['key_id', 'channel', 'status', 'error_code', 'words']) {
      await trx.schema.alterTable('runs').addColumn(column, text).execute();
    }
  },
};
