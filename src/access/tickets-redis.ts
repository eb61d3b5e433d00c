/** Tickets in Redis: issued by one process, redeemed by another. Redis deletes them when they expire. */
import type { Redis } from 'ioredis';
import { within } from '../base/redis/redis.ts';
import type { TicketStore } from './tickets.ts';

/** How long a command may take. Set by hand. */
const answerMs = 500;

/** The caller closes the connection. Both functions reject when Redis does not answer in time. */
export function createRedisTicketStore(options: { readonly redis: Redis; readonly prefix?: string }): TicketStore {
  const { redis, prefix = 'citewire:ticket' } = options;
  return {
    async put(hash, value, ttl_s) {
      await within(answerMs, redis.set(`${prefix}:${hash}`, value, 'EX', ttl_s));
    },
    async take(hash) {
      const name = `${prefix}:${hash}`;
      // A transaction works with any Redis; GETDEL needs 6.2.
      const replies = await within(answerMs, redis.multi().get(name).del(name).exec());
      const value = replies?.[0]?.[1];
      return typeof value === 'string' ? value : undefined;
    },
  };
}
