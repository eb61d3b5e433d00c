/**
 * The sliding log in Redis, shared by all processes, on the server's clock. The script replaces the one of
 * rate-limiter-flexible, whose fixed windows would allow up to twice the limit across an edge; the library's reply, "calls
 * counted and ms to wait", contains all that a decision needs.
 *
 * A call that timed out must not be counted later, when a stalled Redis catches up. So every call carries the server time
 * at which it expires, estimated from the times in earlier replies, and a late reply is reported to its caller. Only a
 * call whose reply was lost in transit may be counted and yet be decided elsewhere. This twin rejects when Redis does not
 * answer in time; fallback.ts wraps it so that the result never does.
 */
import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { within, writeTogether } from '../../base/redis/redis.ts';
import { readScript } from '../../base/redis/scripts.ts';
import type { Limit } from '../plans.ts';
import { decide, type Limiter, type RateDecision } from './limiter.ts';

/** A limiter over a backend that may fail; `take` and `peek` then reject quickly. */
export interface SharedLimiter extends Limiter {
  /** `onLate` is called with a decision that arrives after the call has timed out. */
  take(keyId: string, limit: Limit, onLate?: (decision: RateDecision) => void): Promise<RateDecision>;
  /** Checks the backend: resolves with how many processes share it, and an epoch that changes whenever it loses its data. */
  probe(): Promise<{ readonly nodes: number; readonly epoch: string }>;
  /** Adds calls that were allowed elsewhere, by their ages. Repeating it with the same `id` adds nothing. */
  add(id: string, keyId: string, limit: Limit, ages_ms: readonly number[]): Promise<void>;
  /** Replaces the connection, which may be dead without having noticed. */
  reconnect(): void;
}

const slidingWindow = readScript(new URL('./sliding-window.lua', import.meta.url));
const addCalls = readScript(new URL('./sliding-window-add.lua', import.meta.url));
/** How long a process counts as present after its last probe, three times `watchMs` in fallback.ts. */
const nodeTtlMs = 6_000;
/** Longer than for a call, because no caller waits for it. Set by hand. */
const addMs = 1_000;

/** `node` identifies this process among those that share the Redis. The caller closes the connection. */
export function createRedisLimiter(options: {
  readonly redis: Redis;
  readonly node: string;
  readonly prefix?: string;
  /** How long a call may wait for its reply; 100 ms by default, set by hand. */
  readonly answerMs?: number;
}): SharedLimiter {
  const { redis, node, prefix = 'citewire:limit', answerMs = 100 } = options;
  const clock = createServerClock();
  const limiters = new WeakMap<Limit, RateLimiterRedis>();
  redis.on('close', clock.forget);

  /** The client interface that the library needs; adds the expiry to each call and reads the server time of each reply. */
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
        if (counted < 0) throw new Error('Redis ran the call after it had expired');
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
      const nodes = `${prefix}:nodes`;
      // With a key, so that it is the clock of the node of a cluster that has the logs.
      const asking = redis.eval("return redis.call('TIME')", 1, nodes) as Promise<[string, string]>;
      const [seconds, micros] = await within(answerMs, asking);
      clock.learn(Number(seconds) * 1e6 + Number(micros));
      const at = Number(seconds) * 1000;
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
 * How far the server's clock is ahead of ours. Each reply shows it minus the reply's time in transit, so the largest value
 * seen is the most accurate. It decays by 1 ms per second, far more than clocks drift apart.
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
    /** The server time `ms` from now in microseconds, as the script expects it; "0" while unknown. */
    lapse: (ms: number) =>
      ahead === undefined ? '0' : String(Math.round(ahead.micros + (performance.now() + ms) * 1000)),
    forget() {
      ahead = undefined;
    },
  };
}
