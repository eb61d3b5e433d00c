/** Pages of the index in Postgres that leave it. */
import type { PooledConnection, PostgresPool } from '../../../base/postgres/pool.ts';
import { inTransaction } from '../schema.ts';
import { lockSnapshots, releaseSnapshots } from '../snapshots.ts';
import { changeCounted } from '../sources/source-sizes.ts';
import { lockIndex } from './lock-index.ts';

/** Removes up to `limit` pages of the source whose keys are not in `keys`; resolves to how many. */
export async function removePages(
  pool: PostgresPool,
  source: string,
  keys: readonly string[],
  limit: number,
): Promise<number> {
  return inTransaction(pool, async (connection) => {
    await lockIndex(connection, 0);
    const { rows } = await connection.query(
      `select digest, page from corpus_entries as e where md5(source) = md5($1) and source = $1
        and not exists (select 1 from unnest($2::text[]) as kept(key) where kept.key = e.key) limit $3`,
      [source, keys, limit],
    );
    if (rows.length === 0) return 0;
    const pages = rows.map(({ page }) => page as number);
    await changeCounted(connection.query, pages, async () => {
      await connection.query('delete from corpus_entries where digest = any($1)', [rows.map(({ digest }) => digest)]);
      const used = await lockSnapshots(connection);
      await removeUnused(connection, pages, used);
      return [];
    });
    await clearIfEmpty(connection);
    return rows.length;
  });
}

/** Removes pages that no source has, and what is cached of them. */
export async function removeUnused(
  connection: PooledConnection,
  pages: readonly number[],
  used: number,
): Promise<void> {
  const unused = await connection.query(
    `select n from corpus_pages as g where n = any($1::int[])
      and not exists (select 1 from corpus_entries where page = g.n)`,
    [pages],
  );
  const numbers = unused.rows.map(({ n }) => n as number);
  if (numbers.length === 0) return;
  await removePassages(connection, numbers);
  const sql = 'delete from corpus_pages where n = any($1::int[]) returning snapshot';
  const { rows } = await connection.query(sql, [numbers]);
  const snapshots = [...new Set(rows.map(({ snapshot }) => snapshot as number))];
  await connection.query('delete from corpus_readings where snapshot = any($1::bigint[])', [snapshots]);
  await releaseSnapshots(connection, snapshots, used);
}

/** Removes the passages of pages; their postings stay until their chunk is written again. */
export async function removePassages({ query }: PooledConnection, pages: readonly number[]): Promise<void> {
  await query(
    `with gone as (delete from corpus_passages where page = any($1::int[]) returning n, tokens),
      dead as (
        update corpus_chunks as c set dead = dead + of.count
        from (select k.n, count(*)::int as count from gone join corpus_chunks as k on gone.n between k.first and k.last
          group by k.n) as of
        where of.n = c.n)
      update corpus_state set version = version + 1, passages = passages - (select count(*) from gone),
        tokens = tokens - (select coalesce(sum(tokens), 0) from gone)`,
    [pages],
  );
}

/** Removed passages leave traces in the numbers of passages with a word; an empty index begins without any. */
async function clearIfEmpty({ query }: PooledConnection): Promise<void> {
  const { rows } = await query('select passages from corpus_state', []);
  if (rows[0].passages > 0) return;
  await query('delete from corpus_postings', []);
  await query('delete from corpus_chunks', []);
}
