/** The store over Postgres: the laws of all stores, and what applies only to servers. */

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createPostgresPool, type OnOutage } from '../../src/base/postgres/pool.ts';
import { openStore, type StoreOptions } from '../../src/store/store.ts';
import { backgroundRun } from '../contracts/background-records.ts';
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

  it.each([-60_000, 60_000])('leaves a background run to a server whose clock is %d ms off', async (skew) => {
    const { background, access, close } = await openStore({ dataDir: '/nowhere', databaseUrl: await server.fresh() });
    const fixed = { name: 'a', plan: 'pro', status: 'active', status_reason: null, created_at: '2026' } as const;
    await access.addAccount({ id: 'a', ...fixed });
    const hold = { owner: 'p', attempt: 1 };
    const once = { limit: 10 };
    try {
      await background.add(backgroundRun('s1', 'a'), hold.owner, 30_000);
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + skew });
      await background.add(backgroundRun('s2', 'a'), hold.owner, 30_000);
      expect(await background.claim('q', 30_000, once)).toEqual([]);
      expect(await background.renew(hold.owner, 30_000)).toHaveLength(2);
      expect(await background.confirm('s1', hold, 30_000)).toBe(true);
      vi.useRealTimers();
      expect(await background.claim('q', 30_000, once)).toEqual([]);
    } finally {
      vi.useRealTimers();
      await close();
    }
  });

  it('shares the connections that there are where Postgres refuses more, which is no outage', async () => {
    await server.query('drop role if exists crowded; create role crowded login connection limit 2');
    const url = new URL(await server.fresh());
    url.username = 'crowded';
    const reported: unknown[] = [];
    const onOutage: OnOutage = (outage, refused) =>
      reported.push(refused ?? (outage as { code?: string } | undefined)?.code);
    const timeouts = { connectMs: 20_000, statementMs: 20_000 };
    const pool = createPostgresPool(url.href, timeouts, { onOutage });
    const ask = async () => {
      const connection = await pool.connect();
      await connection.query('select pg_sleep(0.05)', []);
      connection.release();
    };
    await ask();
    await Promise.all(Array.from({ length: 20 }, ask));
    expect(new Set(reported)).toEqual(new Set(['refused']));
    // A pool without any connection has an outage.
    const held = [await pool.connect(), await pool.connect()];
    const other = createPostgresPool(url.href, { ...timeouts, connectMs: 100 }, { onOutage });
    reported.length = 0;
    const message = 'The server gets no more connections to its database at the moment.';
    await expect(other.connect()).rejects.toMatchObject({ code: 'overloaded', message });
    expect(reported).toEqual(['53300']);
    for (const connection of held) connection.release();
    await Promise.all([pool.close(), other.close()]);
    await server.query('drop role crowded');
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
