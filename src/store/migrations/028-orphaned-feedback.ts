/** Removes ratings of searches that were removed: earlier versions left them when two servers removed searches together. */
import type { Migration } from '../migrate.ts';

export const orphanedFeedback: Migration = {
  name: '028-orphaned-feedback',
  async up(trx) {
    await trx
      .deleteFrom('feedback')
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('runs')
              .select('runs.search_id')
              .whereRef('runs.search_id', '=', 'feedback.search_id')
              .whereRef('runs.account_id', '=', 'feedback.account_id')
              .where('runs.state', '<>', 'removed'),
          ),
        ),
      )
      .execute();
  },
};
