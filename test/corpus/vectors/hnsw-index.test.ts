/** The index over many vectors in Postgres: when it is built, that it is used, and that rules and other lengths get right results. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { everySource } from '../../../protocol/source-rules.ts';
import { neverAborted } from '../../../src/base/abort.ts';
import { createPostgresPool, type PostgresPool } from '../../../src/base/postgres/pool.ts';
import { type OpenCorpus, openCorpus } from '../../../src/corpus/corpus.ts';
import { buildHnswIndex, hnswIndex } from '../../../src/corpus/vectors/hnsw-index.ts';
import { createEmbedder } from '../../../src/model/embeddings/embedder.ts';
import { startVectorPostgres, type VectorPostgres } from '../../support/databases/pgvector.ts';
import { type EmbeddingServer, startEmbeddingServer } from '../../support/models/embedding-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const pages = 60;
const docs = temporaryFolder();
let server: EmbeddingServer;
let postgres: VectorPostgres;
let pool: PostgresPool;
let corpus: OpenCorpus;

beforeAll(async () => {
  server = await startEmbeddingServer();
  postgres = await startVectorPostgres();
  const databaseUrl = await postgres.fresh();
  for (const [folder, count] of [
    ['notes', pages],
    ['clinic', 1],
  ] as const) {
    mkdirSync(join(docs, folder));
    for (let n = 0; n < count; n += 1)
      writeFileSync(
        join(docs, folder, `${n}.md`),
        `# ${folder} ${n}\n\n${folder === 'clinic' ? 'A physician' : `A hound of ${1900 + n}`}.\n`,
      );
  }
  const embedder = createEmbedder({ model: 'small', baseUrl: server.baseUrl, fetch, budgetMs: 10_000 });
  corpus = await openCorpus({ file: '/nowhere', databaseUrl, embedder });
  for (const folder of ['notes', 'clinic']) await corpus.index({ kind: 'folder', path: join(docs, folder) });
  await corpus.vectors!.complete(neverAborted, () => {});
  pool = createPostgresPool(databaseUrl, { connectMs: 5_000, statementMs: 0 }, { connections: 1 });
});
afterAll(async () => {
  await corpus?.close();
  await pool?.close();
  await postgres.stop();
  await server.close();
});

async function rowsOf(sql: string) {
  const connection = await pool.connect();
  try {
    return (await connection.query(sql, [])).rows;
  } finally {
    connection.release();
  }
}
const find = async (text: string, more = {}) =>
  (await corpus.search({ text, limit: 3, rules: everySource, ...more }, neverAborted)).map(({ title }) => title);

it('is built from some number of vectors on, once, and dropped with vectors of another length', async () => {
  expect(await buildHnswIndex(pool, pages * 2)).toBe(false);
  const exact = await find('médecin');
  expect(exact[0]).toBe('clinic 0');
  expect(await buildHnswIndex(pool, 10)).toBe(true);
  expect(await buildHnswIndex(pool, 10)).toBe(true);
  const [{ options }] = await rowsOf(
    `select array_to_string(reloptions, ',') as options from pg_class where relname = '${hnswIndex}'`,
  );
  expect(options).toBe('m=16,ef_construction=64');
  // Of so few rows all would be compared. The database of these tests has one session, so searches are planned like this, too.
  await rowsOf('set enable_seqscan = off');
  const plan = await rowsOf(
    `explain select passage from corpus_vectors where vector is not null
      order by (vector::vector(256)) <=> (select vector::vector(256) from corpus_vectors limit 1) limit 40`,
  );
  expect(JSON.stringify(plan)).toContain(hnswIndex);
  expect((await find('médecin'))[0]).toBe('clinic 0');
  // The one page within reach is not among the 40 closest to this question.
  expect(await find('chien', { sources: [`folder:${join(docs, 'clinic')}`] })).toEqual(['clinic 0']);
  server.dimensions = 128;
  writeFileSync(join(docs, 'clinic', 'late.md'), '# clinic late\n\nA river.\n');
  await corpus.index({ kind: 'folder', path: join(docs, 'clinic') });
  await corpus.vectors!.complete(neverAborted, () => {});
  expect(await rowsOf(`select 1 from pg_class where relname = '${hnswIndex}'`)).toEqual([]);
  expect((await find('médecin'))[0]).toBe('clinic 0');
});
