/** The corpus in a file and in Postgres, under the same laws; and what only a file can be. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadSqlite } from '../../src/base/sqlite.ts';
import { openCorpus } from '../../src/corpus/corpus.ts';
import { explainFailure } from '../../src/corpus/corpus-error.ts';
import { createIndexWriter } from '../../src/corpus/index/write-index.ts';
import { newAbout } from '../../src/corpus/sources/source-tables.ts';
import { openDatabase } from '../../src/corpus/sqlite/database.ts';
import { corpusLaws } from '../contracts/corpus.ts';
import { hasPostgres, openPostgresServer, type TestPostgres } from '../support/servers/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const Sqlite = loadSqlite();
const folder = temporaryFolder();
let files = 0;

corpusLaws('a file', () => {
  files += 1;
  return openCorpus({ file: join(folder, `${files}`, 'index.db') });
});

describe.skipIf(!hasPostgres)('over a real Postgres', () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await openPostgresServer();
  });
  afterAll(() => server?.stop());

  corpusLaws('Postgres', async () => openCorpus({ file: '/nowhere', databaseUrl: await server.fresh() }));
});

describe('an index file', () => {
  it.each([
    ['damaged', 'corrupt', (file: string) => writeFileSync(file, 'not a database at all '.repeat(500))],
    ['made by a newer version', 'newer', (file: string) => new Sqlite(file).pragma('user_version = 99')],
    ['a folder', 'unopenable', (file: string) => mkdirSync(file)],
  ])('refuses an index file that is %s, and names the file', async (_, code, spoil) => {
    const file = join(folder, `${code}.db`);
    spoil(file);
    await expect(openCorpus({ file })).rejects.toMatchObject({ code, message: expect.stringContaining(file) });
  });

  it('holds everything by itself once it is closed, so that it can be copied', async () => {
    const docs = join(folder, 'docs');
    mkdirSync(docs);
    writeFileSync(join(docs, 'client.md'), '# Client\n\nIt waits for headers.\n');
    const alone = join(folder, 'closed');
    const corpus = await openCorpus({ file: join(alone, 'index.db'), threads: 2 });
    await corpus.index({ kind: 'folder', path: docs });
    expect(await corpus.stats()).toMatchObject({ pages: 1 });
    await corpus.close();
    expect(readdirSync(alone)).toEqual(['index.db']);
  });

  it('reports a full disk as disk_full, and keeps what was indexed before', () => {
    const file = join(folder, 'full.db');
    const page = join(folder, 'client.md');
    writeFileSync(page, '# Client\n\nIt waits for headers.\n');
    const database = openDatabase(file, 'write');
    const writer = createIndexWriter(database);
    const files = [{ path: page, key: 'a', url: 'file:///a', bytes: 1, format: { maxMegabytes: 5 } }];
    writer.addSource('s', newAbout('folder', 's'), undefined, undefined);
    expect(writer.indexFiles('s', files, '')).toEqual([{ key: 'a', was: 'added' }]);
    database.pragma(`max_page_count = ${database.pragma('page_count', { simple: true })}`);
    const text = 'word '.repeat(100_000);
    const grow = () => writer.putSnapshot({ url: 'file:///b', title: 'b', text }, '2024-01-01');
    expect(grow).toThrow();
    try {
      grow();
    } catch (error) {
      expect(explainFailure(error, file)).toMatchObject({ code: 'disk_full', message: expect.stringContaining(file) });
    }
    expect(writer.indexFiles('s', files, '')).toEqual([{ key: 'a', was: 'unchanged' }]);
    database.close();
  });

  it('reports a file that cannot be opened because the disk is full as disk_full', () => {
    const error = Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_SHMSIZE' });
    expect(explainFailure(error, '/data/index.db', (folder) => folder === '/data').code).toBe('disk_full');
    expect(explainFailure(error, '/data/index.db', () => false).code).toBe('unopenable');
  });
});
