/**
 * A database that takes nothing for a while, because its disk is full or its server hangs: searches are answered, say that
 * they are not stored, and are stored later; what cannot wait is refused; and the server says what is wrong until it works
 * again, by itself.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { SearchFrame, SearchList } from '../../protocol/index.ts';
import { expectLawful } from '../contracts/search-laws.ts';
import { type BrowserSession, signInBy } from '../support/browser/browser-session.ts';
import { readEvents } from '../support/clients/sse-client.ts';
import { whoDesigned } from '../support/design.ts';
import { type AppProcess, startAppProcess } from '../support/processes/app-process.ts';
import { smallDisks } from '../support/processes/small-disk.ts';
import { hasOwnPostgres, startPostgres } from '../support/servers/postgres.ts';

const question = { prompt: 'Who designed the Heron Point Lighthouse?' };

let app: AppProcess | undefined;
const folders: string[] = [];
afterEach(async () => {
  app?.child.kill('SIGKILL');
  await app?.ended;
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'citewire-disk-'));
  folders.push(folder);
  return folder;
}

function post({ url, keys: [key = ''] }: AppProcess, path: string, body: object, headers: Record<string, string> = {}) {
  const all = { 'x-api-key': key, 'content-type': 'application/json', ...headers };
  return fetch(url + path, { method: 'POST', headers: all, body: JSON.stringify(body) });
}

const get = ({ url, keys: [key = ''] }: AppProcess, path: string) =>
  fetch(url + path, { headers: { 'x-api-key': key } });
const ask = (at: AppProcess, headers: Record<string, string> = {}) => post(at, '/v1/search', question, headers);

async function streamed(at: AppProcess): Promise<SearchFrame[]> {
  return readEvents(await ask(at, { accept: 'text/event-stream' }));
}

async function metric(at: AppProcess, name: string): Promise<number> {
  const text = await (await get(at, '/metrics')).text();
  return Number(new RegExp(`^citewire_${name} (\\d+)$`, 'm').exec(text)?.[1]);
}

const listed = async (at: AppProcess) =>
  ((await (await get(at, '/v1/search?limit=100')).json()) as SearchList).items.map(({ search_id }) => search_id);

/** It is answered, and says that it is not stored directly before its end. */
function expectUnstored(frames: readonly SearchFrame[], why: RegExp): void {
  expectLawful(frames);
  expect(frames.at(-1)).toMatchObject({ type: 'search.completed', status: 'answered' });
  const warning = frames.at(-2)!;
  expect(warning).toMatchObject({ type: 'warning', code: 'not_stored' });
  expect((warning as { message: string }).message).toMatch(why);
  expect((warning as { message: string }).message).toContain('the server keeps trying');
}

/** 503 with Retry-After, and a sentence that says why. */
async function expectRefused(response: Response, why: RegExp): Promise<void> {
  expect(response.status).toBe(503);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(((await response.json()) as { detail: string }).detail).toMatch(why);
}

const design = (stub: string) => ({ ...whoDesigned, api_stub: stub });
const ready = async (at: AppProcess) => (await get(at, '/readyz')).status;
const newKey = (browser: BrowserSession) => browser.call('POST', '/v1/keys', { name: 'another' });

describe.each(smallDisks)('$name', (disk) => {
  it.skipIf(!disk.isPossible)('delays storing searches, refuses keys and designs, and recovers', async () => {
    const dataDir = newFolder();
    const started = await startAppProcess({ DATA_DIR: dataDir }, 1, disk.through(dataDir));
    app = started;
    const browser = await signInBy(started, new URL(started.links[0]!).hash.slice(1));
    expect((await streamed(started)).at(-2)).not.toMatchObject({ code: 'not_stored' });
    expect(await ready(started)).toBe(200);
    const before = await listed(started);
    expect(before).toHaveLength(1);

    disk.fill(started.child, dataDir);
    const first = await streamed(started);
    expectUnstored(first, /disk/);
    const plain = await ask(started, { 'idempotency-key': 'once' });
    expect([plain.status, plain.headers.get('x-search-stored')]).toEqual([200, 'no']);
    const id = plain.headers.get('x-search-id')!;
    const again = await ask(started, { 'idempotency-key': 'once' });
    expect([again.status, again.headers.get('x-search-id'), again.headers.get('ratelimit')]).toEqual([200, id, null]);
    expect((await get(started, `/v1/search/${id}`)).status).toBe(200);
    await expectRefused(await newKey(browser), /disk/);
    await expectRefused(await post(started, '/v1/design-api', design('refused')), /disk/);
    await expect.poll(() => ready(started)).toBe(503);
    await expectRefused(await get(started, '/readyz'), /disk/);
    expect((await get(started, '/healthz')).status).toBe(200);
    expect(await listed(started)).toEqual(before);
    expect(await metric(started, 'searches_unstored')).toBe(2);

    disk.free(started.child, dataDir);
    await expect.poll(() => ready(started)).toBe(200);
    await expect.poll(() => metric(started, 'searches_unstored')).toBe(0);
    expect(await metric(started, 'searches_lost')).toBe(0);
    expect((await listed(started)).sort()).toEqual([...before, first[0]!.search_id, id].sort());
    expect((await newKey(browser)).status).toBe(201);
    expect((await post(started, '/v1/design-api', design('accepted'))).status).toBe(201);
    expect((await ask(started)).headers.get('x-search-stored')).toBeNull();
    const replayed = await ask(started, { 'idempotency-key': 'once' });
    expect(replayed.headers.get('x-search-id')).toBe(id);
    expect(started.log()).toBe('');
  });
});

it.skipIf(!smallDisks[0]!.isPossible)(
  'says in the log what the disk refuses, once for the database and once for the index, however often it is tried',
  async () => {
    const disk = smallDisks[0]!;
    const dataDir = newFolder();
    const started = await startAppProcess({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' }, 1, disk.through(dataDir));
    app = started;
    disk.fill(started.child, dataDir);
    const upload = () => post(started, '/v1/sources/files?name=log.md', { lamp: 'x'.repeat(100_000) });
    for (let tried = 0; tried < 3; tried += 1) {
      await expectRefused(
        await post(started, '/v1/design-api', design('refused')),
        /^The server cannot .* disk is full/,
      );
      await expectRefused(await upload(), /^The server cannot write to its index: the disk is full\.$/);
    }
    disk.free(started.child, dataDir);
    await expect.poll(() => ready(started)).toBe(200);
    const said = started
      .log()
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { msg: string }).msg);
    expect(said.sort()).toEqual([
      'The server cannot write to its database: the disk is full.',
      'The server cannot write to its index: the disk is full.',
    ]);
  },
);

it.skipIf(!smallDisks[0]!.isPossible)(
  'refuses an upload while the disk is full, and ends one that it had begun later',
  async () => {
    const disk = smallDisks[0]!;
    const dataDir = newFolder();
    const started = await startAppProcess({ DATA_DIR: dataDir }, 1, disk.through(dataDir));
    app = started;
    const log = (bytes: number) => '# Log\n\nThe lamp was lit. '.padEnd(bytes, 'The lamp was lit again. ');
    const [key = ''] = started.keys;
    const upload = (body: string) =>
      fetch(`${started.url}/v1/sources/files?name=log.md`, { method: 'POST', headers: { 'x-api-key': key }, body });
    const begun = (await (await upload(log(5_000_000))).json()) as { source_id: string };
    const state = async () =>
      ((await (await get(started, `/v1/sources/${begun.source_id}`)).json()) as { state: string }).state;
    disk.fill(started.child, dataDir);
    expect(await state()).not.toBe('ready');
    await setTimeout(3_000);
    expect(await state()).not.toBe('ready');
    await expectRefused(await upload(log(19_000_000)), /^The server cannot write to its index: the disk is full\.$/);
    disk.free(started.child, dataDir);
    await expect.poll(state).toBe('ready');
    expect((await upload(log(1_000))).status).toBe(201);
  },
);

describe.skipIf(!hasOwnPostgres)('a Postgres that hangs', () => {
  it('delays storing searches but not their answers, and stores them when it wakes', async () => {
    const postgres = await startPostgres({ durable: true });
    try {
      const env = { DATA_DIR: newFolder(), DATABASE_URL: await postgres.fresh(), CORPUS: 'sqlite' };
      const started = await startAppProcess(env, 1);
      app = started;
      expect((await streamed(started)).at(-2)).not.toMatchObject({ code: 'not_stored' });
      const before = await listed(started);

      postgres.pause();
      const frames = await Promise.all([1, 2, 3].map(() => streamed(started)));
      for (const each of frames) expectUnstored(each, /could not be stored within/);
      await expect.poll(() => ready(started)).toBe(503);
      await expectRefused(await get(started, '/readyz'), /database/);
      expect((await get(started, '/healthz')).status).toBe(200);

      postgres.resume();
      await expect.poll(() => ready(started)).toBe(200);
      await expect.poll(() => metric(started, 'searches_unstored')).toBe(0);
      const ids = frames.map(([first]) => first!.search_id);
      expect((await listed(started)).sort()).toEqual([...before, ...ids].sort());
      expect(started.log()).toBe('');
    } finally {
      postgres.resume();
      await postgres.stop();
    }
  });
});
