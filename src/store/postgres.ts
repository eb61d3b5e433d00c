/**
 * Postgres for Kysely. Opening it tries everything that a server needs of it once, so that whoever starts one is told in
 * a sentence what is wrong; the password of the URL is in none of them.
 */
import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely';
import { AppError } from '../base/errors.ts';
import type { Dialect, OpenDatabase } from './dialect.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/all.ts';
import { createPostgresDriver, type OnOutage, type Patience } from './postgres-driver.ts';
import type { Tables } from './tables.ts';

const connectMs = 5_000;
/** Of what calls wait for. */
const served: Patience = { connectMs, statementMs: 10_000 };
/** A migration takes as long as it takes. */
const migrating: Patience = { connectMs, statementMs: 0 };
/** Any number that others on this database do not use. */
const migrationLock = 7_233_190_461;

const dialect: Dialect = {
  name: 'postgres',
  text: sql`text collate "C"`,
  async lockMigrations(trx) {
    await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(trx);
  },
};

/** The database at this URL, brought up to date. Rejects with a sentence that says what is wrong with it. */
export async function openPostgres(url: string, onTrouble?: OnOutage): Promise<OpenDatabase> {
  const db = connect(url, migrating);
  try {
    await checkEncoding(db);
    await migrate({ db, dialect }, migrations);
  } catch (error) {
    throw explain(error, url);
  } finally {
    await db.destroy();
  }
  return { db: connect(url, served, onTrouble), dialect };
}

function connect(url: string, patience: Patience, onTrouble?: OnOutage): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => createPostgresDriver(url, patience, onTrouble),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}

async function checkEncoding(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ server_encoding: string }>`show server_encoding`.execute(db);
  const encoding = rows[0]?.server_encoding;
  if (encoding !== 'UTF8') throw new Error(`expected a database in UTF8; it is in ${encoding}`);
}

/** SQLSTATEs that a wrong setting leads to, in words. */
const reasons: Readonly<Record<string, string>> = {
  '28P01': 'the password is not the one of this user',
  '28000': 'this user may not sign in from here',
  '3D000': 'there is no such database',
  '42501': 'this user may not make tables there',
};

/** One sentence for whoever set DATABASE_URL. */
function explain(error: unknown, url: string): Error {
  const isAway = error instanceof AppError;
  const { code = '', message } = (isAway ? error.cause : error) as Error & { code?: string };
  const asksForPassword = message.includes('client password must be');
  const reason = isAway ? 'no Postgres answers there' : reasons[code];
  const why = reason === undefined ? message : `${reason} (${message || code})`;
  const what = asksForPassword ? 'it asks for a password, and the URL has none' : why;
  return new Error(`DATABASE_URL: ${placeOf(url)}: ${what.replace(/\.$/, '')}.`, { cause: error });
}

/** The URL without its password and its options. */
function placeOf(url: string): string {
  const { username, host, pathname } = new URL(url);
  return `postgres://${username === '' ? '' : `${username}@`}${host}${pathname}`;
}
