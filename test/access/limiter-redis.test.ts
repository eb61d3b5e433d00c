import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRedisLimiter } from '../../src/access/limiter/redis.ts';
import type { Limit } from '../../src/access/plans.ts';
import { connectRedis } from '../../src/base/redis/redis.ts';
import { limiterLaws } from '../contracts/limiter.ts';
import { freshPrefix, hasRedis, startRedis, type TestRedis } from '../support/servers/redis.ts';

const limit: Limit = { bucket: 'calls', policy: 'p', limit: 3, window_s: 60 };

describe.skipIf(!hasRedis)('over a real Redis', () => {
  let server: TestRedis;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());

  /** Patient, for a busy machine: what is tested here is what Redis answers, not how soon. */
  async function connected(answerMs = 5_000) {
    const redis = connectRedis(server.url);
    const prefix = freshPrefix();
    const limiter = createRedisLimiter({ redis, node: 'one', prefix, answerMs });
    while (redis.status !== 'ready') await sleep(5);
    await limiter.probe();
    return { redis, limiter, prefix };
  }

  limiterLaws('Redis', async () => {
    const { redis, limiter } = await connected();
    return {
      limiter,
      advance: (ms) => sleep(ms + 2).then(() => {}),
      close: async () => {
        await limiter.close();
        redis.disconnect();
      },
    };
  });

  it('counts a call that was allowed elsewhere at the time when it was made', async () => {
    const { redis, limiter } = await connected();
    await limiter.take('key', limit);
    await limiter.add('one', 'key', limit, [30_000, 59_500, 61_000]);
    const found = await limiter.take('key', limit);
    expect(found.allowed).toBe(false);
    expect(found.retry_after_ms).toBeLessThanOrEqual(500);
    redis.disconnect();
  });

  it('adds calls once, however often the request is repeated', async () => {
    const { redis, limiter } = await connected();
    for (const id of ['one', 'one', 'two', 'one']) await limiter.add(id, 'key', limit, [1_000]);
    expect(await limiter.peek('key', limit)).toMatchObject({ remaining: 1 });
    redis.disconnect();
  });

  it("does not count calls for longer than a window when the server's clock went back", async () => {
    const { redis, limiter, prefix } = await connected();
    const anHourAhead = (Date.now() + 3_600_000) * 1000;
    await redis.rpush(`${prefix}:calls:key`, anHourAhead - 20e6, anHourAhead - 10e6, anHourAhead);
    const found = await limiter.take('key', limit);
    expect(found).toMatchObject({ allowed: false, remaining: 0 });
    expect(found.retry_after_ms).toBeLessThanOrEqual(40_000);
    redis.disconnect();
  });

  it('does not count a call that timed out, once a stalled server catches up', async () => {
    const { redis, limiter } = await connected(100);
    await expect.poll(() => limiter.take('key', limit).catch(() => undefined)).toMatchObject({ allowed: true });
    server.pause();
    const lost = await Promise.allSettled([limiter.take('key', limit), limiter.take('key', limit)]);
    await sleep(50);
    server.resume();
    expect(lost.map((call) => call.status)).toEqual(['rejected', 'rejected']);
    await expect.poll(() => limiter.peek('key', limit).catch(() => undefined)).toMatchObject({ remaining: 2 });
    redis.disconnect();
  });

  it('reports how many processes share it, and whether its data was lost', async () => {
    const { redis, limiter, prefix } = await connected();
    const other = createRedisLimiter({ redis, node: 'two', prefix, answerMs: 5_000 });
    const first = await other.probe();
    expect(first.nodes).toBe(2);
    expect(await limiter.probe()).toEqual(first);
    await other.close();
    expect((await limiter.probe()).nodes).toBe(1);
    await redis.flushall();
    expect((await limiter.probe()).epoch).not.toBe(first.epoch);
    redis.disconnect();
  });

  it('leaves no data in Redis once a window has passed', async () => {
    const { redis, limiter, prefix } = await connected();
    await limiter.take('key', { ...limit, window_s: 1 });
    await sleep(1_050);
    expect(await redis.exists(`${prefix}:calls:key`)).toBe(0);
    redis.disconnect();
  });
});
