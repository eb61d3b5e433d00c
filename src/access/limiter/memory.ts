/**
 * The sliding log of one process. A key's log holds the times of its counted calls, so memory is at most `limit` numbers
 * per key that called within a window; each call also checks two other logs and drops expired ones. `capacity` bounds the
 * keys where strangers can choose them: the oldest log is dropped first.
 */

import type { Limit } from '../plans.ts';
import { decide, type Limiter, type RateDecision } from './limiter.ts';

export interface MemoryLimiter extends Limiter {
  /** `take`, synchronously. */
  takeNow(keyId: string, limit: Limit): RateDecision;
  /** `peek`, synchronously. */
  peekNow(keyId: string, limit: Limit): RateDecision;
  /** Counts a call that was allowed elsewhere. */
  count(keyId: string, limit: Limit): void;
  /** All logs, including expired times. */
  logs(): Iterable<MemoryLog>;
}

export interface MemoryLog {
  readonly keyId: string;
  readonly limit: Limit;
  readonly times: number[];
}

/** `capacity` is the maximum number of logs; unlimited by default. */
export function createMemoryLimiter(
  options: {
    /** A monotonic clock, milliseconds. */
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

  /** Checks the next two logs, so all are checked before as many new ones can be added. */
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

/** If the log holds more calls than the limit (the plan was lowered), several must expire before a unit is available. */
function waitOf(times: readonly number[], limit: Limit, at: number): number {
  const next = times[Math.max(0, times.length - limit.limit)];
  return next === undefined ? 0 : next + windowMs(limit) - at;
}
