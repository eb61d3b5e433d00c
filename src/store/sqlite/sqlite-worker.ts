/**
 * The worker of the SQLite store. Every commit is on disk before it is acknowledged. WAL alone does not guarantee that,
 * because better-sqlite3 lowers `synchronous`; it is raised again here.
 */
import { workerData } from 'node:worker_threads';
import type { Database, Statement } from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { limitLog, loadSqlite } from '../../base/sqlite.ts';

/**
 * `open` changes nothing yet; `log ahead` must follow before anything is written. `rollback` does nothing where an error has
 * already rolled the transaction back.
 */
export type SqliteCall =
  | { readonly kind: 'open' | 'log ahead' | 'close' | 'rollback' }
  | {
      readonly kind: 'query';
      readonly sql: string;
      readonly parameters: readonly unknown[];
      /** Whether it is part of a transaction, which it must not outlive. */
      readonly isInTransaction: boolean;
    };

/** `changes` is present for statements that return no rows. */
export interface SqliteReply {
  readonly rows?: readonly unknown[];
  readonly changes?: number;
  readonly lastInsertRowid?: number | bigint;
  readonly failure?: SqliteFailure;
}

/** `code` is SQLite's extended result code, such as `SQLITE_FULL`; empty for other errors. */
export interface SqliteFailure {
  readonly code: string;
  readonly message: string;
}

/** How long opening waits for other processes; set by hand. */
const busyMs = 5_000;
const file: string = workerData.file;
let opened: Database | undefined;
/** Compiled, by their SQL: compiling took a fifth of what a search costs this thread. Set by hand; a search has about ten. */
const statements = new LRUCache<string, Statement>({ max: 64 });

/** Errors are returned as `failure`, because their classes do not survive the structured clone. */
export default function answer(call: SqliteCall): SqliteReply {
  try {
    if (call.kind === 'query') return query(call);
    if (call.kind === 'open') opened = open();
    else if (call.kind === 'log ahead') waitNoMore(useWal(current()));
    else if (call.kind === 'close') opened?.close();
    else if (opened?.inTransaction) opened.exec('rollback');
    return {};
  } catch (error) {
    const code = error instanceof loadSqlite().SqliteError ? error.code : '';
    return { failure: { code, message: (error as Error).message } };
  }
}

/** The database. A worker that replaces one which ran out of memory opens it here. */
function current(): Database {
  opened ??= waitNoMore(open());
  return opened;
}

/** A statement that finds the file locked must not hold up those that follow it: sqlite-driver.ts tries it again. */
function waitNoMore(database: Database): Database {
  database.pragma('busy_timeout = 0');
  return database;
}

function query({ sql, parameters, isInTransaction }: Extract<SqliteCall, { kind: 'query' }>): SqliteReply {
  const database = current();
  // Otherwise the rest of a transaction would be written without its beginning.
  if (isInTransaction && !database.inTransaction) throw new Error('the transaction was rolled back');
  const statement = statements.get(sql) ?? database.prepare(sql);
  statements.set(sql, statement);
  if (statement.reader) return { rows: statement.all(...parameters) };
  const { changes, lastInsertRowid } = statement.run(...parameters);
  return { changes, lastInsertRowid };
}

function open(): Database {
  const database = new (loadSqlite())(file, { timeout: busyMs });
  try {
    database.pragma('synchronous = FULL');
    // Searches write at the end of tables and read little; SQLite's 16 MB would fill with pages that are not used again.
    database.pragma('cache_size = -4000');
    database.pragma('foreign_keys = ON');
    limitLog(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The busy timeout does not cover the switch to WAL, which processes that start simultaneously both attempt. */
function useWal(database: Database): Database {
  const deadline = Date.now() + busyMs;
  for (;;) {
    try {
      database.pragma('journal_mode = WAL');
      return database;
    } catch (error) {
      const busy = error instanceof loadSqlite().SqliteError && error.code.startsWith('SQLITE_BUSY');
      if (!busy || Date.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}
