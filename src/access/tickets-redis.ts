/** Tickets in Redis: bought from one process, used at another. Redis forgets them when their time is up. */
import type { Redis } from 'ioredis';
import { within } from '../base/redis.ts';
import type { TicketStore } from './tickets.ts';

const answerMs = 500;

/** The connection stays the caller's. */
export function createRedisTicketStore(options: { readonly redis: Redis; readonly prefix?: string }): TicketStore {
  const { redis, prefix = 'citewire:ticket' } = options;
  return {
    async put(hash, value, ttl_s) {
      await within(answerMs, redis.set(`${prefix}:${hash}`, value, 'EX', ttl_s));
    },
    async take(hash) {
      const name = `${prefix}:${hash}`;
      // One transaction, which any Redis has, instead of GETDEL, which those before 6.2 have not.
      const replies = await within(answerMs, redis.multi().get(name).del(name).exec());
      const value = replies?.[0]?.[1];
      return typeof value === 'string' ? value : undefined;
    },
  };
}
