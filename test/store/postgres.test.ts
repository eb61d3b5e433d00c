/** The store over Postgres: the laws of all stores, and what applies only to servers. */

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPostgresPool } from '../../src/base/postgres/pool.ts';
import { openStore, type StoreOptions } from '../../src/store/store.ts';
import { describeStore } from '../contracts/store.ts';
import { hasPostgres, openPostgresServer, type TestPostgres } from '../support/servers/postgres.ts';

describe.skipIf(!hasPostgres)('over a real Postgres', () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await openPostgresServer();
  });
  afterAll(() => server?.stop());

  describeStore({
    name: 'Postgres',
    fresh: async () => ({ dataDir: '/nowhere', databaseUrl: await server.fresh() }),
    query: ask,
    replacing: [
      'insert into … on conflict (api_stub, version) do update set content = excluded.content',
      'truncate api_versions',
      'truncate accounts cascade',
      'with gone as (delete from api_versions returning *) insert into …',
    ],
    async content(where) {
      const tables = await ask(where, 'select tablename from pg_tables where schemaname = current_schema()');
      const rows = tables.map(({ tablename }) => ask(where, `select * from ${tablename}`));
      return Buffer.from(JSON.stringify(await Promise.all(rows)));
    },
  });

  it('opens with nothing to migrate while a server that was lost holds the lock of migrations', async () => {
    const databaseUrl = await server.fresh();
    await (await openStore({ dataDir: '/nowhere', databaseUrl })).close();
    const lost = new pg.Client({ connectionString: databaseUrl });
    await lost.connect();
    await lost.query('select pg_advisory_lock(7233190461)');
    try {
      const store = await openStore({ dataDir: '/nowhere', databaseUrl });
      expect(await store.access.accounts()).toEqual([]);
      await store.close();
    } finally {
      await lost.end();
    }
  });

  it.each([0, 60_000])(
    'ends a transaction that waits for its next statement, with a limit of %d ms for one',
    async (ms) => {
      const pool = createPostgresPool(await server.fresh(), { connectMs: 5_000, statementMs: ms, idleMs: 1_500 });
      const [frozen, other] = [await pool.connect(), await pool.connect()];
      await frozen.begin();
      await frozen.query('select pg_advisory_xact_lock(1)', []);
      await other.query('select pg_advisory_lock(1)', []);
      await expect(frozen.query('select 1', [])).rejects.toMatchObject({ code: 'overloaded' });
      await frozen.end('rollback');
      for (const connection of [frozen, other]) connection.release();
      await pool.close();
    },
  );
});

async function ask({ databaseUrl }: StoreOptions, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
