/** The store over Postgres: the laws of all stores, and what applies only to servers. */

import pg from 'pg';
import { afterAll, beforeAll, describe } from 'vitest';
import type { StoreOptions } from '../../src/store/store.ts';
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
