/** Sources in the index file: the synchronous reader and writer for one connection. The tables are made by add-owners.ts. */
import { createHash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { documentation, ownerOfSource, sourceId } from '../../base/source-names.ts';
import type { ListedPage } from '../../engine/ports/corpus.ts';
import type { SourceAbout } from '../../sources/source-index.ts';
import { checkReach, listReach } from '../index/source-filter.ts';
import { createPrepare, type Prepare } from '../sqlite/prepare.ts';
import { type SourceReader, type SourceRow, type SourceWriter, sortPages, toStoredSources } from './source-tables.ts';

/** Throws SQLite's errors. */
export function createSourceReader(prepare: Prepare): SourceReader {
  return {
    storedSources(owner) {
      const sql = `SELECT source, bytes, about, (SELECT count(*) FROM entries AS e WHERE e.source = s.source) AS pages,
          (SELECT address FROM addresses AS a WHERE a.source = s.source) AS address
        FROM sources AS s`;
      const rows =
        owner === undefined
          ? prepare(sql).all()
          : prepare(`${sql} WHERE owner IN ('', '${documentation}', ?)`).all(owner);
      return toStoredSources(rows as SourceRow[]);
    },
    hasPage: (url, sources) =>
      prepare(`SELECT 1 FROM pages AS g JOIN entries AS e ON e.page = g.n
        WHERE g.url = ? AND e.source IN (SELECT value FROM json_each(?)) LIMIT 1`).get(url, JSON.stringify(sources)) !==
      undefined,
    pageAt(url, reach) {
      const { sql, values } = checkReach(reach);
      const found = prepare(`SELECT s.id FROM pages AS g JOIN snapshots AS s ON s.n = g.snapshot
        WHERE g.url = ? AND ${sql} ORDER BY s.fetched_at DESC LIMIT 1`);
      return found.pluck().get(url, ...values) as string | undefined;
    },
    pages(reach, max) {
      const { sql, values } = listReach(reach);
      const rows = prepare(`SELECT g.url, g.title FROM (${sql} LIMIT ? + 0) AS r
        CROSS JOIN pages AS g ON g.n = r.n`).all(...values, max + 1) as ListedPage[];
      return rows.length > max ? [] : sortPages(rows);
    },
    ownsPages: (owner) =>
      prepare("SELECT 1 FROM pages WHERE owner = ? AND owner <> '' LIMIT 1").get(owner) !== undefined,
  };
}

/**
 * Keeps the byte counts of sources right as their pages change, so that the limit of an account can be checked with each
 * page. Its functions work within the transaction that they are called in.
 */
export function createSourceSizes(prepare: Prepare) {
  return {
    isThere: (source: string) => prepare('SELECT 1 FROM sources WHERE id = ?').get(sourceId(source)) !== undefined,
    ofOwner: (owner: string) =>
      prepare('SELECT ifnull(sum(bytes), 0) FROM sources WHERE owner = ?').pluck().get(owner) as number,
    /** Bytes of the texts of these pages, by the sources that have them. */
    onPages(pages: readonly number[]): ReadonlyMap<string, number> {
      const rows = prepare(`SELECT e.source, sum(octet_length(s.text)) FROM entries AS e
        JOIN pages AS g ON g.n = e.page JOIN snapshots AS s ON s.n = g.snapshot
        WHERE e.page IN (SELECT value FROM json_each(?)) GROUP BY e.source`);
      return new Map(rows.raw().all(JSON.stringify(pages)) as [string, number][]);
    },
    /** Adds the difference of what `onPages` returned before and after a change of pages. */
    change(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): void {
      const add = prepare('UPDATE sources SET bytes = bytes + ? WHERE id = ? AND id NOT IN (SELECT id FROM uploads)');
      for (const source of new Set([...before.keys(), ...after.keys()]))
        add.run((after.get(source) ?? 0) - (before.get(source) ?? 0), sourceId(source));
    },
  };
}

/** Throws SQLite's errors. */
export function createSourceWriter(database: Database): SourceWriter {
  const prepare = createPrepare(database);

  function change(source: string, changes: Partial<SourceAbout>): boolean {
    const id = sourceId(source);
    const about = prepare('SELECT about FROM sources WHERE id = ?').pluck().get(id) as string | undefined;
    if (about === undefined) return false;
    prepare('UPDATE sources SET about = ? WHERE id = ?').run(
      JSON.stringify({ ...JSON.parse(about), ...changes, touched_at: Date.now() }),
      id,
    );
    return true;
  }

  return {
    addSource: database.transaction((...[source, about, content, limits]: Parameters<SourceWriter['addSource']>) => {
      const [id, owner, bytes] = [sourceId(source), ownerOfSource(source), content?.byteLength ?? 0];
      if (prepare('SELECT 1 FROM sources WHERE id = ?').get(id) !== undefined) return 'known';
      if (limits !== undefined) {
        const held = prepare('SELECT count(*) AS sources, ifnull(sum(bytes), 0) AS bytes FROM sources WHERE owner = ?');
        const own = held.get(owner) as { sources: number; bytes: number };
        if (own.sources >= limits.sources) return 'too_many';
        if (own.bytes + bytes > limits.bytes) return 'too_large';
      }
      prepare('INSERT INTO sources (id, source, owner, bytes, about) VALUES (?, ?, ?, ?, ?)').run(
        id,
        source,
        owner,
        bytes,
        JSON.stringify(about),
      );
      if (content !== undefined) {
        const digest = createHash('sha256').update(content).digest('hex');
        prepare('INSERT INTO uploads (id, digest, content) VALUES (?, ?, ?)').run(id, digest, content);
      }
      return 'added';
    }).immediate,

    noteSource: database.transaction(change).immediate,

    settleSource: database.transaction((source: string, changes: Partial<SourceAbout>) => {
      const counted = prepare(`SELECT count(*) AS passages FROM passages
        WHERE page IN (SELECT page FROM entries WHERE source = ?)`).get(source) as { passages: number };
      const text = prepare(`SELECT ifnull(sum(octet_length(s.text)), 0) FROM entries AS e
        JOIN pages AS g ON g.n = e.page JOIN snapshots AS s ON s.n = g.snapshot WHERE e.source = ?`);
      prepare('UPDATE sources SET bytes = ? WHERE id = ? AND id NOT IN (SELECT id FROM uploads)').run(
        text.pluck().get(source),
        sourceId(source),
      );
      return change(source, { ...changes, ...counted });
    }).immediate,

    takeSource: database.transaction((source: string, touched_at: number) => {
      const sql = "SELECT 1 FROM sources WHERE id = ? AND json_extract(about, '$.touched_at') = ?";
      return prepare(sql).get(sourceId(source), touched_at) !== undefined && change(source, { state: 'waiting' });
    }).immediate,

    keepSources: database.transaction((sources: readonly string[]) => {
      for (const source of sources) change(source, {});
    }).immediate,

    dropSource: database.transaction((source: string) => {
      prepare('DELETE FROM uploads WHERE id = ?').run(sourceId(source));
      prepare('DELETE FROM sources WHERE id = ?').run(sourceId(source));
    }).immediate,

    upload(source) {
      const sql = 'SELECT digest, content FROM uploads WHERE id = ?';
      return prepare(sql).get(sourceId(source)) as { digest: string; content: Buffer } | undefined;
    },
  };
}
