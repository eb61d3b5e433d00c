/** A server that is given a Postgres: what was indexed before is still in its file, and the server says so until it is copied. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCorpus } from '../../src/corpus/corpus.ts';
import { runCli } from '../support/processes/run-cli.ts';
import { startServe } from '../support/processes/start-process.ts';
import { hasPostgres, openPostgresServer, type TestPostgres } from '../support/servers/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
const docs = join(folder, 'docs');
const dataDir = join(folder, 'data');
const file = join(dataDir, 'index.db');
const signal = new AbortController().signal;

describe.skipIf(!hasPostgres)('an index from before there was a Postgres', () => {
  let server: TestPostgres;
  let databaseUrl: string;
  beforeAll(async () => {
    server = await openPostgresServer();
    databaseUrl = await server.fresh();
    mkdirSync(docs);
    for (const n of [1, 2, 3]) writeFileSync(join(docs, `${n}.md`), `# Ibis ${n}\n\nThe ibis number ${n} wades.\n`);
    const before = await openCorpus({ file });
    await before.index({ kind: 'folder', path: docs });
    const cited = await before.putSnapshot({ url: 'https://a.example/', title: 'A', text: 'Cited.' });
    await before.pin('s_1', [cited], '2026-01-01T00:00:00.000Z');
    await before.close();
  });
  afterAll(() => server?.stop());

  const logged = async (settings: Record<string, string> = {}) => {
    const serving = startServe({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, LOG_FORMAT: 'json', ...settings });
    const seen: string[] = [];
    serving.child.stderr!.on('data', (bytes) => seen.push(String(bytes)));
    serving.child.stdout!.on('data', (bytes) => seen.push(String(bytes)));
    await serving.listening;
    await expect.poll(() => seen.join('')).toMatch(/not in Postgres|is missing in Postgres/);
    serving.child.kill('SIGTERM');
    await serving.ended;
    return seen.join('');
  };

  it('is named at the start with its number of pages, until they are copied', async () => {
    expect(await logged()).toMatch(
      /3 pages of \S+index\.db, and 1 that searches cite, are not in Postgres.*corpus move --to postgres/,
    );
    const move = ['corpus', 'move', '--to', 'postgres'];
    const { stdout, stderr } = await runCli(move, { DATABASE_URL: databaseUrl, DATA_DIR: dataDir });
    expect(stdout).toContain('3 pages (3 new) and 1 citation are in postgres');
    expect(stderr).toContain('Only the index and what searches cite are copied');
    const after = await logged();
    expect(after).toContain('is missing in Postgres');
    expect(after).not.toContain('not in Postgres');
  });

  it('is counted page by page', async () => {
    const corpus = await openCorpus({ file: '/nowhere', databaseUrl });
    try {
      expect(await corpus.leftBehind(file, signal)).toEqual({ pages: 0, cited: 0 });
      expect(await corpus.leftBehind(join(folder, 'none.db'), signal)).toEqual({ pages: 0, cited: 0 });
      await corpus.forget(`folder:${docs}`);
      expect(await corpus.leftBehind(file, signal)).toEqual({ pages: 3, cited: 0 });
    } finally {
      await corpus.close();
    }
  });

  it('comes with keys that are not used, which the server says until they are revoked', async () => {
    const DATA_DIR = join(folder, 'with-keys');
    const local = { DATA_DIR, LOG_LEVEL: 'silent' };
    await runCli(['keys', 'create', '--plan', 'starter'], local);
    const { stdout: listed } = await runCli(['keys', 'list'], local);
    await (await openCorpus({ file: join(DATA_DIR, 'index.db') })).close();
    expect(await logged({ DATA_DIR })).toMatch(/"keys":1,.*1 key of \S+citewire\.db is not used/);
    await runCli(['keys', 'revoke', listed.split('\t')[0]!], local);
    expect(await logged({ DATA_DIR })).not.toContain('are not used');
  });
});
