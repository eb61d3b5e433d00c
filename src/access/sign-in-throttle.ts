/**
 * Failed sign-ins, counted by address (IPv6 by /64), whatever was tried: a key, a session, a link. An address over the
 * limit gets 429 for every further failure, while whoever signs in well from it still passes: neighbours behind one
 * address cannot lock each other out.
 */
import { networkOf } from '../base/addresses.ts';
import { AppError } from '../base/errors.ts';
import { createMemoryLimiter } from './limiter/memory.ts';
import type { Limit } from './plans.ts';

export interface SignInThrottle {
  /** Counts a failure; gives `refusal`, or `rate_limited` where there were too many. */
  count(address: string, refusal: AppError): AppError;
}

const failures: Limit = { bucket: 'sign_in', policy: 'sign_in', limit: 20, window_s: 60 };

/** `now` gives milliseconds that never go back. */
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
      return new AppError('rate_limited', 'Too many failed sign-ins from this address.', { retry_after_ms });
    },
  };
}
