/** One kind of rate limiter on Redis, in its own process: `limiter-process.ts <citewire|evalsha|fixed> <redis url>`. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { createRedisLimiter } from '../../src/access/limiter/redis.ts';
import { serve, sleep } from './processes.ts';

export type LimiterApi = {
  /** Makes `decisions` decisions, 64 at a time, spread over `keys` keys; returns decisions per second. */
  run(decisions: number, keys: number): Promise<number>;
  /**
   * The most calls of one key that were let through within any second, with a limit of 20 per second. Each time makes one
   * call, and just before the second is over as many as it can.
   */
  crowd(times: number): Promise<number>;
};

const [kind, url = ''] = process.argv.slice(2);
const atOnce = 64;
const redis = new Redis(url);
await once(redis, 'ready');
const minute = { bucket: 'bench', policy: 'bench', limit: 100, window_s: 60 };
const short = { bucket: 'crowd', policy: 'crowd', limit: 20, window_s: 1 };
type Limit = typeof minute;
type Decide = (key: string, limit: Limit) => Promise<boolean>;

const ways: Record<string, () => Decide> = {
  citewire() {
    const limiter = createRedisLimiter({ redis, node: `bench-${process.pid}`, prefix: 'bench:c', answerMs: 10_000 });
    return async (key, limit) => (await limiter.take(key, limit)).allowed;
  },
  evalsha() {
    const script = readFileSync(new URL('../../src/access/limiter/sliding-window.lua', import.meta.url), 'utf8');
    const sha = createHash('sha1').update(script).digest('hex');
    const loaded = redis.script('LOAD', script);
    return async (key, { limit, window_s }) => {
      await loaded;
      const [counted] = (await redis.evalsha(sha, 1, `bench:e:${key}`, 1, window_s, limit, window_s, '0')) as [number];
      return counted <= limit;
    };
  },
  fixed() {
    const limiters = new Map<Limit, RateLimiterRedis>();
    for (const limit of [minute, short]) {
      const options = { points: limit.limit, duration: limit.window_s, keyPrefix: `bench:f:${limit.bucket}` };
      limiters.set(limit, new RateLimiterRedis({ storeClient: redis, ...options }));
    }
    return (key, limit) =>
      limiters
        .get(limit)!
        .consume(key)
        .then(
          () => true,
          () => false,
        );
  },
};
const decide = ways[kind!]!();

serve<LimiterApi>(
  {
    async run(decisions, keys) {
      let next = 0;
      const run = `${process.pid}:${performance.now()}`;
      const begun = performance.now();
      await Promise.all(
        Array.from({ length: atOnce }, async () => {
          while (next < decisions) {
            next += 1;
            await decide(`${run}:${next % keys}`, minute);
          }
        }),
      );
      return (1000 * decisions) / (performance.now() - begun);
    },
    async crowd(times) {
      let most = 0;
      for (let n = 0; n < times; n += 1) {
        const key = `${process.pid}:${performance.now()}`;
        const allowed: { asked: number; answered: number }[] = [];
        const call = async () => {
          const asked = performance.now();
          if (await decide(key, short)) allowed.push({ asked, answered: performance.now() });
        };
        await call();
        await sleep(900);
        for (const end = performance.now() + 300; performance.now() < end; ) await call();
        // Certainly within a second: from the request of the first to the answer of the last.
        const within = (from: number) =>
          allowed.filter(({ asked, answered }) => asked >= from && answered < from + 1_000);
        most = Math.max(most, ...allowed.map(({ asked }) => within(asked).length));
      }
      return most;
    },
  },
  () => redis.disconnect(),
);
