/** The store over SQLite: the laws of all stores, and what applies only to files. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createAccounts } from '../../src/access/accounts.ts';
import { readConfig } from '../../src/base/config.ts';
import { loadSqlite } from '../../src/base/sqlite.ts';
import { checkDatabase } from '../../src/cli/doctor/database.ts';
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

  it.each<[string, (file: string) => void, RegExp]>([
    ['is empty', (file) => truncateSync(file), /is damaged \(it is empty, as after a full disk or a copy/],
    [
      'is empty beside its write-ahead log',
      (file) => [truncateSync(file), writeFileSync(`${file}-wal`, 'content')],
      /is damaged \(it is empty, but its write-ahead log is not\)/,
    ],
    [
      'is missing beside its write-ahead log',
      (file) => renameSync(file, `${file}-wal`),
      /is damaged \(it is missing, but its write-ahead log is there\)/,
    ],
    ['was cut short', (file) => truncateSync(file, 100_000), /is damaged \(database disk image is malformed\)/],
    [
      'is of another program',
      (file) => {
        rmSync(file);
        new Database(file).exec('create table theirs (a)').close();
      },
      /is damaged \(it is a database of another program\)/,
    ],
  ])('refuses a file that %s, changes nothing, and the doctor says so', async (_, damage, said) => {
    const where = fresh();
    await (await openStore(where)).close();
    damage(fileIn(where.dataDir));
    const contents = () => readdirSync(where.dataDir).map((name) => readFileSync(join(where.dataDir, name)).toString());
    const before = contents();
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const why = await openStore(where).catch((error: Error) => error.message);
      expect(why).toMatch(said);
      expect(why).toContain('restore <folder>');
    }
    expect(contents()).toEqual(before);
    const config = { ...readConfig({}), ...where };
    expect(await checkDatabase({ config, signal: AbortSignal.timeout(60_000) } as never)).toMatchObject({
      status: 'problem',
      message: expect.stringMatching(said),
    });
  });

  it('is read while another process writes to it, and what is written waits for five seconds', async () => {
    const where = fresh();
    const store = await openStore(where);
    const other = new Database(fileIn(where.dataDir));
    const accounts = createAccounts({ records: store.access });
    const write = (n: number) => accounts.createAccount({ name: `n${n}`, plan: 'pro' });
    try {
      other.exec('begin immediate');
      const begun = performance.now();
      const ended: string[] = [];
      const writes = [1, 2, 3, 4].map((n) => write(n).finally(() => ended.push('write')));
      const all = Promise.allSettled(writes);
      for (let n = 0; n < 10; n++) await accounts.listAccounts().then(() => ended.push('read'));
      expect(ended).toEqual(Array(10).fill('read'));
      const refused = { status: 'rejected', reason: expect.objectContaining({ code: 'overloaded' }) };
      expect(await all).toEqual(Array(4).fill(refused));
      expect(performance.now() - begun).toBeGreaterThan(4_900);
      expect(performance.now() - begun).toBeLessThan(15_000);
      const last = write(5);
      await sleep(500);
      other.exec('rollback');
      await last;
      expect((await accounts.listAccounts()).map(({ name }) => name)).toEqual(['n5']);
    } finally {
      other.close();
      await store.close();
    }
  });

  it('that turns out to be damaged while it is in use keeps callers waiting, and tells the operator which file it is', async () => {
    const where = fresh();
    const first = await openStore(where);
    const accounts = createAccounts({ records: first.access });
    for (let n = 0; n < 200; n += 1) await accounts.createKey({ name: `key ${n} ${'x'.repeat(60)}`, plan: 'pro' });
    await first.close();
    const reasons: string[] = [];
    const second = await openStore(where, { onTrouble: (reason) => reasons.push(reason) });
    const bytes = readFileSync(fileIn(where.dataDir));
    writeFileSync(fileIn(where.dataDir), bytes.fill('x', 4096), { flag: 'r+' });
    await expect(second.access.keys()).rejects.toMatchObject({
      code: 'overloaded',
      message: 'The database of the server is damaged.',
    });
    expect(reasons).toEqual([expect.stringMatching(/^The database .*citewire\.db is damaged .*restore <folder>/)]);
    await second.close();
  });

  it('takes up the first start of a process that was killed, whenever that was', async () => {
    // Before the file had content, and before its tables were committed.
    for (const begin of [
      (file: string) => writeFileSync(file, ''),
      (file: string) => void new Database(file).pragma('journal_mode = WAL'),
    ]) {
      const where = fresh();
      mkdirSync(where.dataDir);
      writeFileSync(`${fileIn(where.dataDir)}.new`, '');
      begin(fileIn(where.dataDir));
      await (await openStore(where)).close();
      expect(readdirSync(where.dataDir)).toEqual(['citewire.db']);
    }
  });

  it('has tables or can be opened again when its first process is killed at any moment', async () => {
    for (let wait = 0; wait < 6; wait += 1) {
      const where = fresh();
      const child = startOnStore('create-keys', where, 'endless');
      await expect.poll(() => existsSync(fileIn(where.dataDir)), { interval: 1 }).toBe(true);
      await sleep(wait * 4);
      child.kill('SIGKILL');
      await linesOf(child);
      await (await openStore(where)).close();
    }
  });

  it('is made once by processes that start together', async () => {
    const where = fresh();
    const stores = await Promise.all([1, 2, 3, 4].map(() => openStore(where)));
    for (const store of stores) await store.check();
    for (const store of stores) await store.close();
  });
});
