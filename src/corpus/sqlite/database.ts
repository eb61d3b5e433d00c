/**
 * The index file: one SQLite database, which several threads and processes may have open. Readers never wait (WAL); writers
 * take turns (BEGIN IMMEDIATE, waiting up to five seconds).
 *
 *   snapshots  pages as they were read, immutable; snapshot-keeper.ts defines how long one is kept
 *   pages      the searchable URLs of each owner with their latest snapshot, and their site and path for source rules
 *   passages   their passages; the text is repeated here, so that ranking never loads whole pages
 *   passage_words  the full-text index over passages, contentless: only words and positions
 *   addresses  the public address of each indexed folder
 *   sources    what is known of each source besides its pages, and `uploads`: the content of uploaded files
 *   entries    which source contains which page, with the hash of its bytes: makes indexing incremental
 *   readings   the page cache: the last page read at each URL; `recipe` is the version of the extractor
 *   taken      the URLs that a process reads at the moment, so that no other reads them too
 *   cited      the pins: which ended search cites which snapshot, and when it ended
 *   passage_vectors  the vectors of passages, and `passage_signs`: their signs; `vector_space` says of which model they are
 *   changes    one row, which counts the changes of pages and entries: see search-cache.ts
 *   evictable  the snapshots that neither a page nor a pin needs, by last use
 */
import { closeSync, openSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { limitLog, loadSqlite } from '../../base/sqlite.ts';
import { CorpusError } from '../corpus-error.ts';
import { addressOldFolders, createAddresses } from '../index/folder-addresses.ts';
import { foldIndexedWords } from '../index/passage-words.ts';
import { addOwners } from '../sources/add-owners.ts';
import { createVectorTables } from '../vectors/vector-tables.ts';

/** SQL, or a step that SQL cannot express; each runs once, in order. */
const migrations: readonly (string | ((database: Database) => void))[] = [
  `
  CREATE TABLE snapshots (
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    url TEXT NOT NULL,
    title TEXT NOT NULL,
    published_at TEXT,
    fetched_at TEXT NOT NULL,
    text TEXT NOT NULL
  );
  CREATE TABLE pages (
    n INTEGER PRIMARY KEY,
    url TEXT NOT NULL UNIQUE,
    snapshot INTEGER NOT NULL REFERENCES snapshots,
    title TEXT NOT NULL,
    title_key TEXT NOT NULL,
    site TEXT NOT NULL,
    path TEXT NOT NULL
  );
  CREATE INDEX pages_by_place ON pages (site, path);
  CREATE INDEX pages_by_title ON pages (title_key);
  CREATE TABLE passages (
    n INTEGER PRIMARY KEY,
    page INTEGER NOT NULL REFERENCES pages ON DELETE CASCADE,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    headings TEXT NOT NULL,
    text TEXT NOT NULL
  );
  CREATE INDEX passages_by_page ON passages (page);
  CREATE VIRTUAL TABLE passage_words USING fts5 (
    title, headings, body,
    content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
  );
  CREATE TABLE entries (
    source TEXT NOT NULL,
    key TEXT NOT NULL,
    hash TEXT NOT NULL,
    page INTEGER NOT NULL REFERENCES pages,
    PRIMARY KEY (source, key)
  ) WITHOUT ROWID;
  CREATE INDEX entries_by_page ON entries (page);
  `,
  `
  CREATE TABLE readings (
    n INTEGER PRIMARY KEY,
    url TEXT NOT NULL UNIQUE,
    snapshot INTEGER NOT NULL REFERENCES snapshots,
    used INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    etag TEXT,
    last_modified TEXT,
    recipe TEXT NOT NULL,
    hops TEXT NOT NULL,
    info TEXT NOT NULL
  );
  CREATE INDEX readings_by_use ON readings (used, bytes);
  CREATE INDEX readings_by_snapshot ON readings (snapshot);
  CREATE TABLE cited (
    search TEXT NOT NULL,
    snapshot INTEGER NOT NULL REFERENCES snapshots,
    PRIMARY KEY (search, snapshot)
  ) WITHOUT ROWID;
  CREATE INDEX cited_by_snapshot ON cited (snapshot);
  CREATE TABLE evictable (
    snapshot INTEGER PRIMARY KEY REFERENCES snapshots,
    used INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    not_before INTEGER NOT NULL
  );
  CREATE INDEX evictable_by_use ON evictable (used, bytes, not_before);
  CREATE INDEX pages_by_snapshot ON pages (snapshot);
  INSERT INTO evictable (snapshot, used, bytes, not_before)
    SELECT n, n, octet_length(text), 0 FROM snapshots WHERE n NOT IN (SELECT snapshot FROM pages);
  `,
  `
  ALTER TABLE cited ADD COLUMN ended_at TEXT NOT NULL DEFAULT '';
  UPDATE cited SET ended_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now');
  CREATE INDEX cited_by_end ON cited (ended_at);
  `,
  createAddresses,
  addressOldFolders,
  addOwners,
  'CREATE TABLE taken (url TEXT PRIMARY KEY, reading TEXT NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID',
  createVectorTables,
  // As triggers, so that no writer can forget to count. A migration that recreates one of the tables must recreate its
  // triggers, too.
  `
  CREATE TABLE IF NOT EXISTS changes (n INTEGER NOT NULL);
  INSERT INTO changes (n) SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM changes);
  ${['pages', 'entries']
    .flatMap((table) =>
      ['INSERT', 'UPDATE', 'DELETE'].map(
        (change) => `CREATE TRIGGER IF NOT EXISTS ${table}_${change.toLowerCase()} AFTER ${change} ON ${table}
          BEGIN UPDATE changes SET n = n + 1; END;`,
      ),
    )
    .join('\n')}
  `,
  foldIndexedWords,
  // As in Postgres: a page may have a newer title and date than the snapshot of its text.
  `
  ALTER TABLE pages ADD COLUMN published_at TEXT;
  UPDATE pages SET published_at = (SELECT published_at FROM snapshots WHERE n = pages.snapshot);
  `,
];

/** The `user_version` of an index with all migrations. */
export const newestSchema = migrations.length;

/**
 * The page cache of a connection, KiB. Searches read many pages again, the writer few: each search adds to tables. Set by
 * hand.
 */
const cacheKib = { read: 32_000, write: 4_000 };

/**
 * Opens the file for one thread; for writing, it is created and migrated to the newest schema first. Throws SQLite's error, or
 * a CorpusError `newer` when a newer version of the program made the file.
 */
export function openDatabase(file: string, mode: 'read' | 'write'): Database {
  if (mode === 'write') makePrivate(file);
  const database = new (loadSqlite())(file, { readonly: mode === 'read', timeout: 5000 });
  try {
    database.pragma(`cache_size = -${cacheKib[mode]}`);
    if (mode === 'read') return database;
    refuseForeign(database, file);
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = NORMAL');
    limitLog(database);
    // Migrations may recreate a table that others refer to.
    database.pragma('foreign_keys = OFF');
    migrate(database, file);
    database.pragma('foreign_keys = ON');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Creates the file readable only by its owner: it may contain pages of private hosts. */
function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, 'a', 0o600));
  } catch {
    // Opening it reports a clearer error.
  }
}

/** Throws a CorpusError `corrupt` for a database with the tables of another program, before anything is changed in it. */
function refuseForeign(database: Database, file: string): void {
  // In a transaction, so that both are from the same moment: another process may be making the index.
  const isForeign = database.transaction(
    () => schemaVersion(database) === 0 && database.prepare('select 1 from sqlite_schema').get() !== undefined,
  );
  if (isForeign())
    throw new CorpusError('corrupt', `${file} is not a Citewire index: it is a database of another program.`);
}

function migrate(database: Database, file: string): void {
  if (schemaVersion(database) === migrations.length) return;
  database
    .transaction(() => {
      const version = schemaVersion(database);
      if (version > migrations.length)
        throw new CorpusError(
          'newer',
          `The index ${file} was made by a newer version; upgrade, or use another data folder.`,
        );
      for (const migration of migrations.slice(version)) {
        if (typeof migration === 'string') database.exec(migration);
        else migration(database);
      }
      database.pragma(`user_version = ${migrations.length}`);
    })
    .immediate();
}

function schemaVersion(database: Database): number {
  return Number(database.pragma('user_version', { simple: true }));
}
