/** What the protocol of a search repeats of its request, such as the metadata of a response. Searches of earlier versions have none. */
import type { Migration } from '../migrate.ts';

export const echoed: Migration = {
  name: '027-echoed',
  async up(trx, { text }) {
    for (const table of ['runs', 'background_runs']) {
      await trx.schema.alterTable(table).addColumn('echoed', text).execute();
    }
  },
};
