/** Failures around the page cache on disk: killed processes, concurrent processes, a full disk. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { loadSqlite } from '../../src/base/sqlite.ts';
import { openCorpus } from '../../src/corpus/corpus.ts';
import { createIndexWriter } from '../../src/corpus/index/write-index.ts';
import { createIndexReader } from '../../src/corpus/search/read-index.ts';
import { openDatabase } from '../../src/corpus/sqlite/database.ts';
import type { PageCache } from '../../src/web/page-cache.ts';
import { createReader } from '../../src/web/reader.ts';
import { cachedPage } from '../support/cached-page.ts';
import { spawnScript } from '../support/processes/run-script.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { serveSite } from '../web/serve.ts';

const Sqlite = loadSqlite();

const folder = temporaryFolder();
/** `TEST_LONG=1` kills 100 times. */
const kills = process.env.TEST_LONG === '1' ? 100 : 2;
const roomy = 512 * 1024 * 1024;

function start(file: string, name: string, maxBytes: number, count?: number): ChildProcess {
  const args = [file, name, String(maxBytes), ...(count === undefined ? [] : [String(count)])];
  return spawnScript('cache-pages', args, { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** The whole lines it printed before it ended. */
async function linesOf(child: ChildProcess): Promise<[url: string, id: string][]> {
  let text = '';
  child.stdout?.on('data', (data) => (text += data));
  await once(child, 'close');
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line) => line.split(' ') as [string, string]);
}

function checkFile(file: string): void {
  const database = new Sqlite(file);
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(database.pragma('foreign_key_check')).toEqual([]);
  database.close();
}

describe('the page cache on disk', () => {
  it.each([
    ['with room for all', roomy],
    ['while it makes room', 100_000],
  ])(`keeps every page it has acknowledged when its process is killed ${kills} times %s`, async (name, maxBytes) => {
    const file = join(folder, `${name}.db`);
    const printed: [string, string][] = [];
    for (let round = 0; round < kills; round++) {
      const child = start(file, `round${round}`, maxBytes);
      const lines = linesOf(child);
      await once(child.stdout!, 'readable');
      await sleep(Math.random() * 150);
      child.kill('SIGKILL');
      printed.push(...(await lines));
    }
    expect(printed.length).toBeGreaterThanOrEqual(kills);
    checkFile(file);
    const corpus = await openCorpus({ file, bounds: { maxBytes } });
    for (const [url, id] of maxBytes === roomy ? printed : printed.slice(-1)) {
      expect((await corpus.pageCache.get(url))?.page.snapshot.id).toBe(id);
      expect((await corpus.pageCache.snapshot(id))?.url).toBe(url);
    }
    await corpus.close();
  });

  it('shares the page cache between processes with the same file, and stays within its bounds', async () => {
    const file = join(folder, 'shared.db');
    const maxBytes = 1_000_000;
    const corpus = await openCorpus({ file, bounds: { maxBytes } });
    const children = ['left', 'right'].map((name) => linesOf(start(file, name, maxBytes, 150)));
    const url = 'http://own.example/';
    for (let running = true, n = 0; running; n++) {
      await corpus.pageCache.put(url, cachedPage(url, `Own ${n}.`));
      // The others may have pushed it out meanwhile; nothing older may come back.
      expect([`Own ${n}.`, undefined]).toContain((await corpus.pageCache.get(url))?.page.snapshot.text);
      running = await Promise.race([Promise.all(children).then(() => false), sleep(5, true)]);
    }
    const printed = await Promise.all(children);
    expect(printed.map((lines) => lines.length)).toEqual([150, 150]);
    // The last page of the process that wrote last is there; that of the other may have been evicted.
    const last = printed.map((lines) => lines.at(-1)!);
    const kept = await Promise.all(
      last.map(async ([at, id]) => (await corpus.pageCache.get(at))?.page.snapshot.id === id),
    );
    expect(kept).toContain(true);
    await corpus.close();
    checkFile(file);
    const database = new Sqlite(file);
    const sizes = 'SELECT (SELECT sum(bytes) FROM readings) + (SELECT sum(bytes) FROM evictable)';
    const bytes = database.prepare(sizes).pluck().get();
    expect(bytes).toBeLessThanOrEqual(maxBytes);
    expect(bytes).toBeGreaterThan(0.95 * maxBytes);
    database.close();
  });

  it('fails no read while the disk is full, and logs that once until there is room again', async () => {
    const database = openDatabase(join(folder, 'full.db'), 'write');
    const writer = createIndexWriter(database);
    const rows = createIndexReader(database);
    const cache: PageCache = {
      get: async (url) => rows.cachedPage(url),
      put: async (url, cached) => writer.putCachedPage(url, cached, []),
      snapshot: async (id) => rows.snapshot(id),
    };
    const site = await serveSite((request, response) =>
      response.setHeader('content-type', 'text/plain').end(`Page ${request.url} ${'word '.repeat(5_000)}`),
    );
    const said: (string | undefined)[] = [];
    const reader = createReader({
      allowHosts: [`127.0.0.1:${site.port}`],
      cache,
      onCacheTrouble: (part, trouble) => said.push(`${part}: ${trouble?.message ?? 'works'}`),
    });
    const signal = AbortSignal.timeout(20_000);
    const read = async (path: string) => (await reader.read(`${site.base}${path}`, {}, signal)).info.from_cache;
    expect([await read('/a'), await read('/a')]).toEqual([false, true]);
    database.pragma(`max_page_count = ${database.pragma('page_count', { simple: true })}`);
    expect([await read('/b'), await read('/b'), await read('/c')]).toEqual([false, false, false]);
    expect(await read('/a')).toBe(true);
    expect(said).toEqual(['keeping: database or disk is full']);
    database.pragma('max_page_count = 1000000');
    expect([await read('/b'), await read('/b')]).toEqual([false, true]);
    expect(said).toEqual(['keeping: database or disk is full', 'keeping: works']);
    await Promise.all([reader.close(), site.close()]);
    database.close();
  });
});
