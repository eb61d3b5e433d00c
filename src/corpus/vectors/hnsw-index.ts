/**
 * The HNSW index over vectors in Postgres. It is approximate, so a small corpus does without: comparing all is exact and fast
 * enough. It is built once all passages have a vector, which takes a fraction of the time of adding to it one by one, and without
 * locking the table. It is of one length, and is dropped with the vectors when that changes.
 */
import type { PooledConnection, PostgresPool } from '../../base/postgres/pool.ts';

export const hnswIndex = 'corpus_vectors_near';

/** It is built once this many passages have a vector. Set by hand: below, comparing all takes tens of milliseconds. */
const minIndexed = 10_000;
/** The longest vector that pgvector indexes with four bytes per dimension. */
const maxDimensions = 2_000;
/**
 * The defaults of pgvector, written out so that an upgrade of it does not change what was measured: links of a passage, and how
 * widely the build looks.
 */
const parameters = 'm = 16, ef_construction = 64';
/** An arbitrary number, not one of the other locks on this database. */
const buildLock = 7_233_190_464;

/** Whether there is a whole index, as SQL. */
export const isIndexedSql = `exists (select 1 from pg_index where indexrelid = to_regclass('${hnswIndex}') and indisvalid)`;

/** The vector of a row and of the question as the index has them; `schema` is that of the extension. */
export function indexed(vector: string, schema: string, dimensions: number): string {
  return `(${vector}::${schema}.vector(${dimensions}))`;
}

/**
 * Builds it unless it is there, another process builds it, or there are too few or too long vectors; resolves to whether it is
 * there. `pool` must have no limit for a statement. What an interrupted build left is dropped first.
 */
export async function buildHnswIndex(pool: PostgresPool, min = minIndexed): Promise<boolean> {
  const connection = await pool.connect();
  try {
    const first = async (sql: string) => (await connection.query(sql, [])).rows[0];
    if (!(await first("select to_regclass('corpus_vectors') is not null as made")).made) return false;
    if ((await first(`select ${isIndexedSql} as there`)).there) return true;
    const { schema, dimensions, count } = await first(
      `select (select n.nspname from pg_extension as e join pg_namespace as n on n.oid = e.extnamespace where e.extname = 'vector')
        as schema, (select dimensions from corpus_vector_space) as dimensions,
        (select count(*)::int from corpus_vectors where vector is not null) as count`,
    );
    if (schema === null || dimensions === null || dimensions > maxDimensions || count < min) return false;
    if (!(await first(`select pg_try_advisory_lock(${buildLock}) as taken`)).taken) return false;
    try {
      await connection.query(`drop index concurrently if exists ${hnswIndex}`, []);
      await connection.query(
        `create index concurrently ${hnswIndex} on corpus_vectors
          using hnsw (${indexed('vector', schema, dimensions)} ${schema}.vector_cosine_ops) with (${parameters})`,
        [],
      );
    } finally {
      await connection.query(`select pg_advisory_unlock(${buildLock})`, []).catch(() => {});
    }
    return true;
  } finally {
    connection.release();
  }
}

/** Drops it within a transaction, before vectors of another length are kept. */
export async function dropHnswIndex({ query }: PooledConnection): Promise<void> {
  await query(`drop index if exists ${hnswIndex}`, []);
}
