/**
 * Postgres for Kysely. Opening it tries everything the server needs once, so that a misconfiguration is reported in one
 * sentence, which never contains the password of the URL.
 */
import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely';
import { AppError } from '../../base/errors.ts';
import type { OnOutage, PostgresTimeouts } from '../../base/postgres/pool.ts';
import type { Dialect, OpenDatabase } from '../dialect.ts';
import { migrate } from '../migrate.ts';
import { migrations } from '../migrations/all.ts';
import type { Tables } from '../tables.ts';
import { createPostgresDriver } from './driver.ts';

const connectMs = 5_000;
/** For statements that callers wait for. Set by hand. */
const serving: PostgresTimeouts = { connectMs, statementMs: 10_000 };
/** Migrations have no statement timeout. */
const migrating: PostgresTimeouts = { connectMs, statementMs: 0 };
/** An arbitrary number that no other application on this database uses. */
const migrationLock = 7_233_190_461;

const dialect: Dialect = {
  name: 'postgres',
  text: sql`text collate "C"`,
  skipLocked: (query) => query.forUpdate().skipLocked(),
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
    throw explain(error, url);
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
    throw explain(error, url);
  } finally {
    await db.destroy();
  }
}

function connect(url: string, timeouts: PostgresTimeouts, onOutage?: OnOutage): Kysely<Tables> {
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

/** Explanations of the SQLSTATEs that a wrong DATABASE_URL leads to. */
const reasons: Readonly<Record<string, string>> = {
  '28P01': 'the password is wrong for this user',
  '28000': 'this user may not sign in from here',
  '3D000': 'there is no such database',
  '42501': 'this user may not create tables there',
};

/** One sentence for the operator who set DATABASE_URL. */
function explain(error: unknown, url: string): Error {
  const isAway = error instanceof AppError;
  const { code = '', message } = (isAway ? error.cause : error) as Error & { code?: string };
  const asksForPassword = message.includes('client password must be');
  const reason = isAway ? 'no Postgres answers there' : reasons[code];
  const why = reason === undefined ? message : `${reason} (${message || code})`;
  const what = asksForPassword ? 'it requires a password, and the URL has none' : why;
  return new Error(`DATABASE_URL: ${placeOf(url)}: ${what.replace(/\.$/, '')}.`, { cause: error });
}

/** The URL without its password and options. */
function placeOf(url: string): string {
  const { username, host, pathname } = new URL(url);
  return `postgres://${username === '' ? '' : `${username}@`}${host}${pathname}`;
}
