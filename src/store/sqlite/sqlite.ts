/**
 * SQLite for Kysely, in a worker: a commit waits for the disk, and the event loop must not. One file, one connection, one
 * user at a time. Transactions begin IMMEDIATE, because a deferred one that turns into a writer fails immediately instead
 * of waiting. sqlite-worker.ts opens the file.
 *
 * Where another process writes, such as one that compacts the file, what is to be written waits beside the connection, and what is
 * read goes on.
 *
 * A disk that is full or fails is an outage like that of a database server: what could not be written fails with
 * `overloaded`, and the same statement may succeed later.
 */
import { chmodSync, closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { makeDataFolder } from '../../base/data-folder.ts';
import { AppError } from '../../base/errors.ts';
import { commandName } from '../../base/own-package.ts';
import { createWorkerPool, type WorkerPool } from '../../base/processes/worker-pool.ts';
import { storeUnavailable } from '../../base/store-unavailable.ts';
import type { Dialect, OpenDatabase } from '../dialect.ts';
import { migrate } from '../migrate.ts';
import { migrations } from '../migrations/all.ts';
import type { Tables } from '../tables/tables.ts';
import { describeLoneLog, describeLost, isNoted, noteIfNew, removeNote, selectTables } from './lost-database.ts';
import type { SqliteCall, SqliteFailure, SqliteReply } from './sqlite-worker.ts';

const dialect: Dialect = {
  name: 'sqlite',
  text: 'text',
  // A transaction has the file for itself.
  skipLocked: (query) => query,
  // BEGIN IMMEDIATE has taken the one lock there is.
  async lockRows() {},
  async lockMigrations() {},
};

/** The thread's space for new objects, MiB; set by hand on 1,200 searches: more takes memory and saves no time. */
const youngMb = 4;

/** How long what is to be written waits for another process, from when it was asked for, and how often it tries; set by hand. */
const lockedMs = 5_000;
const retryMs = 20;

/** Asks the thread; rejects with what it fails with, explained. */
type Call = (what: SqliteCall) => Promise<SqliteReply>;

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
      onTrouble(isDamage(reply.failure) ? damaged(file, reply.failure.message) : error.message);
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

/** Resolves, in the order of the calls, with what lets the next one in. */
type Line = () => Promise<() => void>;

function createLine(): Line {
  let free: Promise<void> = Promise.resolve();
  return async () => {
    const before = free;
    let release = () => {};
    free = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    return release;
  };
}

/** Who has the connection, or waits for the file, and since when the statement to come is asked for. */
interface Holder {
  release: () => void;
  since: number | undefined;
}

function createDriver(
  call: Call,
  pool: WorkerPool<SqliteCall, SqliteReply>,
  explained: (reply: SqliteReply) => SqliteReply,
): Driver {
  const connect = createLine();
  /** The first of those that found the file locked tries again; the others follow. */
  const waitForFile = createLine();
  const holders = new WeakMap<DatabaseConnection, Holder>();
  const say = (connection: DatabaseConnection, sql: string) => connection.executeQuery(CompiledQuery.raw(sql));
  /** Of the one connection that is in use. */
  let isInTransaction = false;

  async function ask(holder: Holder, sql: string, parameters: readonly unknown[]): Promise<SqliteReply> {
    const { since = performance.now() } = holder;
    holder.since = undefined;
    const query = () => pool.run({ kind: 'query', sql, parameters, isInTransaction });
    const reply = await query();
    if (isInTransaction || !isLocked(reply)) return explained(reply);
    holder.release();
    const leave = await waitForFile();
    try {
      for (;;) {
        holder.release = await connect();
        const again = await query();
        if (!isLocked(again) || performance.now() > since + lockedMs) return explained(again);
        holder.release();
        await sleep(retryMs);
      }
    } finally {
      leave();
    }
  }

  return {
    async init() {},
    async acquireConnection() {
      const since = performance.now();
      const holder: Holder = { release: await connect(), since };
      const connection = createConnection((sql, parameters) => ask(holder, sql, parameters));
      holders.set(connection, holder);
      return connection;
    },
    async beginTransaction(connection) {
      await say(connection, 'begin immediate');
      isInTransaction = true;
    },
    async commitTransaction(connection) {
      await say(connection, 'commit');
      isInTransaction = false;
    },
    async rollbackTransaction() {
      isInTransaction = false;
      await call({ kind: 'rollback' });
    },
    async releaseConnection(connection) {
      isInTransaction = false;
      holders.get(connection)?.release();
    },
    async destroy() {
      await call({ kind: 'close' });
      await pool.close();
    },
  };
}

function createConnection(
  query: (sql: string, parameters: readonly unknown[]) => Promise<SqliteReply>,
): DatabaseConnection {
  return {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      const { rows, changes, lastInsertRowid } = await query(sql, parameters);
      if (changes === undefined) return { rows: rows as Row[] };
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid ?? 0) };
    },
    // biome-ignore lint/correctness/useYield: the interface requires a generator; nothing here streams rows.
    async *streamQuery() {
      throw new Error('Rows are not streamed from SQLite.');
    },
  };
}

/** What is wrong with the disk or the file, by SQLite's primary result code; other codes are faults of a statement. */
const troubles: Readonly<Record<string, string>> = {
  SQLITE_FULL: 'the disk is full',
  SQLITE_IOERR: 'the disk refused to read or write',
  SQLITE_READONLY: 'the disk is read-only',
  SQLITE_CANTOPEN: 'its file cannot be opened',
  SQLITE_BUSY: 'another process has locked it for too long',
};

const isLocked = ({ failure }: SqliteReply) => failure?.code.startsWith('SQLITE_BUSY') === true;

const isDamage = ({ code }: SqliteFailure) => /^SQLITE_(?:CORRUPT|NOTADB)/.test(code);

function explainOpening(failure: SqliteFailure, file: string): Error {
  return isDamage(failure) ? new Error(damaged(file, failure.message)) : explain(failure, file);
}

function explain(failure: SqliteFailure, file: string): Error {
  const { code, message } = failure;
  // The file, and what to do, are the operator's business.
  if (isDamage(failure))
    return storeUnavailable('The database of the server is damaged.', new Error(damaged(file, message)));
  const error = new Error(message);
  const [trouble] = Object.keys(troubles).filter((primary) => code.startsWith(primary));
  if (trouble === undefined) return error;
  return storeUnavailable(`The server cannot write to its database: ${troubles[trouble]}.`, error);
}

function damaged(file: string, why: string): string {
  const instead =
    'or, without one, rename it, with the -wal and -shm beside it: the next start begins with new accounts, keys and searches';
  return `The database ${file} is damaged (${why}). Stop the server and run "${commandName} restore <folder>" with a backup, ${instead}.`;
}
