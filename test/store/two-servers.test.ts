/** Two servers, as they would stand on two machines, over one Postgres and one Redis. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../support/processes/run-cli.ts';
import { type ServeProcess, startServe } from '../support/processes/start-process.ts';
import { hasPostgres, openPostgresServer, type TestPostgres } from '../support/servers/postgres.ts';
import { hasRedis, startRedis, type TestRedis } from '../support/servers/redis.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();

describe.skipIf(!hasPostgres || !hasRedis)('two servers over one Postgres and one Redis', { timeout: 180_000 }, () => {
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
