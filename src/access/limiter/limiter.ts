/**
 * How often a key may call: an exact sliding log. No trailing window ever contains more than `limit` allowed calls, and no
 * call within the limit is refused; a refused call costs nothing. A window is half open: the call made at t has left it at
 * t + window. Twins: memory.ts for one process, redis.ts for several.
 */

import type { RateLimitState } from '../../../protocol/index.ts';
import { formatRetryAfter } from '../../base/upstream/retry-after.ts';
import type { Limit } from '../plans.ts';

export interface RateDecision {
  readonly allowed: boolean;
  readonly policy: string;
  readonly limit: number;
  /** Calls that would be allowed now, after this one. */
  readonly remaining: number;
  /** Seconds until `remaining` next grows; 0 when nothing is counted. */
  readonly reset_s: number;
  readonly window_s: number;
  /** Time until a call is allowed; 0 if one is now. A single caller that waits exactly this long is not refused. */
  readonly retry_after_ms: number;
}

export interface Limiter {
  /** Counts one call of the key if it is allowed. Does not reject when a backend is missing. */
  take(keyId: string, limit: Limit): Promise<RateDecision>;
  /** What `take` would decide, without counting. */
  peek(keyId: string, limit: Limit): Promise<RateDecision>;
  close(): Promise<void>;
}

/** A decision. `counted` includes this call; `waitMs` is the time until the next unit becomes available. */
export function decide(limit: Limit, allowed: boolean, counted: number, waitMs: number): RateDecision {
  const wait = Math.max(0, Math.ceil(waitMs));
  return {
    allowed,
    policy: limit.policy,
    limit: limit.limit,
    remaining: Math.max(0, limit.limit - counted),
    reset_s: wait / 1000,
    window_s: limit.window_s,
    retry_after_ms: allowed ? 0 : wait,
  };
}

/** The decision as `rate_limit` and `session.ready` frames carry it. */
export function rateLimitState(decision: RateDecision): RateLimitState {
  const { policy, limit, remaining, reset_s, window_s } = decision;
  return { policy, limit, remaining, reset_s, window_s };
}

/**
 * The headers `RateLimit-Policy` and `RateLimit` as structured fields (draft-ietf-httpapi-ratelimit-headers) and, when
 * refused, `Retry-After` in whole seconds, rounded up. Names are in lower case.
 */
export function rateLimitHeaders(decision: RateDecision): Record<string, string> {
  const name = `"${decision.policy}"`;
  return {
    'ratelimit-policy': `${name};q=${decision.limit};w=${decision.window_s}`,
    ratelimit: `${name};r=${decision.remaining};t=${Math.ceil(decision.reset_s)}`,
    ...(decision.allowed ? {} : { 'retry-after': formatRetryAfter(decision.retry_after_ms) }),
  };
}
