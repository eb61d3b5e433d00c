/** The span of the search that a webhook is about: its tries belong to the same trace. */
import type { Migration } from '../migrate.ts';

export const traces: Migration = {
  name: '015-traces',
  async up(trx, { text }) {
    await trx.schema.alterTable('webhook_deliveries').addColumn('traceparent', text).execute();
  },
};
