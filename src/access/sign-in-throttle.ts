/**
 * Counts failed sign-ins by address (IPv6 by /64): keys, sessions and links alike. An address over the limit gets
 * `rate_limited` for every further failure, while valid credentials still work from it: users behind one address cannot
 * lock each other out.
 */
import { networkOf } from '../base/addresses.ts';
import { AppError } from '../base/errors.ts';
import { createMemoryLimiter } from './limiter/memory.ts';
import type { Limit } from './plans.ts';

export interface SignInThrottle {
  /** Counts a failure; returns `refusal`, or `rate_limited` once there were too many. */
  count(address: string, refusal: AppError): AppError;
}

/** Set by hand. */
const failures: Limit = { bucket: 'sign_in', policy: 'sign_in', limit: 20, window_s: 60 };

/** What says so; it tells nothing about the credential. */
export const tooManyFailures = 'Too many failed sign-ins from this address.';

/** `now` is a monotonic clock in milliseconds. */
export function createSignInThrottle({
  now = () => performance.now(),
}: {
  readonly now?: () => number;
} = {}): SignInThrottle {
  const failed = createMemoryLimiter({ now, capacity: 50_000 });
  return {
    count(address, refusal) {
      const { allowed, retry_after_ms } = failed.takeNow(networkOf(address), failures);
      if (allowed) return refusal;
      return new AppError('rate_limited', tooManyFailures, { retry_after_ms });
    },
  };
}
