/**
 * How many bytes sources in Postgres hold: kept up to date with every change of pages, and bounded for each owner. Every
 * function runs in the transaction of its `query`.
 */
import type { PooledConnection } from '../../../base/postgres/pool.ts';
import { sourceId } from '../../../base/source-names.ts';
import { checkGrowth } from '../../sources/source-tables.ts';

type Query = PooledConnection['query'];

/** Until the transaction ends, no other one counts or changes the sources of this owner. */
export async function lockOwner(query: Query, owner: string): Promise<void> {
  await query('select pg_advisory_xact_lock(hashtext($1))', [`corpus_sources ${owner}`]);
}

/** How many sources an owner has, and their bytes. */
export async function heldBy(
  query: Query,
  owner: string,
): Promise<{ readonly sources: number; readonly bytes: number }> {
  const sql =
    'select count(*)::int as sources, coalesce(sum(bytes), 0)::float8 as bytes from corpus_sources where owner = $1';
  return (await query(sql, [owner])).rows[0];
}

/**
 * Changes these pages, by their numbers, and adds the difference to the bytes of the sources that have them. `change` resolves
 * to the numbers of pages that it added.
 */
export async function changeCounted(
  query: Query,
  pages: readonly number[],
  change: () => Promise<Iterable<number>>,
): Promise<void> {
  const before = await sizesOnPages(query, pages);
  const added = await change();
  const after = await sizesOnPages(query, [...pages, ...added]);
  const sources = [...new Set([...before.keys(), ...after.keys()])];
  await query(
    `update corpus_sources as s set bytes = s.bytes + of.more from unnest($1::text[], $2::bigint[]) as of(id, more)
      where s.id = of.id and s.id not in (select id from corpus_uploads)`,
    [sources.map(sourceId), sources.map((source) => (after.get(source) ?? 0) - (before.get(source) ?? 0))],
  );
}

/** Rejects with a CorpusError `over_limit` if the owner's sources grow beyond `maxBytes` by this change; undefined means no limit. */
export async function growWithin(
  query: Query,
  owner: string,
  maxBytes: number | undefined,
  change: () => Promise<void>,
): Promise<void> {
  if (maxBytes === undefined) return change();
  await lockOwner(query, owner);
  const before = await heldBy(query, owner);
  await change();
  checkGrowth(before.bytes, (await heldBy(query, owner)).bytes, maxBytes);
}

/** Bytes of the texts of these pages, by the sources that have them. */
async function sizesOnPages(query: Query, pages: readonly number[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await query(
    `select e.source, sum(length(s.text))::float8 as bytes from corpus_entries as e
      join corpus_pages as g on g.n = e.page join corpus_snapshots as s on s.n = g.snapshot
      where e.page = any($1::int[]) group by e.source`,
    [pages],
  );
  return new Map(rows.map(({ source, bytes }) => [source, bytes]));
}
