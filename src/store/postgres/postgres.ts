/**
 * Postgres for Kysely. Opening it tries everything the server needs once, so that a misconfiguration is reported in one
 * sentence, which never contains the password of the URL.
 */
import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely';
import { explainPostgres } from '../../base/postgres/explain.ts';
import type { OnOutage, PostgresTimeouts } from '../../base/postgres/pool.ts';
import type { Dialect, OpenDatabase } from '../dialect.ts';
import { migrate } from '../migrate.ts';
import { migrations } from '../migrations/all.ts';
import type { Tables } from '../tables/tables.ts';
import { createPostgresDriver } from './driver.ts';

const connectMs = 5_000;
/** For statements that callers wait for. Set by hand. */
const serving: PostgresTimeouts = { connectMs, statementMs: 10_000 };
/** Migrations have no statement timeout. */
const migrating: PostgresTimeouts = { connectMs, statementMs: 0 };
/** An arbitrary number that no other application on this database uses. */
const migrationLock = 7_233_190_461;

export const dialect: Dialect = {
  name: 'postgres',
  text: sql`text collate "C"`,
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
    await migrate({ db, dialect }, migrations);
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
    const { rows } = await sql<{ version: string; time: string; has_migrations: boolean }>`
      select current_setting('server_version') as version,
        (extract(epoch from clock_timestamp()) * 1000)::bigint::text as time,
        to_regclass('migrations') is not null as has_migrations`.execute(db);
    const { version, time, has_migrations } = rows[0]!;
    const applied = has_migrations ? await db.selectFrom('migrations').select('name').execute() : [];
    return { version, applied: applied.map(({ name }) => name), timeMs: Number(time) };
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

async function checkEncoding(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ server_encoding: string }>`show server_encoding`.execute(db);
  const encoding = rows[0]?.server_encoding;
  if (encoding !== 'UTF8') throw new Error(`expected a database with encoding UTF8; got ${encoding}`);
}
