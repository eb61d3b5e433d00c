/** `FeedbackRecords` in SQL. */
import type { Kysely } from 'kysely';
import type { Feedback } from '../../protocol/index.ts';
import type { FeedbackRecords } from '../runs/records/feedback-records.ts';
import { readPage } from './keyset-page.ts';
import { marked } from './marked.ts';
import { lockRun } from './row-locks.ts';
import type { Tables } from './tables/tables.ts';

/** Bytes of a page of ratings, whose answers may be long; set by hand. */
const maxPageBytes = 1024 * 1024;

/** Over the table `feedback`, in which the rating of an answer has the empty citation. */
export function createFeedbackRecords(db: Kysely<Tables>): FeedbackRecords {
  return {
    async put(account_id, feedback) {
      const { search_id, citation_id = '', rated_at } = feedback;
      const change = { rated_at, content: JSON.stringify(feedback) };
      return db.transaction().execute(async (trx) => {
        if (!(await lockRun(trx, account_id, search_id))) return false;
        await trx
          .insertInto('feedback')
          .values({ account_id, search_id, citation_id, ...change })
          .onConflict((conflict) => conflict.columns(['account_id', 'search_id', 'citation_id']).doUpdateSet(change))
          .execute();
        return true;
      });
    },

    async remove(account_id, search_id, citation_id = '') {
      await db
        .deleteFrom('feedback')
        .where('account_id', '=', account_id)
        .where('search_id', '=', search_id)
        .where('citation_id', '=', citation_id)
        .execute();
    },

    async list(account_id, { search_id, mark, ...page }) {
      const every = db.selectFrom('feedback').selectAll().where('account_id', '=', account_id);
      const all = mark === undefined ? every : every.where(marked('search_id', mark));
      const mine = search_id === undefined ? all : all.where('search_id', '=', search_id);
      const keys = { rated_at: 'string', search_id: 'string', citation_id: 'string' } as const;
      const { rows, more } = await readPage(mine, keys, page, { name: 'content', maxBytes: maxPageBytes });
      return { items: rows.map(({ content }) => JSON.parse(content) as Feedback), ...more };
    },
  };
}
