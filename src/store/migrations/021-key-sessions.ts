/** Browser sessions that began with a key: they may do what the key may, and end with it. */
import type { Migration } from '../migrate.ts';

export const keySessions: Migration = {
  name: '021-key-sessions',
  async up(trx, { text }) {
    await trx.schema.alterTable('sessions').addColumn('key_id', text).execute();
  },
};
