/** Writes to the page cache in Postgres: the asynchronous twin of ../page-cache/write-page-cache.ts. */
import type { PostgresPool } from '../../base/postgres/pool.ts';
import type { CacheBounds } from '../page-cache/snapshot-keeper.ts';
import type { PageCacheWriter } from '../page-cache/write-page-cache.ts';
import type { Awaitable } from '../worker-rpc.ts';
import { digestOf, inTransaction } from './schema.ts';
import {
  evictSnapshots,
  keepSnapshots,
  lockSnapshots,
  releaseSnapshots,
  storeSnapshots,
  useSnapshots,
} from './snapshots.ts';

/** Its functions reject with an AppError `overloaded` while Postgres is unreachable, or with a CorpusError. */
export function createPostgresPageCacheWriter(pool: PostgresPool, bounds: CacheBounds): Awaitable<PageCacheWriter> {
  return {
    putSnapshot: (snapshot, fetchedAt) =>
      inTransaction(pool, async (connection) => {
        const used = await lockSnapshots(connection);
        const [stored] = await storeSnapshots(connection, [{ snapshot, fetched_at: fetchedAt }]);
        await useSnapshots(connection, [stored!.n], used, 'hold');
        await evictSnapshots(connection, bounds);
        return stored!.id;
      }),

    putCachedPage: (url, cached, uses) =>
      inTransaction(pool, async (connection) => {
        const { query } = connection;
        const used = await lockSnapshots(connection);
        if (uses.length > 0) {
          const { rows } = await query('select n, id from corpus_snapshots where id = any($1)', [uses]);
          const numbers = new Map<string, number>(rows.map(({ id, n }) => [id, n]));
          for (const id of uses) {
            const n = numbers.get(id);
            if (n !== undefined) await useSnapshots(connection, [n], await lockSnapshots(connection));
          }
        }
        const { page, hops, etag = null, last_modified = null, extractor_version } = cached;
        const { fetched_at } = page.info;
        const [stored] = await storeSnapshots(connection, [{ snapshot: page.snapshot, fetched_at }]);
        const { n } = stored!;
        const [info, opened] = [JSON.stringify(page.info), JSON.stringify(hops)];
        const bytes = Buffer.byteLength(url) + Buffer.byteLength(info) + Buffer.byteLength(opened);
        await query(
          `insert into corpus_readings (digest, url, snapshot, used, bytes, etag, last_modified, recipe, hops, info)
            values ($1, $2, $3, 0, $4, $5, $6, $7, $8, $9) on conflict (digest) do update set
            snapshot = excluded.snapshot, bytes = excluded.bytes, etag = excluded.etag,
            last_modified = excluded.last_modified, recipe = excluded.recipe, hops = excluded.hops, info = excluded.info`,
          [digestOf(url), url, n, bytes, etag, last_modified, extractor_version, opened, info],
        );
        await useSnapshots(connection, [n], uses.length > 0 ? await lockSnapshots(connection) : used);
        await evictSnapshots(connection, bounds);
      }),

    claimFetch: (url, claim, ms) =>
      inTransaction(pool, async ({ query }) => {
        const { rows } = await query(
          `insert into corpus_taken (digest, reading, until) values ($1, $2, now() + $3 * interval '1 millisecond')
            on conflict (digest) do update set reading = excluded.reading, until = excluded.until
            where corpus_taken.reading = excluded.reading or corpus_taken.until <= now() returning 1`,
          [digestOf(url), claim, ms],
        );
        return rows.length === 1;
      }),

    releaseFetch: (url, claim) =>
      inTransaction(pool, async ({ query }) => {
        await query('delete from corpus_taken where (digest = $1 and reading = $2) or until <= now()', [
          digestOf(url),
          claim,
        ]);
      }),

    pin: (search, snapshots, endedAt) =>
      inTransaction(pool, async (connection) => {
        await lockSnapshots(connection);
        const { rows } = await connection.query(
          `with known as (select n from corpus_snapshots where id = any($1)),
            pinned as (insert into corpus_pins (search, snapshot, ended_at) select $2, n, $3 from known on conflict do nothing)
            select n from known`,
          [snapshots, search, endedAt],
        );
        await keepSnapshots(
          connection,
          rows.map(({ n }) => n as number),
        );
      }),

    unpin: (search) =>
      inTransaction(pool, async (connection) => {
        const used = await lockSnapshots(connection);
        const { rows } = await connection.query('delete from corpus_pins where search = $1 returning snapshot', [
          search,
        ]);
        await releaseSnapshots(connection, snapshotsOf(rows), used);
        await evictSnapshots(connection, bounds);
      }),

    unpinBefore: (endedAt, limit) =>
      inTransaction(pool, async (connection) => {
        const { query } = connection;
        const used = await lockSnapshots(connection);
        const old = 'select search, snapshot from corpus_pins where ended_at < $1 order by ended_at limit $2';
        const sql = `delete from corpus_pins where (search, snapshot) in (${old}) returning snapshot`;
        const { rows } = await query(sql, [endedAt, limit]);
        await releaseSnapshots(connection, snapshotsOf(rows), used);
        const areLeft = await evictSnapshots(connection, bounds);
        const left = await query('select 1 from corpus_pins where ended_at < $1 limit 1', [endedAt]);
        return areLeft || left.rows.length > 0;
      }),
  };
}

function snapshotsOf(rows: readonly { readonly snapshot: number }[]): number[] {
  return rows.map(({ snapshot }) => snapshot);
}
