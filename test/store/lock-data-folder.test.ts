/** One server at a time uses a data folder, unless Redis makes them share their limits. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { lockDataFolder } from '../../src/store/lock-data-folder.ts';
import { startAppProcess } from '../support/processes/app-process.ts';
import { runCli } from '../support/processes/run-cli.ts';
import { type ServeProcess, startServe } from '../support/processes/start-process.ts';
import { hasRedis, startRedis } from '../support/servers/redis.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
let folders = 0;
const fresh = () => `${folder}/${++folders}`;
const neverUnlocked = (reason: unknown) => {
  throw reason;
};
const lock = (dataDir: string, isShared = false) => lockDataFolder(dataDir, isShared, neverUnlocked);

const running: ServeProcess[] = [];
afterEach(async () => {
  for (const { child } of running) child.kill('SIGKILL');
  await Promise.all(running.splice(0).map(({ ended }) => ended));
});

function start(env: Record<string, string>): ServeProcess {
  const started = startServe(env);
  running.push(started);
  return started;
}

describe('a data folder', () => {
  it('is refused to a second server with one sentence, while commands still work', async () => {
    const env = { DATA_DIR: fresh() };
    await start(env).listening;
    const { code, out, err } = await start({ ...env, LOG_LEVEL: 'error' }).ended;
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^citewire: DATA_DIR: expected a folder that no other server is using; .*REDIS_URL.*\.\n$/);
    expect(err).toContain(env.DATA_DIR);
    const made = await runCli(['keys', 'create', '--plan', 'pro'], env);
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^cw_/) });
    expect(await runCli(['sources', 'list'], env)).toMatchObject({ code: 0 });
  });

  it('is free as soon as its server is killed', async () => {
    const env = { DATA_DIR: fresh() };
    const first = await startAppProcess(env);
    first.child.kill('SIGKILL');
    await first.ended;
    const second = await startAppProcess(env);
    second.child.kill('SIGTERM');
    expect(await second.ended).toMatchObject({ code: 0 });
    (await lock(env.DATA_DIR)).release();
  });

  it('is locked without a byte of space on its disk', async () => {
    const dataDir = fresh();
    const held = await lock(dataDir);
    expect(readdirSync(dataDir).sort()).toEqual(['server.id', 'server.lock']);
    expect(statSync(join(dataDir, 'server.lock')).size).toBe(0);
    held.release();
  });

  it('is shared by those that share their limits, and with nobody else', async () => {
    const dataDir = fresh();
    const shared = [await lock(dataDir, true), await lock(dataDir, true)];
    await expect(lock(dataDir)).rejects.toThrow(/no other server is using/);
    for (const each of shared) each.release();
    const alone = await lock(dataDir);
    await expect(lock(dataDir)).rejects.toThrow(dataDir);
    await expect(lock(dataDir, true)).rejects.toThrow(/no server without REDIS_URL/);
    alone.release();
    (await lock(dataDir, true)).release();
  });

  it.skipIf(!hasRedis)('serves two servers that share a Redis', async () => {
    const redis = await startRedis();
    try {
      const env = { DATA_DIR: fresh(), REDIS_URL: redis.url };
      await start(env).listening;
      await start(env).listening;
      expect((await start({ DATA_DIR: env.DATA_DIR }).ended).code).toBe(1);
    } finally {
      await redis.stop();
    }
  });
});
