/** Two servers, as they would stand on two machines, over one Postgres and one Redis. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PageContents, SearchRecord, Thread } from '../../protocol/index.ts';
import { runCli } from '../support/processes/run-cli.ts';
import { type ServeProcess, startServe } from '../support/processes/start-process.ts';
import { hasPostgres, openPostgresServer, type TestPostgres } from '../support/servers/postgres.ts';
import { hasRedis, startRedis, type TestRedis } from '../support/servers/redis.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();

describe.skipIf(!hasPostgres || !hasRedis)('two servers over one Postgres and one Redis', () => {
  let postgres: TestPostgres;
  let redis: TestRedis;
  let shared: { DATABASE_URL: string; REDIS_URL: string };
  let servers: ServeProcess[];
  let urls: string[];
  let key: string;

  beforeAll(async () => {
    [postgres, redis] = await Promise.all([openPostgresServer(), startRedis()]);
    shared = { DATABASE_URL: await postgres.fresh(), REDIS_URL: redis.url };
    servers = [1, 2].map((n) => startServe({ ...shared, DATA_DIR: `${folder}/${n}` }));
    const listening = await Promise.all(servers.map((server) => server.listening));
    urls = listening.map(({ url }) => url);
    const keys = listening.map((each) => each.key).filter((each) => each !== '');
    expect(keys).toHaveLength(1);
    [key] = keys as [string];
  }, 180_000);
  afterAll(async () => {
    for (const { child } of servers ?? []) child.kill('SIGTERM');
    await Promise.all((servers ?? []).map(({ ended }) => ended));
    await redis?.stop();
    await postgres?.stop();
  });

  const listOn = async (url: string, with_key: string) =>
    fetch(`${url}/v1/search`, { headers: { 'x-api-key': with_key } });
  const statuses = async (with_key: string) =>
    Promise.all(urls.map(async (url) => (await listOn(url, with_key)).status));
  const cli = async (...args: string[]) => (await runCli(args, { ...shared, DATA_DIR: `${folder}/cli` })).stdout.trim();

  it('finds the same searches on both servers', async () => {
    const [one, two] = urls as [string, string];
    const response = await fetch(`${one}/v1/search`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'How do I set a request timeout in undici?' }),
    });
    const { search_id } = (await response.json()) as { search_id: string };
    const { items } = (await (await listOn(two, key)).json()) as { items: { search_id: string }[] };
    expect(items.map((item) => item.search_id)).toEqual([search_id]);
  });

  it('shows a conversation with every quote on the other server, and there after its pages changed and its own server is gone', async () => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const ask = async (url: string, body: object) => {
      const response = await fetch(`${url}/v1/search`, { method: 'POST', headers, body: JSON.stringify(body) });
      expect(response.status).toBe(200);
      return response.headers.get('x-search-id')!;
    };
    mkdirSync(`${folder}/pages`);
    const write = (designer: string) =>
      writeFileSync(
        `${folder}/pages/heron.md`,
        `# Heron Point\n\nThe Heron Point Lighthouse was designed by ${designer} and opened in 1871.\n`,
      );
    write('Ada Quill');
    await cli('index', `${folder}/pages`);
    const server = startServe({ ...shared, DATA_DIR: `${folder}/leaving` });
    const { url: leaving } = await server.listening;
    const first = await ask(leaving, { prompt: 'Who designed the Heron Point Lighthouse?', thread: true });
    await ask(leaving, { prompt: 'When was the Heron Point Lighthouse opened?', thread: first });
    server.child.kill('SIGTERM');
    await server.ended;
    write('Bo Lind');
    await cli('index', `${folder}/pages`);

    const there = urls[1]!;
    const read = async (path: string) => (await fetch(there + path, { headers })).json();
    const { turns } = (await read(`/v1/threads/${first}`)) as Thread;
    expect(turns).toHaveLength(2);
    for (const { search_id } of turns) {
      const { citations = [] } = (await read(`/v1/search/${search_id}`)) as SearchRecord;
      expect(citations.length).toBeGreaterThan(0);
      for (const { snapshot, quote, source_start, source_end } of citations) {
        const { response } = (await read(`/v1/contents/${snapshot}`)) as PageContents;
        expect(response.slice(source_start, source_end)).toBe(quote);
      }
    }
  });

  it('accepts a new key on both servers immediately, and refuses it on both once revoked', async () => {
    const made = await cli('keys', 'create', '--plan', 'pro', '--name', 'second');
    expect(await statuses(made)).toEqual([200, 200]);
    await cli('keys', 'revoke', made);
    await expect.poll(() => statuses(made)).toEqual([401, 401]);
    expect(await statuses(key)).toEqual([200, 200]);
  });

  it('counts one minute per key across both servers', async () => {
    const made = await cli('keys', 'create', '--plan', 'starter', '--name', 'third');
    const call = async (n: number) => {
      const headers = { 'x-api-key': made, 'content-type': 'application/json' };
      return (await fetch(`${urls[n % 2]}/v1/search`, { method: 'POST', headers, body: '{}' })).status;
    };
    const answers: number[] = [];
    for (let n = 0; n < 14; n++) answers.push(await call(n));
    expect(answers).toEqual([...Array(10).fill(422), ...Array(4).fill(429)]);
  });
});
