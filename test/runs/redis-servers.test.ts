/** The Redis servers that people run: over TLS, behind sentinels that name another primary, and one that evicts. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { connectRedis } from '../../src/base/redis/redis.ts';
import { createMemoryRunRecords } from '../../src/runs/records/memory-run-records.ts';
import { startScriptedRun } from '../support/scripted-run.ts';
import { hasOpenssl, makeCertificate } from '../support/servers/certificates.ts';
import { freePort } from '../support/servers/free-port.ts';
import { findProgram } from '../support/servers/programs.ts';
import { hasRedis, startRedis } from '../support/servers/redis.ts';
import { startTestApp } from '../support/start-app.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { findElsewhere, startRunProcess } from './run-process.ts';

describe.skipIf(!hasRedis)('a Redis', () => {
  it.skipIf(!hasOpenssl)('is spoken to over TLS, and only if its certificate is trusted', async () => {
    const { certFile, keyFile } = makeCertificate(temporaryFolder(), 'redis');
    const files = ['--tls-cert-file', certFile, '--tls-key-file', keyFile, '--tls-auth-clients', 'no'];
    const tls = { ca: readFileSync(certFile) };
    const server = await startRedis(files, tls);
    const trusted = connectRedis(server.url, { tls });
    const untrusted = connectRedis(server.url);
    const refusal = once(untrusted, 'error');
    await once(trusted, 'ready');
    expect(await trusted.ping()).toBe('PONG');
    expect((await refusal)[0]).toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    for (const each of [trusted, untrusted]) each.disconnect();
    await server.stop();
  });

  it('may be replaced by another primary that its sentinels name, and the runs go on', async () => {
    await using pair = await startSentinel();
    const records = createMemoryRunRecords();
    const start = () => startRunProcess(pair.url, 'x', records, { leaseMs: 2_000 });
    const [home, away] = await Promise.all([start(), start()]);
    const { run, say, complete } = await startScriptedRun(home.runs);
    await say('Before. ');
    const there = await findElsewhere(away, run.search_id);
    away.runs.attach(there);
    await pair.failOver();
    await say('After.');
    await expect.poll(() => there.log.head()).toBe(run.log.head());
    await complete();
    expect(await there.done).toEqual(await run.done);
    expect(await run.done).toMatchObject({ type: 'search.completed' });
    for (const each of [home, away]) await each.close();
  });

  it('that is found by sentinels is connected to again, whenever the connection is replaced', async () => {
    await using pair = await startSentinel();
    const redis = connectRedis(pair.url);
    // While it asks the sentinels, while it connects, and once it is ready.
    for (const afterMs of [0, 0, 1, 2, 5, 20, 100]) {
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      redis.disconnect(true);
    }
    await expect.poll(() => redis.ping().catch(() => 'failed')).toBe('PONG');
    redis.disconnect();
    await expect.poll(() => redis.status).toBe('end');
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(redis.status).toBe('end');
  });

  it('that evicts keys is refused at the start, unless nothing bounds its memory', async () => {
    const evicting = await startRedis(['--maxmemory', '100mb', '--maxmemory-policy', 'volatile-lru']);
    await expect(startTestApp({ REDIS_URL: evicting.url })).rejects.toThrow(
      'REDIS_URL: expected a Redis with maxmemory-policy noeviction; got volatile-lru',
    );
    const admin = new Redis(evicting.url);
    await admin.config('SET', 'maxmemory', '0');
    admin.disconnect();
    await using app = await startTestApp({ REDIS_URL: evicting.url });
    expect(app.faults).toEqual([]);
    await evicting.stop();
  });
});

/** A primary with a replica, and the sentinel that watches them. */
async function startSentinel() {
  const primary = await startRedis();
  const replica = await startRedis(['--replicaof', '127.0.0.1', String(primary.port)]);
  const port = await freePort();
  const file = join(temporaryFolder(), 'sentinel.conf');
  const settings = [
    `port ${port}`,
    'bind 127.0.0.1',
    `sentinel monitor main 127.0.0.1 ${primary.port} 1`,
    'sentinel down-after-milliseconds main 500',
    'sentinel failover-timeout main 5000',
  ];
  writeFileSync(file, settings.join('\n'));
  const process = spawn(findProgram('redis')!, [file, '--sentinel'], { stdio: 'ignore' });
  const sentinel = new Redis(port, '127.0.0.1', { retryStrategy: () => 50, maxRetriesPerRequest: null });
  sentinel.on('error', () => {});
  const primaryPort = async () => {
    const address = (await sentinel.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', 'main')) as [string, string];
    return Number(address[1]);
  };
  const replicas = async () => ((await sentinel.call('SENTINEL', 'REPLICAS', 'main')) as unknown[]).length;
  await expect.poll(replicas).toBe(1);
  return {
    url: `redis+sentinel://127.0.0.1:${port}/main`,
    /** Resolves when the replica is the primary. */
    async failOver() {
      await primary.kill();
      await expect.poll(primaryPort).toBe(replica.port);
    },
    async [Symbol.asyncDispose]() {
      sentinel.disconnect();
      const gone = once(process, 'exit');
      process.kill('SIGKILL');
      await gone;
      await primary.stop();
      await replica.stop();
    },
  };
}
