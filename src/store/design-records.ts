/** `DesignRecords` in SQL, with the same queries for every database. Triggers on the tables keep versions immutable. */
import type { ExpressionBuilder, Kysely } from 'kysely';
import type { DesignRecords, Draft } from '../designs/design-records.ts';
import { containing } from './containing.ts';
import { type LargeColumn, readPage } from './keyset-page.ts';
import { lockAccount } from './row-locks.ts';
import type { Tables } from './tables/tables.ts';

/** One of the largest designs, or hundreds of ordinary ones; set by hand. */
const maxBytes = 1024 * 1024;
const content: LargeColumn = { name: 'content', maxBytes };
const shown: LargeColumn = { name: 'interface', maxBytes };

/** Over the tables `designs`, `api_versions` and `retired_versions`. */
export function createDesignRecords(db: Kysely<Tables>): DesignRecords {
  const listed = (account_id: string) =>
    db
      .selectFrom('designs')
      .select(['api_id', 'account_id', 'api_stub', 'summary', 'revision', 'created_at', 'updated_at'])
      .select((eb) =>
        eb
          .selectFrom('api_versions')
          .select((of) => of.fn.max('version').as('newest'))
          .whereRef('api_versions.api_stub', '=', 'designs.api_stub')
          .whereRef('api_versions.account_id', '=', 'designs.account_id')
          .as('published_version'),
      )
      .where('account_id', '=', account_id);
  const drafts = (account_id: string) => listed(account_id).select('design as content');
  const ofAll = db
    .selectFrom('api_versions')
    .innerJoin('accounts', 'accounts.id', 'api_versions.account_id')
    .select([
      'api_stub',
      'version',
      'api_id',
      'account_id',
      'content_hash',
      'summary',
      'published_at',
      'accounts.name as owner',
    ])
    .select((eb) => retiredAt(eb).as('retired_at'));
  /** Those of suspended and banned accounts are neither shown nor run. */
  const published = ofAll.where('accounts.status', '=', 'active');
  const versions = published.select('content');
  const shownVersions = published.select(['interface', 'example', 'changes']);
  /** The newest version, offered or retired, of any account: the next one is numbered after it. */
  const latest = (api_stub: string) =>
    ofAll.select('content').where('api_stub', '=', api_stub).orderBy('version', 'desc').limit(1).executeTakeFirst();

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

    get: (account_id, api_id) => drafts(account_id).where('api_id', '=', api_id).executeTakeFirst(),

    byStub: (account_id, api_stub) => drafts(account_id).where('api_stub', '=', api_stub).executeTakeFirst(),

    listed: (account_id, api_id) => listed(account_id).where('api_id', '=', api_id).executeTakeFirst(),

    async list(account_id, page) {
      const { rows, more } = await readPage(listed(account_id), { created_at: 'string', api_id: 'string' }, page);
      return { items: rows, ...more };
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
        const holder = await listed(draft.account_id).where('api_stub', '=', draft.api_stub).executeTakeFirst();
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

    async publish(version, changesSince) {
      for (;;) {
        const before = await latest(version.api_stub);
        if (before !== undefined && before.account_id !== version.account_id) return undefined;
        const next = (before?.version ?? 0) + 1;
        const { numInsertedOrUpdatedRows } = await db
          .insertInto('api_versions')
          .values({ ...version, changes: await changesSince(before), version: next })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirstOrThrow();
        // Nothing was inserted: a concurrent publish took this number.
        if (numInsertedOrUpdatedRows) return next;
      }
    },

    async holderOf(api_stub) {
      // All versions of a stub are of one account, so any of them will do.
      const row = await db
        .selectFrom('api_versions')
        .select('account_id')
        .where('api_stub', '=', api_stub)
        .limit(1)
        .executeTakeFirst();
      return row?.account_id;
    },

    async countStubs(account_id) {
      const { count } = await db
        .selectFrom('api_versions')
        .select((eb) => eb.fn.count('api_stub').distinct().as('count'))
        .where('account_id', '=', account_id)
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    version: (api_stub, version) =>
      versions.where('api_stub', '=', api_stub).where('version', '=', version).executeTakeFirst(),

    newest: (api_stub) =>
      versions
        .where('api_stub', '=', api_stub)
        .where((eb) => retiredAt(eb), 'is', null)
        .orderBy('version', 'desc')
        .limit(1)
        .executeTakeFirst(),

    async shown(api_stub) {
      const ofStub = shownVersions.where('api_stub', '=', api_stub).orderBy('version', 'desc').limit(1);
      const offered = await ofStub.where((eb) => retiredAt(eb), 'is', null).executeTakeFirst();
      return offered ?? ofStub.executeTakeFirst();
    },

    retire: (account_id, api_stub, version, retired_at) =>
      db.transaction().execute(async (trx) => {
        const own = await trx
          .selectFrom('api_versions')
          .select('version')
          .where('api_stub', '=', api_stub)
          .where('version', '=', version)
          .where('account_id', '=', account_id)
          .executeTakeFirst();
        if (own === undefined) return undefined;
        const row = { api_stub, version };
        if (retired_at === null) {
          await trx
            .deleteFrom('retired_versions')
            .where((eb) => eb.and(row))
            .execute();
          return { retired_at };
        }
        await trx
          .insertInto('retired_versions')
          .values({ ...row, retired_at })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        return trx
          .selectFrom('retired_versions')
          .select('retired_at')
          .where((eb) => eb.and(row))
          .executeTakeFirstOrThrow();
      }),

    async versions(api_stub, page) {
      const ofStub = shownVersions.where('api_stub', '=', api_stub);
      const { rows, more } = await readPage(ofStub, { version: 'number' }, page, shown);
      return { items: rows, ...more };
    },

    async versionsOf(account_id, api_id, page) {
      const own = versions.where('account_id', '=', account_id).where('api_id', '=', api_id);
      const keys = { published_at: 'string', api_stub: 'string', version: 'number' } as const;
      const { rows, more } = await readPage(own, keys, page, content);
      return { items: rows, ...more };
    },

    async browse(words, page) {
      let found = published.where('version', '=', (eb) =>
        eb
          .selectFrom('api_versions as other')
          .select((of) => of.fn.max('other.version').as('newest'))
          .whereRef('other.api_stub', '=', 'api_versions.api_stub')
          .where((of) =>
            of.not(
              of.exists(
                of
                  .selectFrom('retired_versions')
                  .select('retired_versions.version')
                  .whereRef('retired_versions.api_stub', '=', 'other.api_stub')
                  .whereRef('retired_versions.version', '=', 'other.version'),
              ),
            ),
          ),
      );
      for (const word of words) found = found.where(containing('words', word));
      const { rows, more } = await readPage(found, { published_at: 'string', api_stub: 'string' }, page);
      return { items: rows, ...more };
    },
  };
}

/** When the version in a row of `api_versions` was retired. */
function retiredAt(eb: ExpressionBuilder<Tables, 'api_versions'>) {
  return eb
    .selectFrom('retired_versions')
    .select('retired_versions.retired_at')
    .whereRef('retired_versions.api_stub', '=', 'api_versions.api_stub')
    .whereRef('retired_versions.version', '=', 'api_versions.version');
}

function toRow({ content, ...draft }: Draft): Tables['designs'] {
  return { ...draft, design: content };
}
