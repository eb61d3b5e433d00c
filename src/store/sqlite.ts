/**
 * SQLite through better-sqlite3: one file, one connection, every commit on disk before it is acknowledged. WAL alone does
 * not give that, because better-sqlite3 lowers `synchronous`; it is raised again here. Transactions begin IMMEDIATE: a
 * deferred one that turns into a writer fails at once instead of waiting.
 */
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { CompiledQuery, type DatabaseConnection, Kysely, SqliteDialect, SqliteDriver } from 'kysely';
import type { Tables } from './tables.ts';

const busyMs = 5_000;

/** Opens the file, making it and its folder (modes 0600 and 0700) where they are missing. */
export async function openSqlite(file: string): Promise<Kysely<Tables>> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
  const database = new Database(file, { timeout: busyMs });
  try {
    await useWal(database);
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
  } catch (error) {
    database.close();
    throw error;
  }
  return new Kysely<Tables>({ dialect: new ImmediateDialect({ database }) });
}

class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}

class ImmediateDialect extends SqliteDialect {
  readonly #database: Database.Database;

  constructor(config: { database: Database.Database }) {
    super(config);
    this.#database = config.database;
  }

  override createDriver(): SqliteDriver {
    return new ImmediateDriver({ database: this.#database });
  }
}

/** The busy timeout does not cover the switch to WAL, which two processes that start at once both make. */
async function useWal(database: Database.Database): Promise<void> {
  const deadline = Date.now() + busyMs;
  for (;;) {
    try {
      database.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      const busy = error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
      if (!busy || Date.now() > deadline) throw error;
      await sleep(20);
    }
  }
}
