/**
 * Postgres for Kysely. Opening it tries everything the server needs once, so that a misconfiguration is reported in one
 * sentence, which never contains the password of the URL.
 */
import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely';
import { explainPostgres } from '../../base/postgres/explain.ts';
import type { PostgresTimeouts } from '../../base/postgres/host-pool.ts';
import type { OnOutage } from '../../base/postgres/pool.ts';
import type { Dialect, OpenDatabase } from '../dialect.ts';
import { migrate } from '../migrate.ts';
import { migrations } from '../migrations/all.ts';
import type { Tables } from '../tables/tables.ts';
import { createPostgresDriver } from './driver.ts';

const connectMs = 5_000;
/** For statements that callers wait for. Set by hand. */
const serving: PostgresTimeouts = { connectMs, statementMs: 10_000 };
/** Migrations have no statement timeout, but the lock of a server that is lost while it starts does not stay. */
const migrating: PostgresTimeouts = { connectMs, statementMs: 0, idleMs: 60_000 };
/** An arbitrary number that no other application on this database uses. */
const migrationLock = 7_233_190_461;

export const dialect: Dialect = {
  name: 'postgres',
  text: sql`text collate "C"`,
  // Those of servers may differ.
  timeIn: (ms) =>
    sql<string>`to_char((now() + ${ms}::float8 * interval '1 millisecond') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  skipLocked: (query) => query.forUpdate().skipLocked(),
  async lockRows(trx, table, ids) {
    await trx.selectFrom(table).select('id').where('id', 'in', ids).orderBy('id').forUpdate().execute();
  },
  async lockMigrations(trx) {
    await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(trx);
  },
};

/** The database at this URL, migrated. Rejects with one sentence that says what is wrong with it. */
export async function openPostgres(url: string, onOutage?: OnOutage): Promise<OpenDatabase> {
  const db = connect(url, migrating);
  try {
    await checkEncoding(db);
    // Looked up without the lock first: starts with nothing to migrate do not wait for a server that was lost while it migrates.
    if (!(await isMigrated(db))) await migrate({ db, dialect }, migrations);
  } catch (error) {
    throw explainPostgres(error, url);
  } finally {
    await db.destroy();
  }
  return { db: connect(url, serving, onOutage), dialect };
}

export interface PostgresState {
  readonly version: string;
  /** The names of the migrations that it has. */
  readonly applied: readonly string[];
  /** Its clock, ms since 1970. */
  readonly timeMs: number;
}

/** Looks at the database without changing it. Rejects with one sentence that says what is wrong with it. */
export async function inspectPostgres(url: string): Promise<PostgresState> {
  const db = connect(url, serving);
  try {
    await checkEncoding(db);
    const { rows } = await sql<{ version: string; time: string }>`
      select current_setting('server_version') as version,
        (extract(epoch from clock_timestamp()) * 1000)::bigint::text as time`.execute(db);
    const { version, time } = rows[0]!;
    return { version, applied: await readApplied(db), timeMs: Number(time) };
  } catch (error) {
    throw explainPostgres(error, url);
  } finally {
    await db.destroy();
  }
}

/** Kysely over a pool of connections, which are made when they are needed. */
export function connect(url: string, timeouts: PostgresTimeouts, onOutage?: OnOutage): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => createPostgresDriver(url, timeouts, onOutage),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}

async function isMigrated(db: Kysely<Tables>): Promise<boolean> {
  const applied = new Set(await readApplied(db));
  return applied.size === migrations.length && migrations.every(({ name }) => applied.has(name));
}

/** The names of the migrations that the database has. */
async function readApplied(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ is_made: boolean }>`select to_regclass('migrations') is not null as is_made`.execute(db);
  if (!rows[0]!.is_made) return [];
  return (await db.selectFrom('migrations').select('name').execute()).map(({ name }) => name);
}

async function checkEncoding(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ server_encoding: string }>`show server_encoding`.execute(db);
  const encoding = rows[0]?.server_encoding;
  if (encoding !== 'UTF8') throw new Error(`expected a database with encoding UTF8; got ${encoding}`);
}
