/** The migration of the index file to sources and their owners. */
import type { Database } from 'better-sqlite3';
import { documentation, ownerOfSource, sourceId } from '../../base/source-names.ts';
import { aboutOfName } from './source-tables.ts';

/**
 * Pages get an owner, and each owner has pages of their own, so what one account reads from an address is never
 * another's. Must run without foreign keys: the table of pages is made again, because SQLite cannot change what is unique in it.
 */
export function addOwners(database: Database): void {
  database.exec(`
    CREATE TABLE sources (
      id TEXT PRIMARY KEY,
      source TEXT NOT NULL,
      owner TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      about TEXT NOT NULL
    );
    CREATE INDEX sources_by_owner ON sources (owner);
    CREATE TABLE uploads (
      id TEXT PRIMARY KEY,
      digest TEXT NOT NULL,
      content BLOB NOT NULL
    );
    CREATE TABLE owned_pages (
      n INTEGER PRIMARY KEY,
      url TEXT NOT NULL,
      snapshot INTEGER NOT NULL REFERENCES snapshots,
      title TEXT NOT NULL,
      title_key TEXT NOT NULL,
      site TEXT NOT NULL,
      path TEXT NOT NULL,
      owner TEXT NOT NULL,
      UNIQUE (url, owner)
    );
    INSERT INTO owned_pages (n, url, snapshot, title, title_key, site, path, owner)
      SELECT n, url, snapshot, title, title_key, site, path,
        CASE WHEN EXISTS (SELECT 1 FROM entries AS e WHERE e.page = g.n AND e.source NOT LIKE 'packages:%')
          THEN '' ELSE '${documentation}' END
      FROM pages AS g;
    DROP TABLE pages;
    ALTER TABLE owned_pages RENAME TO pages;
    CREATE INDEX pages_by_place ON pages (site, path);
    CREATE INDEX pages_by_title ON pages (title_key);
    CREATE INDEX pages_by_snapshot ON pages (snapshot);
    CREATE INDEX pages_by_owner ON pages (owner);
  `);
  const counted = `SELECT e.source, count(DISTINCT p.n) AS passages FROM entries AS e
    LEFT JOIN passages AS p ON p.page = e.page GROUP BY e.source`;
  const add = database.prepare('INSERT INTO sources (id, source, owner, bytes, about) VALUES (?, ?, ?, 0, ?)');
  for (const { source, passages } of database.prepare(counted).all() as { source: string; passages: number }[])
    add.run(sourceId(source), source, ownerOfSource(source), JSON.stringify({ ...aboutOfName(source), passages }));
}
