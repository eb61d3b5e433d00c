/** `citewire prune` beside a server: what is removed, what stays, and what the disk gets back. */
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SearchList } from '../../protocol/index.ts';
import { loadSqlite } from '../../src/base/sqlite.ts';
import { compactFile } from '../../src/cli/prune/compact-file.ts';
import { runCli } from '../support/processes/run-cli.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const question = { prompt: 'Who designed the Heron Point Lighthouse?' };

describe('pruning', () => {
  it('gives the room of a removed source back while a server runs, which searches and stores as before', async () => {
    await using app = await startTestApp();
    const folder = temporaryFolder();
    for (let n = 0; n < 60; n += 1)
      writeFileSync(join(folder, `${n}.md`), `# Page ${n}\n\n${`It has number ${n}. `.repeat(2_000)}`);
    await app.corpus.index({ kind: 'folder', path: folder });
    await app.corpus.forget(`folder:${folder}`);
    const before = statSync(join(app.dataDir, 'index.db')).size;
    const pruned = await runCli(['prune'], { DATA_DIR: app.dataDir });
    expect(pruned).toMatchObject({ code: 0, stderr: '' });
    expect(pruned.stdout.split('\n').map((line) => line.split('\t')[0])).toEqual([
      join(app.dataDir, 'citewire.db'),
      join(app.dataDir, 'index.db'),
      '',
    ]);
    for (const [, was, is] of pruned.stdout.matchAll(/\t(\d+) bytes\t(\d+) bytes/g)) {
      expect(Number(was)).toBeGreaterThanOrEqual(Number(is));
    }
    expect(statSync(join(app.dataDir, 'index.db')).size).toBeLessThan(before);
    expect(inIndex(app, 'pragma freelist_count')).toBe(0);
    const answer = await app.post('/v1/search', question);
    expect([answer.status, answer.headers.get('x-search-stored')]).toEqual([200, null]);
    expect(await answer.json()).toMatchObject({ status: 'answered' });
    writeFileSync(join(folder, 'new.md'), '# New\n\nA new page of its own.\n');
    expect(await app.corpus.index({ kind: 'folder', path: folder })).toMatchObject({ added: 61 });
    expect(app.faults).toEqual([]);
  });

  it('removes the searches that are older than the days that are given, and no others', async () => {
    await using app = await startTestApp();
    const listed = async () => ((await (await app.get('/v1/search')).json()) as SearchList).items.length;
    await app.post('/v1/search', question);
    await app.post('/v1/search', question);
    await expect.poll(listed).toBe(2);
    expect(await runCli(['prune', '--older-than', '1d'], { DATA_DIR: app.dataDir })).toMatchObject({ code: 0 });
    expect(await listed()).toBe(2);
    expect(await runCli(['prune', '--older-than', '0'], { DATA_DIR: app.dataDir })).toMatchObject({ code: 0 });
    expect(await listed()).toBe(0);
    expect(inIndex(app, 'select count(*) from cited')).toBe(0);
  });

  it('refuses an invalid number of days, a folder without data, and a database that was lost', async () => {
    const DATA_DIR = temporaryFolder();
    for (const days of ['soon', '-1', '1.5', '30h'])
      expect(await runCli(['prune', `--older-than=${days}`], { DATA_DIR })).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('Expected a whole number of days'),
      });
    expect(await runCli(['prune'], { DATA_DIR })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has none'),
    });
    writeFileSync(join(DATA_DIR, 'citewire.db'), '');
    expect(await runCli(['prune'], { DATA_DIR })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is empty'),
    });
    expect(statSync(join(DATA_DIR, 'citewire.db')).size).toBe(0);
  });
});

describe('compacting a file', () => {
  it('says that its log stays where somebody reads for too long, and empties it the next time', async () => {
    const file = join(temporaryFolder(), 'some.db');
    const Database = loadSqlite();
    const writer = new Database(file);
    writer.pragma('journal_mode = WAL');
    writer.exec('create table pages (content blob); insert into pages values (zeroblob(4000000)), (zeroblob(4000000))');
    writer.exec('delete from pages where rowid = 1');
    const reader = new Database(file);
    reader.exec('begin');
    reader.prepare('select count(*) from pages').get();
    const busy = await compactFile(file, 300);
    expect(busy.isLogLeft).toBe(true);
    expect(busy.after).toBe(statSync(file).size + statSync(`${file}-wal`).size);
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(4_000_000);
    reader.exec('rollback');
    const free = await compactFile(file, 300);
    expect(free.isLogLeft).toBe(false);
    expect(free.after).toBe(statSync(file).size);
    expect(free.after).toBeLessThan(5_000_000);
    reader.close();
    writer.close();
  });
});

/** The value that a statement of SQL gives. */
function inIndex({ dataDir }: TestApp, sql: string): unknown {
  const index = new (loadSqlite())(join(dataDir, 'index.db'), { readonly: true });
  try {
    return index.prepare(sql).pluck().get();
  } finally {
    index.close();
  }
}
