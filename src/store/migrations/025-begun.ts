/** Whether a background run has begun at its owner. Servers of earlier versions began what they claimed without waiting. */
import type { Migration } from '../migrate.ts';

export const begun: Migration = {
  name: '025-begun',
  async up(trx) {
    await trx.schema
      .alterTable('background_runs')
      .addColumn('has_begun', 'integer', (column) => column.notNull().defaultTo(1))
      .execute();
  },
};
