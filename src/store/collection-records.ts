/** `CollectionRecords` in SQL. */
import type { Kysely, Selectable, Transaction } from 'kysely';
import { collectionKey } from '../base/source-names.ts';
import type { CollectionRecords, StoredCollection } from '../sources/collection-records.ts';
import { lockAccount } from './row-locks.ts';
import type { Tables } from './tables/tables.ts';

/** Rows that one statement inserts: SQLite takes 32,766 values. */
const maxRows = 1_000;

/** Over the tables `collections` and `collection_sources`. An account's changes are made one after another. */
export function createCollectionRecords(db: Kysely<Tables>): CollectionRecords {
  return {
    list: (account_id) => read(db, account_id),

    add: (collection, max) =>
      db.transaction().execute(async (trx) => {
        const { sources, ...row } = collection;
        await lockAccount(trx, row.account_id);
        const names = await trx
          .selectFrom('collections')
          .select('name_key')
          .where('account_id', '=', row.account_id)
          .execute();
        const name_key = collectionKey(row.name);
        if (names.some((other) => other.name_key === name_key)) return 'name_taken';
        if (names.length >= max) return 'too_many';
        await trx
          .insertInto('collections')
          .values({ ...row, name_key })
          .execute();
        await insert(trx, row.id, sources);
        return 'added';
      }),

    change: (account_id, id, { name, add = [], remove = [], sources, updated_at }, maxSources) =>
      db.transaction().execute(async (trx) => {
        await lockAccount(trx, account_id);
        const all = await read(trx, account_id);
        const before = all.find((each) => each.id === id);
        if (before === undefined) return 'unknown';
        const name_key = name === undefined ? undefined : collectionKey(name);
        if (all.some((each) => each.id !== id && collectionKey(each.name) === name_key)) return 'name_taken';
        const kept = new Set(sources ?? before.sources);
        for (const source of remove) kept.delete(source);
        for (const source of add) kept.add(source);
        if (kept.size > maxSources) return 'too_many_sources';
        const named = name === undefined ? {} : { name, name_key: name_key! };
        await trx
          .updateTable('collections')
          .set({ ...named, updated_at })
          .where('id', '=', id)
          .execute();
        await trx.deleteFrom('collection_sources').where('collection_id', '=', id).execute();
        await insert(trx, id, [...kept]);
        return { ...before, ...(name === undefined ? {} : { name }), updated_at, sources: [...kept].sort() };
      }),

    async remove(account_id, id) {
      const { numDeletedRows } = await db
        .deleteFrom('collections')
        .where('id', '=', id)
        .where('account_id', '=', account_id)
        .executeTakeFirst();
      return numDeletedRows === 1n;
    },

    async forgetSource(source) {
      await db.deleteFrom('collection_sources').where('source', '=', source).execute();
    },
  };
}

async function read(db: Kysely<Tables>, account_id: string): Promise<StoredCollection[]> {
  const rows = await db
    .selectFrom('collections')
    .leftJoin('collection_sources', 'collection_sources.collection_id', 'collections.id')
    .selectAll('collections')
    .select('collection_sources.source')
    .where('account_id', '=', account_id)
    .orderBy('name_key')
    .orderBy('source')
    .execute();
  const found = new Map<string, Selectable<Tables['collections']> & { readonly sources: string[] }>();
  for (const { source, ...row } of rows) {
    const known = found.get(row.id) ?? { ...row, sources: [] };
    if (source !== null) known.sources.push(source);
    found.set(row.id, known);
  }
  return [...found.values()].map(({ name_key: _, ...collection }) => collection);
}

async function insert(trx: Transaction<Tables>, collection_id: string, sources: readonly string[]): Promise<void> {
  for (let at = 0; at < sources.length; at += maxRows) {
    const rows = sources.slice(at, at + maxRows).map((source) => ({ collection_id, source }));
    await trx.insertInto('collection_sources').values(rows).execute();
  }
}
