/** Servers that share a Redis Cluster: the laws of what they share there, and a node that dies and comes back empty. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRedisLimiter } from '../../src/access/limiter/redis.ts';
import { createRedisRevocations } from '../../src/access/revocations-redis.ts';
import { connectRedis } from '../../src/base/redis/redis.ts';
import { limiterLaws } from '../contracts/limiter.ts';
import { sharedRunLaws } from '../contracts/shared-runs.ts';
import { startRedisCluster, type TestCluster } from '../support/databases/redis-cluster.ts';
import { hasRedis, startRedis } from '../support/servers/redis.ts';
import { startTestApp } from '../support/start-app.ts';
import { startRunPair } from './run-process.ts';

describe.skipIf(!hasRedis)('with a Redis Cluster', () => {
  let cluster: TestCluster;
  let names = 0;
  /** On another node than the one before, sooner or later. */
  const freshPrefix = () => `{test:${names++}}`;
  beforeAll(async () => {
    cluster = await startRedisCluster();
  });
  afterAll(() => cluster?.stop());

  sharedRunLaws('two processes and a Redis Cluster', () => startRunPair(cluster.url, freshPrefix()));

  limiterLaws('a Redis Cluster', async () => {
    const redis = connectRedis(cluster.url);
    const limiter = createRedisLimiter({ redis, node: 'one', prefix: freshPrefix(), answerMs: 5_000 });
    while (redis.status !== 'ready') await sleep(5);
    await limiter.probe();
    return {
      limiter,
      advance: (ms) => sleep(ms + 2),
      async close() {
        await limiter.close();
        redis.disconnect();
      },
    };
  });

  it('announces revocations to all, whichever nodes they are connected to', async () => {
    const listening = Array.from({ length: 4 }, () => {
      const heard: string[] = [];
      const ready = { isListening: false };
      const revocations = createRedisRevocations({
        url: cluster.url,
        onListening: () => {
          ready.isListening = true;
        },
      });
      revocations.onAnnounced((accountId) => heard.push(accountId));
      return { heard, ready, revocations };
    });
    for (const { ready } of listening) await expect.poll(() => ready.isListening).toBe(true);
    listening[0]!.revocations.announce('acc_1');
    for (const { heard } of listening) await expect.poll(() => heard).toEqual(['acc_1']);
    for (const { revocations } of listening) await revocations.close();
  });

  it('serves searches with all that servers share there, on the node of one hash tag, and again after that node was lost', async () => {
    await using app = await startTestApp({ REDIS_URL: cluster.url });
    const ask = () => app.post('/v1/search', { prompt: 'Who designed the lighthouse?' });
    expect((await ask()).status).toBe(200);
    const home = await cluster.nodeOf('{citewire}:limit');
    for (const node of cluster.nodes) {
      const admin = new Redis(node.port, '127.0.0.1');
      const mine = (await admin.keys('*')).filter((key) => key.includes('citewire'));
      admin.disconnect();
      if (node === home) expect(mine.some((key) => key.startsWith('{citewire}:run:'))).toBe(true);
      else expect(mine).toEqual([]);
    }
    await home.kill();
    expect((await ask()).status).toBe(200);
    await home.start();
    const remaining = async () => {
      const response = await ask();
      expect(response.status).toBe(200);
      const admin = new Redis(home.port, '127.0.0.1');
      const keys = await admin.keys('{citewire}:limit:*');
      admin.disconnect();
      return keys.length;
    };
    await expect.poll(remaining, { interval: 1_000 }).toBeGreaterThan(0);
    expect(app.faults).toEqual([]);
  });

  it('is refused at the start while one of its nodes evicts', async () => {
    const admin = new Redis(cluster.nodes[2]!.port, '127.0.0.1');
    await admin.config('SET', 'maxmemory', '100mb');
    await admin.config('SET', 'maxmemory-policy', 'allkeys-lru');
    try {
      await expect(startTestApp({ REDIS_URL: cluster.url })).rejects.toThrow(
        'REDIS_URL: expected a Redis with maxmemory-policy noeviction; got allkeys-lru',
      );
    } finally {
      await admin.config('SET', 'maxmemory', '0');
      admin.disconnect();
    }
  });

  it('that is no cluster is not taken for one', async () => {
    const alone = await startRedis();
    const redis = connectRedis(alone.url.replace('redis:', 'redis+cluster:'));
    await expect(redis.get('x')).rejects.toThrow();
    redis.disconnect();
    await alone.stop();
  });
});
