/** Sources that were waiting or being read when their server stopped or died are read by the next one. */
import { mkdtempSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { IndexedSource, IndexedSourceList } from '../../protocol/index.ts';
import { type App, startApp } from '../../src/app/app.ts';
import { readConfig } from '../../src/base/config.ts';
import { createLog } from '../../src/base/log.ts';
import { loadSqlite } from '../../src/base/sqlite.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'citewire-resume-'));
const held: ServerResponse[] = [];
let isOpen = false;
const site = createServer((request, response) => {
  if (request.url === '/robots.txt') return response.writeHead(404).end();
  response.setHeader('content-type', 'text/html');
  if (!isOpen) return void held.push(response);
  response.end(`<title>Page</title><p>The page ${request.url} was read at last.</p>`);
});
beforeAll(() => new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  site.closeAllConnections();
  site.close();
});
const host = () => `127.0.0.1:${(site.address() as AddressInfo).port}`;

async function start(): Promise<App> {
  const env = { PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'error', TRANSPORT: 'node', FETCH_ALLOW_HOSTS: host() };
  const out = new Writable({ write: (_, __, done) => done() }) as NodeJS.WriteStream;
  return startApp(readConfig(env), createLog('error', { out }));
}
const call = async <T>(app: App, key: string, path: string, init: RequestInit = {}): Promise<T> =>
  (await fetch(app.url + path, {
    ...init,
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
  }).then((response) => response.json())) as T;
const statesOf = async (app: App, key: string) =>
  Object.fromEntries(
    (await call<IndexedSourceList>(app, key, '/v1/sources')).items.map(({ name, state }) => [
      name.split('/').at(-1),
      state,
    ]),
  );

it('goes on with them, once, and leaves those of a suspended account alone', async () => {
  const first = await start();
  const key = first.developmentKey!.plaintext;
  const away = await first.accounts.createKey({ name: 'away', plan: 'starter' });
  const names = ['a', 'b', 'c', 'd'];
  for (const name of names) {
    const body = JSON.stringify({ url: `http://${host()}/${name}` });
    await call<IndexedSource>(first, key, '/v1/sources', { method: 'POST', body });
  }
  await call(first, away.plaintext, '/v1/sources', {
    method: 'POST',
    body: JSON.stringify({ url: `http://${host()}/x` }),
  });
  // Some are being read, and others wait for their turn.
  await expect.poll(() => held.length).toBeGreaterThan(0);
  await expect.poll(async () => Object.values(await statesOf(first, key))).toContain('indexing');
  expect(Object.values(await statesOf(first, key))).toContain('waiting');
  await first.accounts.setStatus(away.account.id, 'suspended');
  await first.close(0);

  // One of them looks as if its server had died long ago.
  const Database = loadSqlite();
  const database = new Database(join(dataDir, 'index.db'));
  const stored = database.prepare('SELECT id, source, about FROM sources').all() as Record<string, string>[];
  const states = Object.fromEntries(
    stored.map(({ source, about }) => [source!.split('/').at(-1), JSON.parse(about!).state]),
  );
  expect(states).toMatchObject({ a: 'waiting', b: 'waiting', c: 'waiting', d: 'waiting', x: 'waiting' });
  const died = stored.find(({ source }) => source!.endsWith('/c'))!;
  database
    .prepare('UPDATE sources SET about = ? WHERE id = ?')
    .run(JSON.stringify({ ...JSON.parse(died.about!), state: 'indexing', touched_at: 1 }), died.id);
  database.close();

  isOpen = true;
  const second = await start();
  const ready = { a: 'ready', b: 'ready', c: 'ready', d: 'ready' };
  await expect.poll(() => statesOf(second, key)).toMatchObject(ready);
  const [mine] = (await second.corpus.storedSources(away.account.id)).filter(({ source }) => source.endsWith('/x'));
  expect(mine?.state).toBe('waiting');
  await second.close(0);
});
