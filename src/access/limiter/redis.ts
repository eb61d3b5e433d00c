/**
 * The sliding log in Redis, one for all processes, on the server's clock. The script stands in for
 * rate-limiter-flexible's own, whose fixed windows would allow up to twice the limit across an edge; the library's
 * answer, "calls counted and ms to wait", holds all that a decision needs.
 *
 * A call that was given up on must not be counted later, when a stalled Redis catches up: every call carries the server
 * time at which it lapses, estimated from the times in earlier replies, and whoever gave up hears of a late reply. Only a
 * call whose reply was lost on the way may be counted and yet be answered elsewhere. This twin rejects when Redis does not answer in time; fallback.ts
 * makes a limiter of it that never does.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { within, writeTogether } from '../../base/redis.ts';
import type { Limit } from '../plans.ts';
import { decide, type Limiter, type RateDecision } from './limiter.ts';

/** A limiter over something that may fail: `take` and `peek` reject, soon, when it does. */
export interface SharedLimiter extends Limiter {
  /** `onLate` is called with a decision that came after the call was given up on. */
  take(keyId: string, limit: Limit, onLate?: (decision: RateDecision) => void): Promise<RateDecision>;
  /** Resolves when it answers in time, with how many processes share it, and the name of its memory: one per loss of it. */
  probe(): Promise<{ readonly nodes: number; readonly epoch: string }>;
  /** Adds calls that were allowed elsewhere, so long ago each. Given again under the same `id`, it adds nothing. */
  add(id: string, keyId: string, limit: Limit, ages_ms: readonly number[]): Promise<void>;
  /** Gives up the connection for a new one: the old one may be dead and not know it. */
  reconnect(): void;
}

const slidingWindow = readFileSync(new URL('./sliding-window.lua', import.meta.url), 'utf8');
const addCalls = readFileSync(new URL('./sliding-window-add.lua', import.meta.url), 'utf8');
const nodeTtlMs = 6_000;
/** Nobody waits for what is added. */
const addMs = 1_000;

/** `node` names this process among those that share the Redis. The connection stays the caller's. */
export function createRedisLimiter(options: {
  readonly redis: Redis;
  readonly node: string;
  readonly prefix?: string;
  /** How long a call may wait for its answer. */
  readonly answerMs?: number;
}): SharedLimiter {
  const { redis, node, prefix = 'citewire:limit', answerMs = 100 } = options;
  const clock = createServerClock();
  const limiters = new WeakMap<Limit, RateLimiterRedis>();
  redis.on('close', clock.forget);

  /** What the library needs of a client, with the lapse time added to each call and the server's read from each reply. */
  const client = {
    get status() {
      return redis.status;
    },
    defineCommand: redis.defineCommand.bind(redis),
    rlflxIncr(args: string[]): Promise<[number, number]> {
      const run = (redis as unknown as { rlflxIncr(args: string[]): Promise<[number, number, number]> }).rlflxIncr;
      args.push(clock.lapse(answerMs));
      writeTogether(redis);
      return run.call(redis, args).then(([counted, wait, time]) => {
        clock.learn(time);
        if (counted < 0) throw new Error('Redis took the call too late');
        return [counted, wait];
      });
    },
  };

  function limiterFor(limit: Limit): RateLimiterRedis {
    let limiter = limiters.get(limit);
    if (limiter === undefined) {
      limiter = new RateLimiterRedis({
        storeClient: client,
        rejectIfRedisNotReady: true,
        customIncrTtlLuaScript: slidingWindow,
        keyPrefix: `${prefix}:${limit.bucket}`,
        points: limit.limit,
        duration: limit.window_s,
      });
      limiters.set(limit, limiter);
    }
    return limiter;
  }

  function ask(keyId: string, limit: Limit, points: 0 | 1): Promise<RateDecision> {
    return limiterFor(limit)
      .consume(keyId, points)
      .then(
        ({ consumedPoints, msBeforeNext }) =>
          decide(limit, points === 1 || consumedPoints < limit.limit, consumedPoints, msBeforeNext),
        (refusal) => {
          if (!(refusal instanceof RateLimiterRes)) throw refusal;
          return decide(limit, false, limit.limit, refusal.msBeforeNext);
        },
      );
  }

  return {
    take: (keyId, limit, onLate) => within(answerMs, ask(keyId, limit, 1), onLate),
    peek: (keyId, limit) => within(answerMs, ask(keyId, limit, 0)),

    async probe() {
      const [seconds, micros] = await within(answerMs, redis.time());
      clock.learn(Number(seconds) * 1e6 + Number(micros));
      const [nodes, at] = [`${prefix}:nodes`, Number(seconds) * 1000];
      const replies = await within(
        answerMs,
        redis
          .multi()
          .zadd(nodes, at, node)
          .zremrangebyscore(nodes, '-inf', at - nodeTtlMs)
          .zcard(nodes)
          .pexpire(nodes, nodeTtlMs)
          .set(`${prefix}:epoch`, `${node}:${randomUUID()}`, 'NX')
          .get(`${prefix}:epoch`)
          .exec(),
      );
      return { nodes: Math.max(1, Number(replies?.[2]?.[1])), epoch: String(replies?.[5]?.[1]) };
    },

    async add(id, keyId, limit, ages_ms) {
      const log = `${prefix}:${limit.bucket}:${keyId}`;
      const ages = ages_ms.map((age) => Math.round(age * 1000));
      await within(addMs, redis.eval(addCalls, 2, log, `${log}:${id}`, limit.window_s, ...ages) as Promise<unknown>);
    },

    reconnect: () => redis.disconnect(true),

    async close() {
      redis.off('close', clock.forget);
      await within(answerMs, redis.zrem(`${prefix}:nodes`, node)).catch(() => {});
    },
  };
}

/**
 * How far the server's clock is ahead of ours. A reply shows it, less the reply's time on the way, so the largest seen
 * is the truest; it fades by 1 ms a second, far more than clocks drift apart.
 */
function createServerClock() {
  let ahead: { readonly micros: number; readonly seen: number } | undefined;
  return {
    learn(serverMicros: number) {
      const seen = performance.now();
      const micros = serverMicros - seen * 1000;
      const kept = ahead === undefined ? Number.NEGATIVE_INFINITY : ahead.micros - (seen - ahead.seen);
      ahead = { micros: Math.max(micros, kept), seen };
    },
    /** The server time `ms` from now, as the script takes it. */
    lapse: (ms: number) =>
      ahead === undefined ? '0' : String(Math.round(ahead.micros + (performance.now() + ms) * 1000)),
    forget() {
      ahead = undefined;
    },
  };
}
