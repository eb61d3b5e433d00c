/** The Redis of REDIS_URL. */
import { once } from 'node:events';
import { timeLimit } from '../../base/abort.ts';
import { connectRedis, readEvictionFault } from '../../base/redis/redis.ts';
import { describeTrouble } from '../../base/redis/redis-trouble.ts';
import { parseRedisUrl } from '../../base/redis/redis-url.ts';
import { type Check, ok, problem, reasonOf, skipped } from './check.ts';

/** Longest time to connect, ms; set by hand, well above what a server waits. */
const connectMs = 3_000;

/** Whether it answers, takes scripts (the limiter is one), and what time it has. */
export const checkRedis: Check = async ({ config: { redisUrl }, reportTime }) => {
  if (redisUrl === undefined) return skipped('REDIS_URL is not set: this server shares nothing with others.');
  const host = parseRedisUrl(redisUrl)?.shown;
  const redis = connectRedis(redisUrl);
  let last: unknown;
  redis.on('error', (error) => {
    last = error;
  });
  try {
    if (redis.status !== 'ready') await once(redis, 'ready', { signal: timeLimit(connectMs) }).catch(ignore);
    const [seconds, micros] = await redis.time();
    reportTime('Redis', Number(seconds) * 1000 + Number(micros) / 1000);
    await redis.eval('return 1', 0);
    const fault = await readEvictionFault(redis);
    if (fault !== undefined)
      return problem(`REDIS_URL: ${host}: ${fault}.`, 'Run `CONFIG SET maxmemory-policy noeviction` there.');
    const version = /redis_version:(\S+)/.exec(await redis.info('server'))?.[1] ?? '(of unknown version)';
    return ok(`Redis ${version} at ${host} answers.`);
  } catch (error) {
    const why = reasonOf(last ?? error);
    return problem(`REDIS_URL: ${host}: ${describeTrouble(new Error(why))}.`, fixOf(why));
  } finally {
    redis.disconnect();
  }
};

/** Its `error` events, and the command that follows, say more. */
function ignore(): void {}

function fixOf(why: string): string {
  if (/NOAUTH|WRONGPASS/.test(why)) return 'Correct the user and the password in REDIS_URL.';
  if (/NOPERM/.test(why))
    return 'Allow this user all commands and keys that begin with `citewire`, or in a cluster with `{citewire}`.';
  return 'Start Redis or correct REDIS_URL; without it, this server limits callers on its own.';
}
