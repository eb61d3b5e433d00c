/**
 * Keeps the number of chunks low, because a search looks up its words in every chunk: eight of about the same size become one,
 * and a chunk with many removed passages is written again without them. Searches of the old chunks end undisturbed.
 */
import type { PooledConnection, PostgresPool } from '../../base/postgres/pool.ts';
import { lockIndex } from './pages/lock-index.ts';
import { withoutPassages } from './postings.ts';
import { inTransaction } from './schema.ts';

interface Chunk {
  readonly n: number;
  readonly first: number;
  readonly last: number;
  readonly passages: number;
  readonly dead: number;
}

/** Neighbours merged into one, and the numbers of passages below which all of them must be. Set by hand. */
const merged = 8;
const sizes = [512, 4_096, 32_768, 262_144];
/** Passages of a merge after which the tables are analyzed, which takes a second. Set by hand. */
const minAnalyzed = 4_096;
/** The share of removed passages above which a chunk is written again; set by hand. */
const maxDead = 0.25;

/** One step; resolves to false when there was nothing to do. The result of joining many is analyzed for the planner. */
export async function mergeChunks(pool: PostgresPool): Promise<boolean> {
  // Looked up without the lock first: there is nothing to do after most changes.
  const connection = await pool.connect();
  try {
    if (chooseChunks(await readChunks(connection)) === undefined) return false;
  } finally {
    connection.release();
  }
  const changed = await inTransaction(pool, async (locked) => {
    await lockIndex(locked, 0);
    const chosen = chooseChunks(await readChunks(locked));
    if (chosen === undefined) return 0;
    if (chosen.length === 1) await rewrite(locked, chosen[0]!);
    else await join(locked, chosen);
    await locked.query('update corpus_state set version = version + 1', []);
    return chosen.reduce((sum, { passages }) => sum + passages, 0);
  });
  if (changed >= minAnalyzed) await analyze(pool);
  return changed > 0;
}

/**
 * Autovacuum comes a minute or more after a bulk load. Until then the planner has no statistics, and reads all postings
 * instead of looking words up.
 */
async function analyze(pool: PostgresPool): Promise<void> {
  const connection = await pool.connect();
  try {
    for (const table of ['corpus_chunks', 'corpus_postings', 'corpus_passages', 'corpus_pages'])
      await connection.query(`analyze ${table}`, []);
  } finally {
    connection.release();
  }
}

async function readChunks({ query }: PooledConnection): Promise<Chunk[]> {
  const { rows } = await query('select n, first, last, passages, dead from corpus_chunks order by first', []);
  return rows;
}

/** One chunk to write again, or several neighbours to join; undefined when there are none. */
function chooseChunks(chunks: readonly Chunk[]): readonly Chunk[] | undefined {
  const decayed = chunks.find(({ dead, passages }) => dead > passages * maxDead);
  if (decayed !== undefined) return [decayed];
  for (const size of sizes) {
    let run: Chunk[] = [];
    for (const chunk of chunks) {
      run = chunk.passages < size ? [...run, chunk] : [];
      if (run.length === merged) return run;
    }
  }
  return undefined;
}

/** The postings of a term in several chunks, one after the other, are those of one chunk: see postings.ts. */
async function join({ query }: PooledConnection, chunks: readonly Chunk[]): Promise<void> {
  const { rows } = await query(
    'insert into corpus_chunks (first, last, passages, dead) values ($1, $2, $3, $4) returning n',
    [
      chunks[0]!.first,
      chunks.at(-1)!.last,
      chunks.reduce((sum, { passages }) => sum + passages, 0),
      chunks.reduce((sum, { dead }) => sum + dead, 0),
    ],
  );
  const old = chunks.map(({ n }) => n);
  await query(
    `insert into corpus_postings (chunk, term, data)
      select $1, term, string_agg(data, '' order by c.first) from corpus_postings as p join corpus_chunks as c on c.n = p.chunk
      where p.chunk = any($2::int[]) group by term`,
    [rows[0].n, old],
  );
  await remove(query, old);
}

/** Terms written with one statement; set by hand. */
const batch = 5_000;

async function rewrite({ query }: PooledConnection, chunk: Chunk): Promise<void> {
  const live = await query('select n from corpus_passages where n between $1 and $2', [chunk.first, chunk.last]);
  const kept = new Set(live.rows.map(({ n }) => n as number));
  if (kept.size > 0) {
    const { rows } = await query('insert into corpus_chunks (first, last, passages) values ($1, $2, $3) returning n', [
      chunk.first,
      chunk.last,
      kept.size,
    ]);
    for (let last: string | undefined = ''; last !== undefined; ) {
      const sql = 'select term, data from corpus_postings where chunk = $1 and term > $2 order by term limit $3';
      const old: { term: string; data: Buffer }[] = (await query(sql, [chunk.n, last, batch])).rows;
      const written = old
        .map(({ term, data }) => ({ term, data: withoutPassages(data, (n) => kept.has(n)) }))
        .filter(({ data }) => data.length > 0);
      await query('insert into corpus_postings (chunk, term, data) select $1, * from unnest($2::text[], $3::bytea[])', [
        rows[0].n,
        written.map(({ term }) => term),
        written.map(({ data }) => data),
      ]);
      last = old.length === batch ? old.at(-1)!.term : undefined;
    }
  }
  await remove(query, [chunk.n]);
}

async function remove(query: PooledConnection['query'], chunks: readonly number[]): Promise<void> {
  await query('delete from corpus_postings where chunk = any($1::int[])', [chunks]);
  await query('delete from corpus_chunks where n = any($1::int[])', [chunks]);
}
