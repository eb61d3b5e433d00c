/** The steps of searches, as long as their records. Those of earlier versions have none. */
import type { Migration } from '../migrate.ts';

export const steps: Migration = {
  name: '024-steps',
  async up(trx, { text }) {
    await trx.schema.alterTable('runs').addColumn('steps', text).execute();
  },
};
