/** An index for removing old searches, the oldest first. */
import type { Migration } from '../migrate.ts';

export const retention: Migration = {
  name: '005-retention',
  async up(trx) {
    await trx.schema.createIndex('runs_by_end').on('runs').column('ended_at').execute();
  },
};
