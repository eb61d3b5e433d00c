/** The limits of search providers in Redis, on the server's clock. */
import { randomUUID } from 'node:crypto';
import { sleep } from '../../../base/abort.ts';
import { connectRedis, within } from '../../../base/redis/redis.ts';
import { keyPrefix } from '../../../base/redis/redis-url.ts';
import { defineScript, readScript } from '../../../base/redis/scripts.ts';
import type { FleetLimits } from './fleet-limits.ts';

/** How long a search may wait for a reply. Set by hand, as for the limiter. */
const answerMs = 100;
/** The window of the calls that are counted. */
const windowMs = 60_000;
/** How soon a turn that others have is asked for again, and the longest wait for one that is known. Set by hand. */
const pollMs = { first: 25, last: 1_000 } as const;

/** Connects to Redis in the background, and is of no effect until it answers. */
export function createRedisFleetLimits(options: { readonly url: string; readonly prefix?: string }): FleetLimits {
  const { url, prefix = `${keyPrefix(url)}:provider` } = options;
  const redis = connectRedis(url);
  const script = (name: string, keys: number) => ({
    name,
    lua: readScript(new URL(`./${name}.lua`, import.meta.url)),
    keys,
  });
  const countCall = defineScript<
    [calls: string, paused: string, perMinute: number, windowMs: number],
    [string, number]
  >(redis, script('count-call', 2));
  const takeTurn = defineScript<[turn: string, next: string, id: string, maxMs: number, intervalMs: number], number>(
    redis,
    script('take-turn', 2),
  );
  const endTurn = defineScript<[turn: string, id: string], null>(redis, script('end-turn', 1));
  const countFailure = defineScript<[failures: string, paused: string, ...args: (string | number)[]], null>(
    redis,
    script('count-failure', 2),
  );
  const key = (provider: string, what: string) => `${prefix}:${provider}:${what}`;

  return {
    async count(provider, perMinute) {
      const counting = countCall(key(provider, 'calls'), key(provider, 'paused'), perMinute, windowMs);
      const [verdict, pausedMs] = await within(answerMs, counting).catch(() => ['counted', 0] as const);
      return verdict === 'paused' ? { pausedMs } : verdict === 'full' ? 'full' : 'counted';
    },

    async enter(provider, { intervalMs, maxMs }, signal) {
      const [turn, id] = [key(provider, 'turn'), randomUUID()];
      const end = () => void endTurn(turn, id).catch(() => {});
      for (;;) {
        signal.throwIfAborted();
        const taking = takeTurn(turn, key(provider, 'next'), id, maxMs, intervalMs);
        // A turn that is granted too late is returned.
        const wait = await within(answerMs, taking, (late) => late === 0 && end()).catch(() => undefined);
        if (wait === undefined) return () => {};
        if (wait === 0) return end;
        await sleep(Math.min(Math.max(wait, pollMs.first), pollMs.last), signal);
      }
    },

    succeeded: (provider) => void redis.del(key(provider, 'failures')).catch(() => {}),

    failed(provider, { maxFailures, firstMs, maxMs }, retryAfterMs = 0) {
      const keys = [key(provider, 'failures'), key(provider, 'paused')] as const;
      countFailure(...keys, maxFailures, firstMs, maxMs, Math.round(retryAfterMs)).catch(() => {});
    },

    close: () => redis.disconnect(),
  };
}
