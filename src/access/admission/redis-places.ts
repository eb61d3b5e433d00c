/** Places in Redis, on the server's clock. This process renews the ones it has taken, four times before they are free. */
import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { within } from '../../base/redis/redis.ts';
import { defineScript, readScript } from '../../base/redis/scripts.ts';
import type { SharedPlaces } from './shared-places.ts';

const scripts = {
  take: readScript(new URL('./take-place.lua', import.meta.url)),
  renew: readScript(new URL('./renew-places.lua', import.meta.url)),
};
/** How long a search may wait for the reply. Set by hand, as for the limiter. */
const answerMs = 100;

/**
 * How long a place is taken without being renewed, ms. Searches of a dead process end two leases of 4 s after it last renewed its own,
 * which it does each second (runs/redis/lease.ts), so 7 s after its death at the earliest: by then their places are free. A process that
 * is too busy to renew them for longer has its searches ended too; one that is not, but late, takes them again, and until then other
 * processes may start a few more searches of the key than it may have.
 */
const defaultTtlMs = 7_000;

/** The caller closes the connection. */
export function createRedisPlaces(options: {
  readonly redis: Redis;
  readonly prefix?: string;
  /** How long a place is taken without being renewed; 7 s by default. */
  readonly ttlMs?: number;
}): SharedPlaces {
  const { redis, prefix = 'citewire:in-flight', ttlMs = defaultTtlMs } = options;
  /** The key of each place that this process has taken. */
  const taken = new Map<string, string>();
  const takePlace = defineScript<[key: string, limit: number, ttlMs: number, place: string], number>(redis, {
    name: 'take-place',
    lua: scripts.take,
    keys: 1,
  });
  const renewPlaces = defineScript<[keys: number, ...rest: (string | number)[]], null>(redis, {
    name: 'renew-places',
    lua: scripts.renew,
  });
  const renewing = setInterval(renew, ttlMs / 4).unref();

  function renew(): void {
    if (taken.size === 0) return;
    renewPlaces(taken.size, ...taken.values(), ttlMs, ...taken.keys()).catch(() => {});
  }

  function free(key: string, place: string): void {
    taken.delete(place);
    redis.zrem(key, place).catch(() => {});
  }

  return {
    async take(name, limit) {
      const [key, place] = [`${prefix}:${name}`, randomUUID()];
      // A place that is granted too late for its search is released.
      const onLate = (granted: number) => void (granted === 1 && free(key, place));
      const granted = await within(answerMs, takePlace(key, limit, ttlMs, place), onLate);
      if (granted !== 1) return undefined;
      taken.set(place, key);
      return () => free(key, place);
    },
    close: () => clearInterval(renewing),
  };
}
