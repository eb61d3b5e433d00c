/**
 * Limits, tickets and revocations that hold across all processes with the same Redis; what stands in for the limits
 * while it does not answer says so once, in the log and the metrics. Loaded where a Redis is named: its packages take a
 * tenth of a second.
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
  /** After `limiter` and `revocations` are closed. */
  disconnect(): void;
}

export async function openRedisAccess(url: string, metrics: Metrics, log: Log): Promise<RedisAccess> {
  const redis = connectRedis(url);
  const limiter = await openFallbackLimiter({
    shared: createRedisLimiter({ redis, node: randomUUID() }),
    onChange(state, cause) {
      metrics.limiterState(state);
      const reason = cause instanceof Error ? { reason: cause.message } : {};
      if (state === 'shared') log.info('rate limits hold across all processes, on Redis');
      else log.warn(reason, 'Redis does not answer: this process limits by its own log, at its share of the limit');
    },
  });
  return {
    limiter,
    revocations: createRedisRevocations({ url }),
    ticketStore: createRedisTicketStore({ redis }),
    disconnect: () => redis.disconnect(),
  };
}
