/**
 * The snapshots in Postgres, and how long each is kept: the same rules as in ../page-cache/snapshot-keeper.ts. Every
 * transaction that changes what is kept takes the lock first, so that nothing is removed that another is about to need.
 */
import type { PooledConnection } from '../../base/postgres/pool.ts';
import { snapshotId } from '../../base/snapshot-id.ts';
import type { Snapshot } from '../../engine/ports/snapshot.ts';
import { CorpusError } from '../corpus-error.ts';
import { type CacheBounds, defaultBounds, holdMs } from '../page-cache/snapshot-keeper.ts';

/** Max. rows removed in one transaction; as in the index file. */
const maxEvicted = 100;

type Evictable =
  | { readonly kind: 'page'; readonly digest: string; readonly bytes: number }
  | { readonly kind: 'snapshot'; readonly snapshot: number; readonly bytes: number };

/** Takes the lock of the snapshots until the transaction ends, and resolves to the number of the next use. */
export async function lockSnapshots({ query }: PooledConnection): Promise<number> {
  const { rows } = await query('update corpus_cache set uses = uses + 1 returning uses', []);
  return rows[0].uses as number;
}

export interface SnapshotToStore {
  readonly snapshot: Omit<Snapshot, 'id'>;
  readonly fetched_at: string;
}

/**
 * Stores the snapshots that are not stored yet; resolves to their numbers and ids, in the same order. Rejects with a CorpusError
 * `invalid` when one is not well-formed.
 */
export async function storeSnapshots(
  { query }: PooledConnection,
  snapshots: readonly SnapshotToStore[],
): Promise<{ readonly n: number; readonly id: string }[]> {
  const ids = snapshots.map(({ snapshot: { url, title, text } }) => {
    if (!text.isWellFormed() || !title.isWellFormed())
      throw new CorpusError('invalid', `The text of ${url} is not well-formed Unicode.`);
    return snapshotId(url, text);
  });
  await query(
    `insert into corpus_snapshots (id, url, title, published_at, fetched_at, text)
      select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bytea[]) on conflict do nothing`,
    [
      ids,
      snapshots.map(({ snapshot }) => snapshot.url),
      snapshots.map(({ snapshot }) => snapshot.title),
      snapshots.map(({ snapshot }) => snapshot.published_at ?? null),
      snapshots.map(({ fetched_at }) => fetched_at),
      snapshots.map(({ snapshot }) => Buffer.from(snapshot.text)),
    ],
  );
  const { rows } = await query('select id, n from corpus_snapshots where id = any($1)', [ids]);
  const numbers = new Map<string, number>(rows.map(({ id, n }) => [id, n]));
  return ids.map((id) => ({ id, n: numbers.get(id)! }));
}

/** The snapshots are needed by a page or an ended search: they are not evictable. */
export async function keepSnapshots({ query }: PooledConnection, snapshots: readonly number[]): Promise<void> {
  if (snapshots.length > 0) await query('delete from corpus_evictable where snapshot = any($1::bigint[])', [snapshots]);
}

/**
 * Ends a need of each. Without another, it is removed after 40 minutes, because a search may just have found it; if it is also a
 * cached page, it only becomes evictable then.
 */
export async function releaseSnapshots(
  connection: PooledConnection,
  snapshots: readonly number[],
  used: number,
): Promise<void> {
  if (snapshots.length === 0) return;
  const sql = 'select snapshot from corpus_readings where snapshot = any($1::bigint[])';
  const { rows } = await connection.query(sql, [snapshots]);
  const cached = new Set(rows.map(({ snapshot }) => snapshot as number));
  const notBefore = Date.now() + holdMs;
  const others = snapshots.filter((n) => !cached.has(n));
  await touchSnapshots(connection, [...cached], used, notBefore);
  // The recency of what is removed even with room to spare.
  await touchSnapshots(connection, others, 0, notBefore);
}

/**
 * Marks a snapshot and its cached pages as just used; with `hold` it is also kept for 40 minutes. What is to be removed stays so
 * without it.
 */
export async function useSnapshots(
  connection: PooledConnection,
  snapshots: readonly number[],
  used: number,
  hold?: 'hold',
): Promise<void> {
  if (snapshots.length > 0)
    await touchSnapshots(connection, snapshots, used, hold === undefined ? 0 : Date.now() + holdMs);
}

async function touchSnapshots(
  { query }: PooledConnection,
  snapshots: readonly number[],
  used: number,
  notBefore: number,
): Promise<void> {
  await query('update corpus_readings set used = $2 where snapshot = any($1::bigint[])', [snapshots, used]);
  await query(
    `insert into corpus_evictable (snapshot, used, bytes, not_before)
      select n, $2, octet_length(text), $3 from corpus_snapshots as s where n = any($1::bigint[])
        and not exists (select 1 from corpus_pages where snapshot = s.n)
        and not exists (select 1 from corpus_pins where snapshot = s.n)
      on conflict (snapshot) do update
        set used = excluded.used, not_before = greatest(corpus_evictable.not_before, excluded.not_before)
        where $3 > 0 or corpus_evictable.used > 0
          or exists (select 1 from corpus_readings where snapshot = corpus_evictable.snapshot)`,
    [snapshots, used, notBefore],
  );
}

/**
 * Removes up to 100 rows beyond the limits, least recently used first, a cached page before its snapshot, and up to 100 snapshots
 * that nothing needs; resolves to whether there may be more of these.
 */
export async function evictSnapshots(connection: PooledConnection, bounds: CacheBounds): Promise<boolean> {
  const { maxBytes, maxPages } = { ...defaultBounds, ...bounds };
  const { query } = connection;
  const unneeded = await query(
    `delete from corpus_evictable where snapshot in
      (select snapshot from corpus_evictable where used = 0 and not_before <= $1 limit $2) returning snapshot`,
    [Date.now(), maxEvicted],
  );
  if (unneeded.rows.length > 0)
    await query('delete from corpus_snapshots where n = any($1::bigint[])', [
      unneeded.rows.map(({ snapshot }) => snapshot),
    ]);
  const { rows } = await query('select pages, bytes from corpus_cache', []);
  let { pages, bytes } = rows[0] as { pages: number; bytes: number };
  const areLeft = unneeded.rows.length === maxEvicted;
  if (pages <= maxPages && bytes <= maxBytes) return areLeft;
  // Beyond twice the limit, held snapshots are removed too: something is filling the disk.
  const now = bytes > 2 * maxBytes ? Number.MAX_SAFE_INTEGER : Date.now();
  const readings = `(select 'page' as kind, digest, null::bigint as snapshot, bytes, used from corpus_readings
    order by used limit ${maxEvicted})`;
  const evictable = `(select 'snapshot', null, snapshot, bytes, used from corpus_evictable where not_before <= $1
    order by used limit ${maxEvicted})`;
  const oldest = await query(`${readings} union all ${evictable} order by used, kind`, [now]);
  const gone = { pages: [] as string[], snapshots: [] as number[] };
  const remove = (row: Evictable) => {
    if (row.kind === 'page') gone.pages.push(row.digest);
    else gone.snapshots.push(row.snapshot);
    if (row.kind === 'page') pages -= 1;
    bytes -= row.bytes;
  };
  // As long as there are too many pages, only pages go.
  const tooMany = oldest.rows.filter(({ kind }) => kind === 'page').slice(0, Math.max(0, pages - maxPages));
  for (const row of tooMany) remove(row);
  for (const row of oldest.rows) {
    if (bytes <= maxBytes || gone.pages.length + gone.snapshots.length >= maxEvicted) break;
    if (!tooMany.includes(row)) remove(row);
  }
  await query('delete from corpus_readings where digest = any($1) or snapshot = any($2::bigint[])', [
    gone.pages,
    gone.snapshots,
  ]);
  await query('delete from corpus_evictable where snapshot = any($1::bigint[])', [gone.snapshots]);
  await query('delete from corpus_snapshots where n = any($1::bigint[])', [gone.snapshots]);
  return areLeft;
}
