import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FallbackLimiter, type LimiterState, openFallbackLimiter } from '../../src/access/limiter/fallback.ts';
import type { RateDecision } from '../../src/access/limiter/limiter.ts';
import { createRedisLimiter, type SharedLimiter } from '../../src/access/limiter/redis.ts';
import type { Limit } from '../../src/access/plans.ts';
import { connectRedis } from '../../src/base/redis/redis.ts';
import { limiterLaws } from '../contracts/limiter.ts';
import { freshPrefix, hasRedis, startRedis, type TestRedis } from '../support/servers/redis.ts';
import { type SlowProxy, startSlowProxy } from '../support/servers/slow-proxy.ts';

const ten: Limit = { bucket: 'calls', policy: 'ten', limit: 10, window_s: 60 };

const allowedOf = (decisions: readonly RateDecision[]) => decisions.filter((decision) => decision.allowed).length;

describe.skipIf(!hasRedis)('the limiter in Redis trouble', () => {
  let server: TestRedis;
  let proxy: SlowProxy;
  let prefix: string;
  let closers: (() => Promise<void>)[];

  beforeEach(async () => {
    server = await startRedis();
    proxy = await startSlowProxy(server.port);
    prefix = freshPrefix();
    closers = [];
  });
  afterEach(async () => {
    for (const close of closers) await close();
    await proxy.close();
    server.resume();
    await server.stop();
  });

  async function open(node = 'one', url = `redis://127.0.0.1:${proxy.port}`) {
    const changes: LimiterState[] = [];
    const redis: Redis = connectRedis(url);
    const limiter = await openFallbackLimiter({
      shared: createRedisLimiter({ redis, node, prefix }),
      onChange: (state) => changes.push(state),
    });
    closers.push(async () => {
      await limiter.close();
      redis.disconnect();
    });
    return { limiter, changes };
  }

  const takeAll = (limiter: FallbackLimiter, key: string, times: number) =>
    Promise.all(Array.from({ length: times }, () => limiter.take(key, ten)));

  const troubles = {
    'does not answer': { begin: () => server.pause(), end: () => server.resume() },
    'answers after 200 ms': { begin: () => proxy.setDelay(100), end: () => proxy.setDelay(0) },
    'is killed and comes back empty': { begin: () => server.kill(), end: () => server.start() },
  };

  for (const [trouble, { begin, end }] of Object.entries(troubles)) {
    it(`limits by the log of the process while Redis ${trouble}, and exactly afterwards`, async () => {
      const { limiter, changes } = await open();
      expect(changes).toEqual(['shared']);
      await takeAll(limiter, 'key', 4);
      await begin();
      const during = await takeAll(limiter, 'key', 20);
      await takeAll(limiter, 'other', 3);
      expect(allowedOf(during)).toBe(6);
      expect(during.every((decision) => decision.limit === 10)).toBe(true);
      expect(limiter.state()).toBe('local');
      await sleep(700);
      await end();
      await expect.poll(limiter.state, { interval: 20 }).toBe('shared');
      expect(changes.slice(0, 3)).toEqual(['shared', 'local', 'shared']);
      expect(await limiter.take('key', ten)).toMatchObject({ allowed: false });
      const another = await open('two');
      for (const { peek } of [limiter, another.limiter]) {
        // On a machine that is busy itself, a single look may find Redis too slow.
        await expect.poll(() => peek('other', ten)).toMatchObject({ allowed: true, remaining: 7 });
      }
    });
  }

  it('starts the limiter without Redis and uses it when it appears', async () => {
    await server.kill();
    const { limiter, changes } = await open();
    expect(changes).toEqual(['local']);
    expect(allowedOf(await takeAll(limiter, 'key', 12))).toBe(10);
    await server.start();
    await expect.poll(limiter.state).toBe('shared');
    expect(await limiter.take('key', ten)).toMatchObject({ allowed: false });
  });

  it('divides the limit by the number of known processes while Redis is unreachable', async () => {
    const opened = [await open('one'), await open('two'), await open('three')];
    await expect.poll(() => opened[0]!.limiter.peek('key', ten)).toMatchObject({ remaining: 10 });
    // Every process counts the others when it next looks, two seconds later at most.
    await sleep(2_500);
    server.pause();
    const counts = [];
    for (const { limiter } of opened) counts.push(allowedOf(await takeAll(limiter, 'key', 10)));
    expect(counts).toEqual([3, 3, 3]);
    server.resume();
    for (const { limiter } of opened) await expect.poll(limiter.state).toBe('shared');
    await expect.poll(() => opened[0]!.limiter.peek('key', ten)).toMatchObject({ remaining: 1 });
  });

  it('detects the loss of the shared log, and restores its own calls', async () => {
    const { limiter } = await open();
    const redis = connectRedis(server.url, { enableOfflineQueue: true });
    await takeAll(limiter, 'key', 10);
    await redis.flushall();
    redis.disconnect();
    await expect.poll(() => limiter.peek('key', ten)).toMatchObject({ remaining: 0 });
  });
});

describe('a limiter whose shared log fails', () => {
  interface Failing {
    isBroken: boolean;
    added: number;
    probes: number;
    late: ((decision: RateDecision) => void) | undefined;
  }

  /** A shared log whose failures and late answers the test controls. */
  function createFailing(): SharedLimiter & Failing {
    const answer = async (limit: Limit): Promise<RateDecision> => {
      if (failing.isBroken) throw new Error('broken');
      return {
        allowed: true,
        policy: limit.policy,
        limit: limit.limit,
        remaining: 1,
        reset_s: 1,
        window_s: limit.window_s,
        retry_after_ms: 0,
      };
    };
    const failing = {
      isBroken: false,
      late: undefined as ((decision: RateDecision) => void) | undefined,
      added: 0,
      probes: 0,
      take: (_key: string, limit: Limit, onLate?: (decision: RateDecision) => void) => {
        failing.late = onLate;
        return answer(limit);
      },
      peek: (_key: string, limit: Limit) => answer(limit),
      probe: async () => {
        if (failing.isBroken) throw new Error('broken');
        failing.probes += 1;
        return { nodes: 1, epoch: 'one' };
      },
      add: async (_id: string, _key: string, _limit: Limit, ages: readonly number[]) => {
        failing.added += ages.length;
      },
      reconnect() {},
      close: async () => {},
    };
    return failing;
  }

  it('logs the failure of the shared log once, however many calls it affects', async () => {
    const changes: unknown[] = [];
    const shared = createFailing();
    const limiter = await openFallbackLimiter({ shared, onChange: (state, cause) => changes.push([state, cause]) });
    shared.isBroken = true;
    await Promise.all(Array.from({ length: 50 }, () => limiter.take('key', ten)));
    expect(changes).toEqual([
      ['shared', undefined],
      ['local', new Error('broken')],
    ]);
    await limiter.close();
  });

  it('waits longer before it uses a shared log again that has just failed after a recovery', async () => {
    const shared = createFailing();
    const limiter = await openFallbackLimiter({ shared, calmMs: 1_000 });
    const probesUntilBack = async () => {
      shared.isBroken = true;
      await limiter.take('key', ten);
      expect(limiter.state()).toBe('local');
      shared.isBroken = false;
      shared.probes = 0;
      await expect.poll(limiter.state, { timeout: 20_000, interval: 10 }).toBe('shared');
      return shared.probes;
    };
    expect(await probesUntilBack()).toBeLessThanOrEqual(2);
    expect(await probesUntilBack()).toBeGreaterThan(2);
    expect(await probesUntilBack()).toBeGreaterThan(5);
    await limiter.close();
  });

  it('adds each call that it allowed on its own to the shared log, exactly once', async () => {
    const shared = createFailing();
    const limiter = await openFallbackLimiter({ shared });
    await limiter.take('before', ten);
    shared.isBroken = true;
    for (let key = 0; key < 200; key++) await limiter.take(`key${key}`, ten);
    shared.isBroken = false;
    await expect.poll(limiter.state).toBe('shared');
    expect(shared.added).toBe(200);
    await limiter.close();
  });

  it('does not add a call again whose count is confirmed late', async () => {
    const shared = createFailing();
    const limiter = await openFallbackLimiter({ shared });
    shared.isBroken = true;
    const decision = await limiter.take('key', ten);
    shared.late!(decision);
    await limiter.take('other', ten);
    shared.isBroken = false;
    await expect.poll(limiter.state).toBe('shared');
    expect(shared.added).toBe(1);
    await limiter.close();
  });

  limiterLaws('its own log alone', async () => {
    const shared = createFailing();
    shared.isBroken = true;
    let at = 1_000;
    const limiter = await openFallbackLimiter({ shared, startMs: 10, now: () => at });
    const advance = async (ms: number) => {
      at += ms;
    };
    return { limiter, advance, close: () => limiter.close() };
  });
});
