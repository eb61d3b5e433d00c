/**
 * Limits, tickets and revocations shared by all processes on one Redis. While it does not answer, limits fall back to
 * this process, which is reported once in the log and the metrics. Imported only when Redis is configured: its packages
 * take 100 ms to load.
 */
import { randomUUID } from 'node:crypto';
import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import { connectRedis } from '../base/redis.ts';
import { openFallbackLimiter } from './limiter/fallback.ts';
import type { Limiter } from './limiter/limiter.ts';
import { createRedisLimiter } from './limiter/redis.ts';
import type { Revocations } from './revocations.ts';
import { createRedisRevocations } from './revocations-redis.ts';
import type { TicketStore } from './tickets.ts';
import { createRedisTicketStore } from './tickets-redis.ts';

export interface RedisAccess {
  readonly limiter: Limiter;
  readonly revocations: Revocations;
  readonly ticketStore: TicketStore;
  /** Call it after `limiter` and `revocations` are closed. */
  disconnect(): void;
}

/** Resolves when Redis answers, or after a second without it. */
export async function openRedisAccess(url: string, metrics: Metrics, log: Log): Promise<RedisAccess> {
  const redis = connectRedis(url);
  const limiter = await openFallbackLimiter({
    shared: createRedisLimiter({ redis, node: randomUUID() }),
    onChange(state, cause) {
      metrics.limiterState(state);
      const reason = cause instanceof Error ? { reason: cause.message } : {};
      if (state === 'shared') log.info('rate limits are shared by all processes through Redis');
      else log.warn(reason, 'Redis does not answer: this process enforces its share of the rate limits on its own');
    },
  });
  return {
    limiter,
    revocations: createRedisRevocations({ url }),
    ticketStore: createRedisTicketStore({ redis }),
    disconnect: () => redis.disconnect(),
  };
}
