/**
 * The database in a file of SQLite. It is read and written by a worker, sqlite-worker.ts: a commit waits for the disk, and the event
 * loop must not. sqlite-driver.ts hands the one connection to one user at a time.
 *
 * A disk that is full or fails is an outage like that of a database server: what could not be written fails with
 * `overloaded`, and the same statement may succeed later.
 */

import { chmodSync, closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { isDiskFull, makeDataFolder } from '../../base/data-folder.ts';
import { AppError } from '../../base/errors.ts';
import { commandName } from '../../base/own-package.ts';
import { createWorkerPool } from '../../base/processes/worker-pool.ts';
import { describeLoneLog, isDamage } from '../../base/sqlite/damage.ts';
import { storeUnavailable } from '../../base/store-unavailable.ts';
import type { Dialect, OpenDatabase } from '../dialect.ts';
import { migrate } from '../migrate.ts';
import { migrations } from '../migrations/all.ts';
import type { Tables } from '../tables/tables.ts';
import { describeLost, isNoted, noteIfNew, removeNote, selectTables } from './lost-database.ts';
import { type Call, createDriver } from './sqlite-driver.ts';
import type { SqliteCall, SqliteFailure, SqliteReply } from './sqlite-worker.ts';

const dialect: Dialect = {
  name: 'sqlite',
  text: 'text',
  timeIn: (ms) => new Date(Date.now() + ms).toISOString(),
  // A transaction has the file for itself.
  skipLocked: (query) => query,
  // BEGIN IMMEDIATE has taken the one lock there is.
  async lockRows() {},
  async lockMigrations() {},
};

/** The thread's space for new objects, MiB; set by hand on 1,200 searches: more takes memory and saves no time. */
const youngMb = 4;

/**
 * The database in this file, migrated. Creates the file and its folder (modes 0600 and 0700) if they are missing. Rejects with one
 * sentence when it cannot be used. When that shows later, calls fail with `overloaded`, and `onTrouble` is called for each with
 * a sentence for the operator.
 */
export async function openSqlite(file: string, onTrouble: (reason: string) => void = () => {}): Promise<OpenDatabase> {
  makeDataFolder(dirname(file));
  const loneLog = describeLoneLog(file);
  if (loneLog !== undefined) throw new Error(damaged(file, loneLog));
  makePrivate(file);
  const worker = new URL('./sqlite-worker.ts', import.meta.url);
  const pool = createWorkerPool<SqliteCall, SqliteReply>({ worker, workers: 1, data: { file }, youngMb });
  let isOpen = false;
  const explained = (reply: SqliteReply) => {
    if (reply.failure === undefined) return reply;
    const error = isOpen ? explain(reply.failure, file) : explainOpening(reply.failure, file);
    if (isOpen && error instanceof AppError)
      onTrouble(isDamage(reply.failure.code) ? damaged(file, reply.failure.message) : error.message);
    throw error;
  };
  const call: Call = async (what) => explained(await pool.run(what));
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => createDriver(call, pool, explained),
      createIntrospector: (database) => new SqliteIntrospector(database),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
  try {
    await call({ kind: 'open' });
    await refuseLost(call, file);
    await call({ kind: 'log ahead' });
    await migrate({ db, dialect }, migrations);
    removeNote(file);
    isOpen = true;
    return { db, dialect };
  } catch (error) {
    await pool.close();
    throw error;
  }
}

/**
 * Creates the file, or makes it readable only by its owner. Throws one sentence if it belongs to another user or is not a
 * file.
 */
function makePrivate(file: string): void {
  try {
    noteIfNew(file);
    closeSync(openSync(file, 'a', 0o600));
    chmodSync(file, 0o600);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // The disk may be full only now, and callers may try again.
    if (code === 'ENOSPC')
      throw storeUnavailable(`The server cannot write to its database: ${troubles.SQLITE_FULL}.`, error);
    throw new Error(`The database ${file} cannot be opened for reading and writing (${message}).`, { cause: error });
  }
}

/** Rejects when the file has lost its content, or belongs to another program. */
async function refuseLost(call: Call, file: string): Promise<void> {
  const describe = async () => {
    const { rows = [] } = await call({ kind: 'query', sql: selectTables, parameters: [], isInTransaction: false });
    return describeLost((rows as { name: string }[]).map(({ name }) => name));
  };
  if ((await describe()) === undefined || isNoted(file)) return;
  // Between the two, another process may have made the tables and removed its note.
  const lost = await describe();
  if (lost !== undefined) throw new Error(damaged(file, lost));
}

/** What is wrong with the disk or the file, by SQLite's primary result code; other codes are faults of a statement. */
const troubles: Readonly<Record<string, string>> = {
  SQLITE_FULL: 'the disk is full',
  SQLITE_IOERR: 'the disk refused to read or write',
  SQLITE_READONLY: 'the disk is read-only',
  SQLITE_CANTOPEN: 'its file cannot be opened',
  SQLITE_BUSY: 'another process has locked it for too long',
};

function explainOpening(failure: SqliteFailure, file: string): Error {
  return isDamage(failure.code) ? new Error(damaged(file, failure.message)) : explain(failure, file);
}

function explain(failure: SqliteFailure, file: string): Error {
  const { code, message } = failure;
  // The file, and what to do, are the operator's business.
  if (isDamage(code))
    return storeUnavailable('The database of the server is damaged.', new Error(damaged(file, message)));
  const error = new Error(message);
  const [found] = Object.keys(troubles).filter((primary) => code.startsWith(primary));
  if (found === undefined) return error;
  // What it maps into memory, it cannot write either while the disk is full.
  const mayBeFull = found === 'SQLITE_IOERR' || found === 'SQLITE_CANTOPEN';
  const trouble = mayBeFull && isDiskFull(dirname(file)) ? 'SQLITE_FULL' : found;
  return storeUnavailable(`The server cannot write to its database: ${troubles[trouble]}.`, error);
}

function damaged(file: string, why: string): string {
  const instead =
    'or, without one, rename it, with the -wal and -shm beside it: the next start begins with new accounts, keys and searches';
  return `The database ${file} is damaged (${why}). Stop the server and run "${commandName} restore <folder>" with a backup, ${instead}.`;
}
