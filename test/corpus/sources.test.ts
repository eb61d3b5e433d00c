/** What is kept of sources, in a file and in Postgres, under the same laws; and an index file from before there were owners. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everySource } from '../../protocol/source-rules.ts';
import { loadSqlite } from '../../src/base/sqlite.ts';
import { openCorpus } from '../../src/corpus/corpus.ts';
import { openDatabase } from '../../src/corpus/sqlite/database.ts';
import { sourceLaws } from '../contracts/corpus/sources.ts';
import { hasPostgres, openPostgresServer, type TestPostgres } from '../support/servers/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
let files = 0;
const nextFile = () => join(folder, `${++files}`, 'index.db');

sourceLaws('a file', () => openCorpus({ file: nextFile() }));

describe.skipIf(!hasPostgres)('over a real Postgres', () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await openPostgresServer();
  });
  afterAll(() => server?.stop());

  sourceLaws('Postgres', async () => openCorpus({ file: '/nowhere', databaseUrl: await server.fresh() }));
});

describe('an index file from before sources had owners', () => {
  it('keeps its pages and passages, and lists its sources', async () => {
    const file = join(folder, 'old.db');
    openDatabase(file, 'write').close();
    const database = new (loadSqlite())(file);
    // What the migration makes, taken back.
    database.pragma('foreign_keys = OFF');
    database.exec(`
      DROP TABLE sources; DROP TABLE uploads; DROP TABLE taken; DROP TABLE passage_vectors; DROP TABLE passage_signs; DROP TABLE vector_space; DROP INDEX pages_by_owner; DROP TABLE pages;
      CREATE TABLE pages (n INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE, snapshot INTEGER NOT NULL REFERENCES snapshots,
        title TEXT NOT NULL, title_key TEXT NOT NULL, site TEXT NOT NULL, path TEXT NOT NULL);
      CREATE INDEX pages_by_place ON pages (site, path);
      INSERT INTO snapshots (n, id, url, title, fetched_at, text) VALUES (1, 'one', 'file:///docs/a.md', 'A', '2026-01-01', 'The walrus.');
      INSERT INTO pages VALUES (1, 'file:///docs/a.md', 1, 'A', 'a', '', 'docs/a.md');
      INSERT INTO passages VALUES (1, 1, 0, 11, '', 'The walrus.');
      INSERT INTO passage_words (rowid, title, headings, body) VALUES (1, 'a', '', 'the walrus');
      INSERT INTO entries VALUES ('folder:/home/me/docs', 'a.md', 'hash', 1);
      PRAGMA user_version = 5;
    `);
    database.close();
    const corpus = await openCorpus({ file });
    const found = await corpus.search({ text: 'walrus', limit: 5, rules: everySource }, new AbortController().signal);
    expect(found.map(({ text }) => text)).toEqual(['The walrus.']);
    expect(await corpus.storedSources()).toMatchObject([{ kind: 'folder', name: 'docs', pages: 1, passages: 1 }]);
    await corpus.close();
    const again = new (loadSqlite())(file);
    expect(again.pragma('foreign_key_check')).toEqual([]);
    again.close();
  });
});
