/** The store over SQLite: the laws of all stores, and what applies only to files. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createAccounts } from '../../src/access/accounts.ts';
import { loadSqlite } from '../../src/base/sqlite.ts';
import { openStore } from '../../src/store/store.ts';
import { describeStore } from '../contracts/store.ts';
import { linesOf, startOnStore } from '../support/processes/store-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const Database = loadSqlite();

const folder = temporaryFolder();
let folders = 0;
const fresh = () => ({ dataDir: `${folder}/${++folders}` });
const fileIn = (dataDir: string) => join(dataDir, 'citewire.db');

describeStore({
  name: 'SQLite',
  fresh: async () => fresh(),
  async query({ dataDir }, sql) {
    const database = new Database(fileIn(dataDir));
    try {
      const statement = database.prepare<[], Record<string, unknown>>(sql);
      if (statement.reader) return statement.all();
      statement.run();
      return [];
    } finally {
      database.close();
    }
  },
  replacing: [
    'insert or replace into …',
    'replace into …',
    'insert or ignore into …',
    'insert into … on conflict do update set content = excluded.content',
  ],
  content: async ({ dataDir }) => Buffer.concat(readdirSync(dataDir).map((name) => readFileSync(join(dataDir, name)))),
});

describe('the file of the store', () => {
  it('makes the file of the store readable only by its owner', async () => {
    const { dataDir } = fresh();
    const store = await openStore({ dataDir });
    await createAccounts({ records: store.access }).createAccount({ name: 'one', plan: 'pro' });
    const modes = ['.', ...readdirSync(dataDir)].map((name) => [name, statSync(join(dataDir, name)).mode & 0o777]);
    expect(modes).toEqual([
      ['.', 0o700],
      ['citewire.db', 0o600],
      ['citewire.db-shm', 0o600],
      ['citewire.db-wal', 0o600],
    ]);
    await store.close();
    chmodSync(fileIn(dataDir), 0o644);
    await (await openStore({ dataDir })).close();
    expect(statSync(fileIn(dataDir)).mode & 0o777).toBe(0o600);
  });

  it('keeps the file of the store intact when its process is killed', async () => {
    const where = fresh();
    const child = startOnStore('create-keys', where, 'endless');
    child.stdout!.once('data', () => child.kill('SIGKILL'));
    expect((await linesOf(child)).length).toBeGreaterThan(0);
    const database = new Database(fileIn(where.dataDir), { readonly: true });
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    database.close();
  });

  it('names the file when it is damaged or no file, and says what to do', async () => {
    const damaged = fresh();
    mkdirSync(damaged.dataDir);
    writeFileSync(fileIn(damaged.dataDir), 'not a database at all '.repeat(500));
    const why = await openStore(damaged).catch((error: Error) => error.message);
    expect(why).toMatch(
      /^The database .*citewire\.db is damaged \(.+\)\. Stop the server and run ".*restore <folder>"/,
    );
    expect(why).toContain(fileIn(damaged.dataDir));
    const unopenable = fresh();
    mkdirSync(fileIn(unopenable.dataDir), { recursive: true });
    await expect(openStore(unopenable)).rejects.toThrow(/^The database .*citewire\.db cannot be opened for reading/);
  });
});
