/**
 * Connections to Redis for callers that must never wait for it. Commands on a broken connection fail immediately; none is
 * queued or resent. A lost connection is retried five times a second. Callers set their own deadlines; the timeout here
 * only keeps abandoned commands from piling up.
 */
import { Redis, type RedisOptions } from 'ioredis';

const failFast: RedisOptions = {
  enableOfflineQueue: false,
  // Else a command in flight when the connection closes is settled only by its timeout.
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  connectTimeout: 500,
  commandTimeout: 1_000,
  disconnectTimeout: 100,
  retryStrategy: () => 200,
};

/** A timer this late shows that the event loop was busy; its reply then gets `graceMs` more. Set by hand. */
const lateMs = 5;
const graceMs = 30;

/** Returns immediately and connects, and reconnects, in the background. Connection errors surface only in commands. */
export function connectRedis(url: string, options: RedisOptions = {}): Redis {
  const redis = new Redis(url, { ...failFast, ...options });
  redis.on('error', () => {});
  return redis;
}

/**
 * Settles as `promise` does, or rejects after `ms`; `onLate` is called with a value that arrives later. If the timer itself
 * fires late because the event loop was busy, the reply may already be in the socket and gets 30 ms more.
 */
export function within<Value>(ms: number, promise: Promise<Value>, onLate?: (value: Value) => void): Promise<Value> {
  return new Promise((resolve, reject) => {
    let hasTimedOut = false;
    const giveUp = () => {
      hasTimedOut = true;
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
        if (hasTimedOut) onLate?.(value);
        else resolve(value);
      },
      (error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}

/** Sends the commands of one event loop tick in one write, because a write costs more than the rest of a command. */
export function writeTogether(redis: Redis): void {
  const { stream } = redis;
  if (stream === undefined || stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}
