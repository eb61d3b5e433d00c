/**
 * A connection to Redis for what must never wait for it: commands on a broken connection fail at once, none is kept or
 * sent again, and a lost connection is tried again five times a second. Whoever sends a command sets its own deadline;
 * the timeout here only keeps abandoned ones from piling up.
 */
import { Redis, type RedisOptions } from 'ioredis';

const failFast: RedisOptions = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 1,
  autoResendUnfulfilledCommands: false,
  connectTimeout: 500,
  commandTimeout: 1_000,
  disconnectTimeout: 100,
  retryStrategy: () => 200,
};

const lateMs = 5;
const graceMs = 30;

/** Returns at once; the connection comes up, and comes back, by itself. Its trouble shows in the commands alone. */
export function connectRedis(url: string, options: RedisOptions = {}): Redis {
  const redis = new Redis(url, { ...failFast, ...options });
  redis.on('error', () => {});
  return redis;
}

/**
 * The promise's value, or a rejection after `ms`; `onLate` is called with a value that comes after that. Where the event
 * loop itself came late, the other side is not to blame: it gets a little longer, and its reply may be in the socket.
 */
export function within<Value>(ms: number, promise: Promise<Value>, onLate?: (value: Value) => void): Promise<Value> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    const giveUp = () => {
      isOver = true;
      reject(new Error(`Redis did not answer within ${ms} ms`));
    };
    const due = performance.now() + ms;
    let timer = setTimeout(() => {
      if (performance.now() - due < lateMs) giveUp();
      else timer = setTimeout(giveUp, graceMs);
    }, ms);
    promise.then(
      (value) => {
        clearTimeout(timer);
        if (isOver) onLate?.(value);
        else resolve(value);
      },
      (error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}

/** Lets the commands of one turn of the event loop leave in one write: a write costs more than the rest of a command. */
export function writeTogether(redis: Redis): void {
  const { stream } = redis;
  if (stream === undefined || stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}
