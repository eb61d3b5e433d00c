/** `citewire backup` of a server that is writing, and `citewire restore`: what comes back, and what is refused. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { startApp } from '../../src/app/app.ts';
import { readConfig } from '../../src/base/config.ts';
import { createLog } from '../../src/base/log.ts';
import { loadSqlite } from '../../src/base/sqlite.ts';
import { backup } from '../../src/cli/backup/backup.ts';
import { interruptedBeside } from '../../src/cli/backup/unfinished.ts';
import { runCli } from '../support/processes/run-cli.ts';
import { smallDisks } from '../support/processes/small-disk.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const cli = fileURLToPath(new URL('../../tools/start.js', import.meta.url));
const question = 'Who designed the Heron Point Lighthouse?';

interface Stored {
  readonly search_id: string;
  readonly result: { readonly citations: readonly { readonly snapshot: string }[] };
}

describe('a backup', () => {
  it('is of one point in time while searches and pages are written, and comes back whole', async () => {
    await using app = await startTestApp();
    const folder = temporaryFolder();
    const load = keepWriting(app, folder);
    await expect.poll(() => load.written()).toBeGreaterThan(3);
    const target = join(folder, 'backup');
    const made = await runCli(['backup', target], { DATA_DIR: app.dataDir });
    expect([made.code, made.stderr]).toEqual([0, '']);
    const during = load.written();
    await expect.poll(() => load.written()).toBeGreaterThan(during);
    await load.stop();
    expect(app.faults).toEqual([]);
    expect(made.stdout.trim().split('\n')).toHaveLength(2);
    expect(readdirSync(target).sort()).toEqual(['citewire.db', 'index.db', 'manifest.json']);
    for (const name of readdirSync(target)) expect(statSync(join(target, name)).mode & 0o077).toBe(0);

    const dataDir = join(folder, 'restored');
    const restored = await runCli(['restore', target], { DATA_DIR: dataDir });
    expect(restored).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Restored the backup of \d{4}-.*\n$/) });
    await using again = await startAgain(dataDir);
    const { items: searches } = await again.get<{ items: Stored[] }>('/v1/search?limit=100', app.key);
    expect(searches.length).toBeGreaterThan(3);
    for (const { search_id } of searches) {
      const { result } = await again.get<Stored>(`/v1/search/${search_id}`, app.key);
      expect(result.citations.length).toBeGreaterThan(0);
      for (const { snapshot } of result.citations) await again.get(`/v1/contents/${snapshot}`, app.key);
    }
  });

  it('can be read by its owner alone while it is written, also in a folder that others can read', async () => {
    const [dataDir, target] = [temporaryFolder(), temporaryFolder()];
    chmodSync(target, 0o755);
    const database = new (loadSqlite())(join(dataDir, 'citewire.db'));
    // More pages than are copied at a time.
    database.exec('create table migrations (name); create table a (b); insert into a values (zeroblob(60000000))');
    database.close();
    const modes: number[] = [];
    let isOver = false;
    const look = () => {
      const mode = statSync(join(target, 'citewire.db.partial'), { throwIfNoEntry: false })?.mode;
      if (mode !== undefined) modes.push(mode & 0o777);
      if (!isOver) setImmediate(look);
    };
    look();
    const before = process.umask(0);
    try {
      await backup(target, { ...readConfig({}), dataDir });
    } finally {
      process.umask(before);
      isOver = true;
    }
    expect(modes.length).toBeGreaterThan(1);
    expect(new Set(modes)).toEqual(new Set([0o600]));
  });

  it('refuses a folder with files, and a data folder without a database', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'mine.txt'), '');
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    expect((await runCli(['backup', join(folder, 'x')], { DATA_DIR: empty })).stderr).toContain('Expected a database');
    await runCli(['accounts', 'create', '--plan', 'pro', '--name', 'x'], { DATA_DIR: empty });
    const { code, stderr } = await runCli(['backup', folder], { DATA_DIR: empty });
    expect([code, stderr]).toEqual([1, expect.stringContaining('Expected a new or an empty folder')]);
    const nowhere = await runCli(['backup', '/proc/citewire/x'], { DATA_DIR: empty });
    expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringContaining('expected a folder')]);
    const postgres = { DATA_DIR: empty, DATABASE_URL: 'postgres://127.0.0.1:9/x', CORPUS: 'sqlite' };
    expect((await runCli(['backup', join(folder, 'y')], postgres)).stderr).toContain('has none');
    await runCli(['index', folder], { DATA_DIR: empty });
    const index = await runCli(['backup', join(folder, 'z')], postgres);
    expect([index.code, index.stderr]).toEqual([0, expect.stringContaining('pg_dump')]);
    expect(existsSync(join(folder, 'z', 'citewire.db'))).toBe(false);
  });

  it('that was killed is no backup: a restore refuses it, and the next one clears it away, or names it', async () => {
    const dataDir = temporaryFolder();
    const parent = temporaryFolder();
    await runCli(['accounts', 'create', '--plan', 'pro', '--name', 'x'], { DATA_DIR: dataDir });
    const database = new (loadSqlite())(join(dataDir, 'citewire.db'));
    database.exec('create table large (b); insert into large values (zeroblob(200000000))');
    database.close();
    const target = join(parent, 'monday');
    const env = { PATH: process.env.PATH ?? '', DATA_DIR: dataDir };
    const child = spawn(process.execPath, [cli, 'backup', target], { env, stdio: 'ignore' });
    const ended = once(child, 'close');
    await expect
      .poll(() => statSync(join(target, 'citewire.db.partial'), { throwIfNoEntry: false })?.size ?? 0, { interval: 2 })
      .toBeGreaterThan(0);
    child.kill('SIGSTOP');
    const during = await runCli(['backup', target], { DATA_DIR: dataDir });
    child.kill('SIGKILL');
    await ended;
    expect([during.code, during.stderr]).toEqual([1, expect.stringContaining('another backup is being written to')]);
    expect(readdirSync(target)).not.toContain('citewire.db');
    const refused = await runCli(['restore', target], { DATA_DIR: join(parent, 'data') });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('which was interrupted')]);

    const beside = await runCli(['backup', join(parent, 'tuesday')], { DATA_DIR: dataDir });
    expect(beside).toMatchObject({ code: 0, stderr: expect.stringContaining(`${target} was left by an interrupted`) });
    const again = await runCli(['backup', target], { DATA_DIR: dataDir });
    expect(again).toMatchObject({ code: 0, stderr: `Removed what an interrupted backup had left in ${target}.\n` });
    expect(readdirSync(target).sort()).toEqual(['citewire.db', 'manifest.json']);
    expect(await runCli(['restore', target], { DATA_DIR: join(parent, 'data') })).toMatchObject({ code: 0 });
  });

  it('is complete also where the folders beside it cannot be listed', () => {
    const closed = join(temporaryFolder(), 'none', 'target');
    expect(interruptedBeside(closed)).toEqual([]);
  });

  it('is not made of a database that has lost its content, and touches nothing of it', async () => {
    const dataDir = temporaryFolder();
    writeFileSync(join(dataDir, 'citewire.db'), '');
    writeFileSync(join(dataDir, 'citewire.db-wal'), 'the last changes');
    const target = join(temporaryFolder(), 'b');
    const { code, stderr } = await runCli(['backup', target], { DATA_DIR: dataDir });
    expect([code, stderr]).toEqual([1, expect.stringContaining('it is empty, but its write-ahead log is not')]);
    expect(existsSync(target)).toBe(false);
    expect(readFileSync(join(dataDir, 'citewire.db-wal'), 'utf8')).toBe('the last changes');
    rmSync(join(dataDir, 'citewire.db-wal'));
    expect((await runCli(['backup', target], { DATA_DIR: dataDir })).stderr).toContain('it is empty, as after');
  });

  it.skipIf(!smallDisks[0]!.isPossible)('to a full disk, and its restore to one, leave nothing there', async () => {
    const dataDir = temporaryFolder();
    const disk = temporaryFolder();
    const made = temporaryFolder();
    await runCli(['accounts', 'create', '--plan', 'pro', '--name', 'x'], { DATA_DIR: dataDir });
    await runCli(['backup', join(made, 'b')], { DATA_DIR: dataDir });
    const onFullDisk = (...args: string[]) => {
      const script = `head -c 100M /dev/zero >'${disk}/filler'; truncate -s -100K '${disk}/filler'; "$@"; ls '${disk}'/*`;
      const [program = '', ...rest] = [
        ...smallDisks[0]!.through(disk),
        'sh',
        '-c',
        script,
        'sh',
        process.execPath,
        cli,
      ];
      const env = { PATH: process.env.PATH, DATA_DIR: args[0] === 'restore' ? `${disk}/data` : dataDir };
      return spawnSync(program, [...rest, ...args], { env, encoding: 'utf8' });
    };
    const backup = onFullDisk('backup', `${disk}/b`);
    expect(backup.stderr).toMatch(/citewire: The backup could not be written to .*\/b: .*full/);
    expect(backup.stdout).toBe(`${disk}/filler\n\n${disk}/b:\n`);
    const restore = onFullDisk('restore', join(made, 'b'));
    expect(restore.stderr).toMatch(/citewire: .*no space/);
    expect(restore.stdout).not.toContain('restoring');
  });
});

describe('a restore', () => {
  it('that was killed half way is no new folder: the server and the doctor say so, and a second one completes it', async () => {
    await using app = await startTestApp();
    const folder = temporaryFolder();
    const target = join(folder, 'backup');
    expect(await runCli(['backup', target], { DATA_DIR: app.dataDir })).toMatchObject({ code: 0 });
    const dataDir = join(folder, 'half');
    mkdirSync(dataDir);
    copyFileSync(join(target, 'index.db'), join(dataDir, 'index.db'));
    copyFileSync(join(target, 'citewire.db'), join(dataDir, 'citewire.db.restoring'));

    const why = `${join(dataDir, 'citewire.db')} is missing, because a restore was stopped before its end.`;
    await expect(startAgain(dataDir)).rejects.toThrow(why);
    expect(existsSync(join(dataDir, 'citewire.db'))).toBe(false);
    expect((await runCli(['doctor'], { DATA_DIR: dataDir })).stdout).toContain(why);
    expect(await runCli(['restore', target], { DATA_DIR: dataDir })).toMatchObject({ code: 0 });
    await using again = await startAgain(dataDir);
    expect(await again.get<object>('/v1/search', app.key)).toMatchObject({ items: [] });
  });

  it('is refused while a server runs, and replaces nothing without keeping it', async () => {
    const folder = temporaryFolder();
    const target = join(folder, 'backup');
    const app = await startTestApp();
    const env = { DATA_DIR: app.dataDir };
    expect((await runCli(['backup', target], env)).code).toBe(0);
    const during = await runCli(['restore', target], env);
    expect([during.code, during.stderr]).toEqual([1, expect.stringContaining('stop it, then restore')]);
    expect((await app.post('/v1/search', { prompt: question })).status).toBe(200);
    await app.close(0);
    const after = await runCli(['restore', target], env);
    expect(after.code).toBe(0);
    const kept = /it replaced are in (\S+)\.\n/.exec(after.stderr)![1]!;
    expect(readdirSync(kept)).toEqual(expect.arrayContaining(['citewire.db', 'index.db']));
    rmSync(app.dataDir, { recursive: true });
  });

  it.each([
    ['another content', (target: string) => overwrite(join(target, 'citewire.db')), 'has changed since the backup'],
    ['another length', (target: string) => appendFileSync(join(target, 'index.db'), 'x'), 'bytes; got'],
    ['a missing file', (target: string) => rmSync(join(target, 'citewire.db')), 'got no file'],
    ['no manifest', (target: string) => rmSync(join(target, 'manifest.json')), 'Expected the folder of a backup'],
    [
      'a manifest that names a file elsewhere',
      (target: string) => {
        const path = join(target, 'manifest.json');
        writeFileSync(path, readFileSync(path, 'utf8').replace('citewire.db', '../../x.db'));
      },
      'Expected the folder of a backup',
    ],
  ])('is refused, and changes nothing, with %s', async (_, damage, said) => {
    const folder = temporaryFolder();
    const env = { DATA_DIR: join(folder, 'data') };
    await runCli(['accounts', 'create', '--plan', 'pro', '--name', 'x'], env);
    writeFileSync(join(folder, 'page.md'), '# A page\n\nWith a text.\n');
    await runCli(['index', join(folder, 'page.md')], env);
    const target = join(folder, 'backup');
    await runCli(['backup', target], env);
    damage(target);
    const before = readdirSync(env.DATA_DIR);
    const { code, stderr } = await runCli(['restore', target], env);
    expect([code, stderr]).toEqual([1, expect.stringContaining(said)]);
    expect(readdirSync(env.DATA_DIR)).toEqual(before);
  });
});

describe('a backup of a newer version', () => {
  it.each([
    ['citewire.db', "insert into migrations (name, applied_at) values ('999-later', '')"],
    ['index.db', 'pragma user_version = 999'],
  ])('is refused by a restore, which changes nothing: %s', async (name, change) => {
    const folder = temporaryFolder();
    const env = { DATA_DIR: join(folder, 'data') };
    await runCli(['accounts', 'create', '--plan', 'pro', '--name', 'x'], env);
    writeFileSync(join(folder, 'page.md'), '# A page\n\nWith a text.\n');
    await runCli(['index', join(folder, 'page.md')], env);
    const database = new (loadSqlite())(join(env.DATA_DIR, name));
    database.exec(change);
    database.close();
    const target = join(folder, 'backup');
    expect(await runCli(['backup', target], env)).toMatchObject({ code: 0 });
    const before = readdirSync(env.DATA_DIR);
    const { code, stderr } = await runCli(['restore', target], env);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/which made it, is newer\. Restore it with that/)]);
    expect(readdirSync(env.DATA_DIR)).toEqual(before);
  });
});

function overwrite(path: string): void {
  const bytes = readFileSync(path);
  bytes[bytes.length - 100]! ^= 1;
  writeFileSync(path, bytes);
}

/** Searches and indexes without a pause; `written` counts the searches. */
function keepWriting(app: TestApp, folder: string) {
  const pages = join(folder, 'pages');
  mkdirSync(pages);
  let count = 0;
  let isOn = true;
  const searching = (async () => {
    while (isOn) {
      const response = await app.post('/v1/search', { prompt: question });
      expect(response.status).toBe(200);
      await response.json();
      count += 1;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  const indexing = (async () => {
    for (let n = 0; isOn; n += 1) {
      writeFileSync(join(pages, `${n % 50}.md`), `# Page ${n}\n\n${`It has the number ${n}. `.repeat(50)}\n`);
      await app.corpus.index({ kind: 'folder', path: pages });
    }
  })();
  return {
    written: () => count,
    async stop() {
      isOn = false;
      await Promise.all([searching, indexing]);
    },
  };
}

async function startAgain(dataDir: string) {
  const config = readConfig({ PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
  const app = await startApp(config, createLog('silent'));
  return {
    async get<Body>(path: string, key: string): Promise<Body> {
      const response = await fetch(app.url + path, { headers: { 'x-api-key': key } });
      expect(response.status, path).toBe(200);
      return (await response.json()) as Body;
    },
    [Symbol.asyncDispose]: () => app.close(0),
  };
}
