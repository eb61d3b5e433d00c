/**
 * The sliding log of one process. Every key's log holds the times of its counted calls, so memory is at most `limit`
 * numbers a key that called within a window; logs are kept in the order of their newest call, and each call drops those
 * at the front that have run out. `capacity` bounds the keys where strangers choose them: the log that was idle longest
 * goes first.
 */
import { decide, type Limiter, type RateDecision } from './limiter.ts';
import type { Limit } from './plans.ts';

export interface MemoryLimiter extends Limiter {
  /** `take`, at once. */
  takeNow(keyId: string, limit: Limit): RateDecision;
  peekNow(keyId: string, limit: Limit): RateDecision;
  /** Counts a call that was allowed elsewhere. */
  count(keyId: string, limit: Limit): void;
}

interface Log {
  readonly times: number[];
  readonly windowMs: number;
}

export function createMemoryLimiter(
  options: {
    /** Milliseconds that never go back. */
    readonly now?: () => number;
    readonly capacity?: number;
  } = {},
): MemoryLimiter {
  const { now = () => performance.now(), capacity = Number.POSITIVE_INFINITY } = options;
  const logs = new Map<string, Log>();

  function read(name: string, limit: Limit, at: number): Log {
    const log = logs.get(name) ?? { times: [], windowMs: limit.window_s * 1000 };
    while (log.times.length > 0 && log.times[0]! <= at - log.windowMs) log.times.shift();
    return log;
  }

  function write(name: string, log: Log, at: number): void {
    log.times.push(at);
    logs.delete(name);
    logs.set(name, log);
    for (const [oldest, { times, windowMs }] of logs) {
      if (logs.size <= capacity && times.at(-1)! > at - windowMs) break;
      logs.delete(oldest);
    }
  }

  function waitOf({ times, windowMs }: Log, { limit }: Limit, at: number): number {
    const next = times[Math.max(0, times.length - limit)];
    return next === undefined ? 0 : next + windowMs - at;
  }

  const nameOf = (keyId: string, limit: Limit) => `${limit.bucket}:${keyId}`;

  function takeNow(keyId: string, limit: Limit): RateDecision {
    const at = now();
    const log = read(nameOf(keyId, limit), limit, at);
    const allowed = log.times.length < limit.limit;
    if (allowed) write(nameOf(keyId, limit), log, at);
    return decide(limit, allowed, log.times.length, waitOf(log, limit, at));
  }

  function peekNow(keyId: string, limit: Limit): RateDecision {
    const at = now();
    const log = read(nameOf(keyId, limit), limit, at);
    return decide(limit, log.times.length < limit.limit, log.times.length, waitOf(log, limit, at));
  }

  return {
    takeNow,
    peekNow,
    take: async (keyId, limit) => takeNow(keyId, limit),
    peek: async (keyId, limit) => peekNow(keyId, limit),
    count(keyId, limit) {
      const at = now();
      const name = nameOf(keyId, limit);
      write(name, read(name, limit, at), at);
    },
    async close() {
      logs.clear();
    },
  };
}
