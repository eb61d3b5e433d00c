/** Removes refused calls that show what was sent, which may be a secret: earlier versions kept that. */
import type { Migration } from '../migrate.ts';

export const redactedRefusals: Migration = {
  name: '029-redacted-refusals',
  async up(trx) {
    await trx
      .deleteFrom('refusals')
      .where(({ eb, or }) => or(['% got %', '%cw_%', '%whsec%'].map((text) => eb('content', 'like', text))))
      .execute();
  },
};
