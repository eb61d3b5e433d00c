/**
 * Limits, searches in flight, tickets and revocations shared by all processes on one Redis. While it does not answer, limits fall
 * back to this process, which is reported once in the log and the metrics. Imported only when Redis is configured: its packages
 * take 100 ms to load.
 */
import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import { connectRedis, readEvictionFault } from '../base/redis/redis.ts';
import { hearWarnings, troubleOf } from '../base/redis/redis-trouble.ts';
import { keyPrefix } from '../base/redis/redis-url.ts';
import { createRedisPlaces } from './admission/redis-places.ts';
import type { SharedPlaces } from './admission/shared-places.ts';
import { openFallbackLimiter } from './limiter/fallback.ts';
import type { Limiter } from './limiter/limiter.ts';
import { createRedisLimiter } from './limiter/redis.ts';
import { createStateLog } from './limiter/state-log.ts';
import type { Revocations } from './revocations.ts';
import { createRedisRevocations } from './revocations-redis.ts';
import type { TicketStore } from './tickets.ts';
import { createRedisTicketStore } from './tickets-redis.ts';

export interface RedisAccess {
  readonly limiter: Limiter;
  readonly revocations: Revocations;
  readonly ticketStore: TicketStore;
  readonly places: SharedPlaces;
  /** Call it after `limiter` and `revocations` are closed. */
  disconnect(): void;
}

/** Resolves when Redis answers, or after a second without it. Rejects if that Redis may evict what it is given. */
export async function openRedisAccess(url: string, metrics: Metrics, log: Log): Promise<RedisAccess> {
  hearWarnings((reason) => log.warn({ reason }, 'Redis does not work as REDIS_URL says'));
  const redis = connectRedis(url);
  const prefix = keyPrefix(url);
  const states = createStateLog((state, cause, repeated) => {
    if (state === 'shared') log.info(repeated, 'rate limits are shared by all processes through Redis');
    else
      log.warn(
        { reason: troubleOf(redis, cause), ...repeated },
        'Redis does not answer: this process enforces its share of the rate limits on its own',
      );
  });
  const limiter = await openFallbackLimiter({
    shared: createRedisLimiter({ redis, node: randomUUID(), prefix: `${prefix}:limit` }),
    onChange(state, cause) {
      metrics.limiterState(state);
      states.changed(state, cause);
    },
  });
  try {
    await refuseEviction(redis, log);
  } catch (error) {
    states.close();
    await limiter.close();
    redis.disconnect();
    throw error;
  }
  const places = createRedisPlaces({ redis, prefix: `${prefix}:in-flight` });
  return {
    limiter,
    places,
    revocations: createRedisRevocations({ url }),
    ticketStore: createRedisTicketStore({ redis, prefix: `${prefix}:ticket` }),
    disconnect() {
      states.close();
      places.close();
      redis.disconnect();
    },
  };
}

/** A Redis that comes later, or whose settings change, is reported in the log each time this process connects to it. */
async function refuseEviction(redis: Redis, log: Log): Promise<void> {
  const read = () => readEvictionFault(redis).catch(() => undefined);
  const fault = await read();
  if (fault !== undefined) throw new Error(`REDIS_URL: ${fault}.`);
  redis.on('ready', async () => {
    const later = await read();
    if (later !== undefined) log.error({ reason: later }, 'Redis may lose searches and limits');
  });
}
