/**
 * The index file: one SQLite database that several threads and several processes may have open. Readers never wait
 * (WAL); writers take turns (BEGIN IMMEDIATE, five seconds of patience).
 *
 *   snapshots  pages as they were read, immutable; also the page cache's. Nothing removes one yet: whatever will must
 *              keep those that `pages` points at and those that a stored answer cites.
 *   pages      the URLs that can be found, each with its newest snapshot and its place (site and path) for source rules
 *   passages   their passages; the text is repeated here so that ranking fifty never loads fifty whole pages
 *   passage_words  the full-text index over passages, contentless: it holds words and positions only
 *   entries    which source brought which page, with the hash of its bytes: what makes indexing incremental
 */
import Sqlite, { type Database } from 'better-sqlite3';
import { CorpusError } from './corpus-error.ts';

const migrations: readonly string[] = [
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
];

/** Opens the file for one thread; for writing, it is created and brought to the newest schema first. */
export function openDatabase(file: string, mode: 'read' | 'write'): Database {
  const database = new Sqlite(file, { readonly: mode === 'read', timeout: 5000 });
  try {
    database.pragma('cache_size = -32000');
    if (mode === 'read') return database;
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = NORMAL');
    database.pragma('foreign_keys = ON');
    migrate(database, file);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
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
      for (const migration of migrations.slice(version)) database.exec(migration);
      database.pragma(`user_version = ${migrations.length}`);
    })
    .immediate();
}

function schemaVersion(database: Database): number {
  return Number(database.pragma('user_version', { simple: true }));
}
