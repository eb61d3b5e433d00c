/**
 * The sliding log of one process. Every key's log holds the times of its counted calls, so memory is at most `limit`
 * numbers a key that called within a window; each call also looks at two other logs and drops those that have run out.
 * `capacity` bounds the keys where strangers choose them: the log that was begun first goes.
 */

import type { Limit } from '../plans.ts';
import { decide, type Limiter, type RateDecision } from './limiter.ts';

export interface MemoryLimiter extends Limiter {
  /** `take`, at once. */
  takeNow(keyId: string, limit: Limit): RateDecision;
  peekNow(keyId: string, limit: Limit): RateDecision;
  /** Counts a call that was allowed elsewhere. */
  count(keyId: string, limit: Limit): void;
  /** Every log there is; its times may have run out. */
  logs(): Iterable<MemoryLog>;
}

export interface MemoryLog {
  readonly keyId: string;
  readonly limit: Limit;
  readonly times: number[];
}

export function createMemoryLimiter(
  options: {
    /** Milliseconds that never go back. */
    readonly now?: () => number;
    readonly capacity?: number;
  } = {},
): MemoryLimiter {
  const { now = () => performance.now(), capacity = Number.POSITIVE_INFINITY } = options;
  const logs = new Map<string, MemoryLog>();
  let sweeping = logs.entries();

  function read(keyId: string, limit: Limit, at: number): MemoryLog {
    const log = logs.get(nameOf(keyId, limit)) ?? { keyId, limit, times: [] };
    while (log.times.length > 0 && log.times[0]! <= at - windowMs(limit)) log.times.shift();
    return log;
  }

  function write(log: MemoryLog, at: number): void {
    log.times.push(at);
    logs.set(nameOf(log.keyId, log.limit), log);
    while (logs.size > capacity) logs.delete(logs.keys().next().value!);
    sweep(at);
  }

  /** Looks at two logs in turn, so all are seen before as many new ones can have come. */
  function sweep(at: number): void {
    for (let i = 0; i < 2; i++) {
      const next = sweeping.next();
      if (next.done) {
        sweeping = logs.entries();
        return;
      }
      const [name, { times, limit }] = next.value;
      if ((times.at(-1) ?? Number.NEGATIVE_INFINITY) <= at - windowMs(limit)) logs.delete(name);
    }
  }

  function takeNow(keyId: string, limit: Limit): RateDecision {
    const at = now();
    const log = read(keyId, limit, at);
    const allowed = log.times.length < limit.limit;
    if (allowed) write(log, at);
    return decide(limit, allowed, log.times.length, waitOf(log.times, limit, at));
  }

  function peekNow(keyId: string, limit: Limit): RateDecision {
    const at = now();
    const log = read(keyId, limit, at);
    return decide(limit, log.times.length < limit.limit, log.times.length, waitOf(log.times, limit, at));
  }

  return {
    takeNow,
    peekNow,
    take: async (keyId, limit) => takeNow(keyId, limit),
    peek: async (keyId, limit) => peekNow(keyId, limit),
    count(keyId, limit) {
      const at = now();
      write(read(keyId, limit, at), at);
    },
    logs: () => logs.values(),
    async close() {
      logs.clear();
    },
  };
}

const windowMs = (limit: Limit): number => limit.window_s * 1000;

const nameOf = (keyId: string, limit: Limit): string => `${limit.bucket}:${keyId}`;

/** With more calls in the log than the limit (the plan was lowered), several must leave before a unit comes back. */
function waitOf(times: readonly number[], limit: Limit, at: number): number {
  const next = times[Math.max(0, times.length - limit.limit)];
  return next === undefined ? 0 : next + windowMs(limit) - at;
}
