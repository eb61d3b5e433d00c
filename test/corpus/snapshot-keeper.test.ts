/** The snapshots of a file and of Postgres, each under the same laws. */
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plans } from '../../src/access/plans.ts';
import { createPostgresPool } from '../../src/base/postgres/pool.ts';
import { createIndexWriter } from '../../src/corpus/index/write-index.ts';
import { type CacheBounds, holdMs } from '../../src/corpus/page-cache/snapshot-keeper.ts';
import { createPostgresReader } from '../../src/corpus/postgres/read-corpus.ts';
import { createPostgresWriter } from '../../src/corpus/postgres/write-corpus.ts';
import { createIndexReader } from '../../src/corpus/search/read-index.ts';
import { openDatabase } from '../../src/corpus/sqlite/database.ts';
import { snapshotKeeperLaws } from '../contracts/snapshot-keeper.ts';
import { cachedPage } from '../support/cached-page.ts';
import { hasPostgres, openPostgresServer, type TestPostgres } from '../support/servers/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
let files = 0;

it('holds what a search has found for longer than any search takes', () => {
  const longest = Math.max(...Object.values(plans).map(({ background_s }) => 1000 * background_s));
  expect(holdMs).toBeGreaterThan(longest);
});

snapshotKeeperLaws('a file', 40, (bounds) => {
  const database = openFile();
  return {
    writer: createIndexWriter(database, bounds),
    reader: createIndexReader(database),
    withBounds: (others) => createIndexWriter(database, others),
    rows: (sql) => database.prepare(sql.replace(/[{}]/g, '')).all(),
    close() {
      expect(database.pragma('foreign_key_check')).toEqual([]);
      database.close();
    },
  };
});

describe.skipIf(!hasPostgres)('over a real Postgres', () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await openPostgresServer();
  });
  afterAll(() => server?.stop());

  snapshotKeeperLaws('Postgres', 5, async (bounds) => {
    const url = await server.fresh();
    const timeouts = { connectMs: 5_000, statementMs: 60_000 };
    const pool = createPostgresPool(url, timeouts);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const withBounds = (of: CacheBounds) => createPostgresWriter({ serving: pool, indexing: pool }, of);
    const writer = withBounds(bounds);
    await writer.open();
    const ask = async (sql: string) => {
      const named = sql.replace('{cited}', '{pins}').replace(/\{(\w+)\}/g, 'corpus_$1');
      return (await client.query(named)).rows;
    };
    return {
      writer,
      reader: createPostgresReader(pool),
      withBounds,
      rows: (sql) => ask(sql.replaceAll('{cited}', '{pins}')),
      async close() {
        // The running totals are those of the rows.
        const counted = await ask(`select pages, bytes, (select count(*) from {readings})::int as found_pages,
          (select coalesce(sum(bytes), 0) from {readings}) + (select coalesce(sum(bytes), 0) from {evictable}) as found_bytes
          from corpus_cache`);
        const { pages, bytes, found_pages, found_bytes } = counted[0];
        expect([pages, Number(bytes)]).toEqual([found_pages, Number(found_bytes)]);
        await client.end();
        await pool.close();
      },
    };
  });
});

describe('the pins of a file', () => {
  it('migrates the pins of an older file as if their searches had just ended', () => {
    const database = openFile();
    const writer = createIndexWriter(database);
    const page = cachedPage('http://site.example/', 'Text.');
    writer.putCachedPage('http://site.example/', page, []);
    writer.pin('s_1', [page.page.snapshot.id], '2020-01-01T00:00:00.000Z');
    database.exec(
      `DROP INDEX cited_by_end; ALTER TABLE cited DROP COLUMN ended_at; DROP TABLE addresses; DROP TABLE sources;
        DROP TABLE uploads; DROP TABLE taken; DROP TABLE passage_vectors; DROP TABLE passage_signs; DROP TABLE vector_space; PRAGMA user_version = 2`,
    );
    openDatabase(database.name, 'write').close();
    const [ended_at] = database.prepare('SELECT ended_at FROM cited').pluck().all() as string[];
    expect(new Date(ended_at!).toISOString()).toBe(ended_at);
    expect(Date.parse(ended_at!)).toBeGreaterThan(Date.parse('2026-01-01'));
    database.close();
  });
});

function openFile(): Database {
  files += 1;
  return openDatabase(join(folder, `${files}.db`), 'write');
}
