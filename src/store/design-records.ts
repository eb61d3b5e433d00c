/** `DesignRecords` in SQL, with the same queries for every database. Triggers on the tables keep versions immutable. */
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Design } from '../../protocol/index.ts';
import type { DesignRecords, Draft, KeptDraft } from '../designs/design-records.ts';
import { type LargeColumn, readPage } from './keyset-page.ts';
import { lockAccount } from './row-locks.ts';
import type { Tables } from './tables.ts';

/** One of the largest designs, or hundreds of ordinary ones; set by hand. */
const maxBytes = 1024 * 1024;
const design: LargeColumn = { name: 'design', maxBytes };
const content: LargeColumn = { name: 'content', maxBytes };

/** Over the tables `designs` and `api_versions`. */
export function createDesignRecords(db: Kysely<Tables>): DesignRecords {
  const drafts = (account_id: string) =>
    db
      .selectFrom('designs')
      .selectAll()
      .select((eb) =>
        eb
          .selectFrom('api_versions')
          .select((of) => of.fn.max('version').as('newest'))
          .whereRef('api_versions.api_stub', '=', 'designs.api_stub')
          .whereRef('api_versions.account_id', '=', 'designs.account_id')
          .as('published_version'),
      )
      .where('account_id', '=', account_id);
  const versions = db
    .selectFrom('api_versions')
    .innerJoin('accounts', 'accounts.id', 'api_versions.account_id')
    .select([
      'api_stub',
      'version',
      'api_id',
      'account_id',
      'content',
      'content_hash',
      'published_at',
      'accounts.name as owner',
    ]);

  return {
    add: (draft, max) =>
      db.transaction().execute(async (trx) => {
        await lockAccount(trx, draft.account_id);
        const { count } = await trx
          .selectFrom('designs')
          .select((eb) => eb.fn.countAll().as('count'))
          .where('account_id', '=', draft.account_id)
          .executeTakeFirstOrThrow();
        if (Number(count) >= max) return 'full';
        const { numInsertedOrUpdatedRows } = await trx
          .insertInto('designs')
          .values(toRow(draft))
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirstOrThrow();
        return numInsertedOrUpdatedRows ? 'added' : 'stub_taken';
      }),

    async get(account_id, api_id) {
      const row = await drafts(account_id).where('api_id', '=', api_id).executeTakeFirst();
      return row && toDraft(row);
    },

    async byStub(account_id, api_stub) {
      const row = await drafts(account_id).where('api_stub', '=', api_stub).executeTakeFirst();
      return row && toDraft(row);
    },

    async list(account_id, page) {
      const { rows, more } = await readPage(
        drafts(account_id),
        { created_at: 'string', api_id: 'string' },
        page,
        design,
      );
      return { items: rows.map(toDraft), ...more };
    },

    async change(draft) {
      try {
        const { numUpdatedRows } = await db
          .updateTable('designs')
          .set(toRow(draft))
          .where('api_id', '=', draft.api_id)
          .where('account_id', '=', draft.account_id)
          .where('revision', '=', draft.revision - 1)
          .executeTakeFirstOrThrow();
        return numUpdatedRows > 0 ? 'changed' : 'stale';
      } catch (error) {
        // The error for a taken stub differs between databases; a query for the stub does not.
        const holder = await this.byStub(draft.account_id, draft.design.api_stub);
        if (holder === undefined || holder.api_id === draft.api_id) throw error;
        return 'stub_taken';
      }
    },

    async remove(account_id, api_id) {
      const { numDeletedRows } = await db
        .deleteFrom('designs')
        .where('account_id', '=', account_id)
        .where('api_id', '=', api_id)
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0;
    },

    async publish(version) {
      for (;;) {
        const before = await db
          .selectFrom('api_versions')
          .select(['version', 'account_id'])
          .where('api_stub', '=', version.api_stub)
          .orderBy('version', 'desc')
          .limit(1)
          .executeTakeFirst();
        if (before !== undefined && before.account_id !== version.account_id) return undefined;
        const next = (before?.version ?? 0) + 1;
        const { numInsertedOrUpdatedRows } = await db
          .insertInto('api_versions')
          .values({ ...version, version: next })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirstOrThrow();
        // Nothing was inserted: a concurrent publish took this number.
        if (numInsertedOrUpdatedRows) return next;
      }
    },

    version: (api_stub, version) =>
      versions.where('api_stub', '=', api_stub).where('version', '=', version).executeTakeFirst(),

    newest: (api_stub) =>
      versions.where('api_stub', '=', api_stub).orderBy('version', 'desc').limit(1).executeTakeFirst(),

    async versions(api_stub, page) {
      const { rows, more } = await readPage(
        versions.where('api_stub', '=', api_stub),
        { version: 'number' },
        page,
        content,
      );
      return { items: rows, ...more };
    },

    async versionsOf(account_id, api_id, page) {
      const own = versions.where('account_id', '=', account_id).where('api_id', '=', api_id);
      const keys = { published_at: 'string', api_stub: 'string', version: 'number' } as const;
      const { rows, more } = await readPage(own, keys, page, content);
      return { items: rows, ...more };
    },

    async browse(words, page) {
      let newest = versions.where('version', '=', (eb) =>
        eb
          .selectFrom('api_versions as other')
          .select((of) => of.fn.max('other.version').as('newest'))
          .whereRef('other.api_stub', '=', 'api_versions.api_stub'),
      );
      for (const word of words) newest = newest.where(sql<boolean>`words like ${`%${escaped(word)}%`} escape '\\'`);
      const { rows, more } = await readPage(newest, { published_at: 'string', api_stub: 'string' }, page, content);
      return { items: rows, ...more };
    },
  };
}

function escaped(word: string): string {
  return word.replace(/[\\%_]/g, '\\$&');
}

function toRow({ design, ...draft }: Draft): Tables['designs'] {
  return { ...draft, api_stub: design.api_stub, design: JSON.stringify(design) };
}

type Kept = Selectable<Tables['designs']> & Pick<KeptDraft, 'published_version'>;

function toDraft({ design, api_stub: _, ...row }: Kept): KeptDraft {
  return { ...row, design: JSON.parse(design) as Design };
}
