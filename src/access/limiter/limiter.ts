/**
 * How often a key may call: an exact sliding log. In no trailing window are more than `limit` calls allowed, and no call
 * is refused that would keep to that; a refused call costs nothing. A window is half open: the call made at t has left it
 * at t + window. Twins: memory.ts for one process, redis.ts for many.
 */

import type { RateLimitState } from '../../../protocol/index.ts';
import { formatRetryAfter } from '../../base/retry-after.ts';
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
  /** How long until a call is allowed; 0 when one is now. Whoever waits exactly this long and is alone is not refused. */
  readonly retry_after_ms: number;
}

export interface Limiter {
  /** Counts one call of the key, if that is allowed. Never rejects for want of a backend. */
  take(keyId: string, limit: Limit): Promise<RateDecision>;
  /** What `take` would find, counting nothing. */
  peek(keyId: string, limit: Limit): Promise<RateDecision>;
  close(): Promise<void>;
}

/** A decision from what the log says: calls counted after this one, and ms until the next unit comes back. */
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

/** The decision as the frame `rate_limit` and `session.ready` show it. */
export function rateLimitState(decision: RateDecision): RateLimitState {
  const { policy, limit, remaining, reset_s, window_s } = decision;
  return { policy, limit, remaining, reset_s, window_s };
}

/**
 * `RateLimit-Policy` and `RateLimit` as structured fields (draft-ietf-httpapi-ratelimit-headers), and `Retry-After` in
 * whole seconds, rounded up, when refused. Names in lower case.
 */
export function rateLimitHeaders(decision: RateDecision): Record<string, string> {
  const name = `"${decision.policy}"`;
  return {
    'ratelimit-policy': `${name};q=${decision.limit};w=${decision.window_s}`,
    ratelimit: `${name};r=${decision.remaining};t=${Math.ceil(decision.reset_s)}`,
    ...(decision.allowed ? {} : { 'retry-after': formatRetryAfter(decision.retry_after_ms) }),
  };
}
