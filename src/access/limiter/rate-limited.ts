/** The error for a call over its limit, with headers that say how long to wait. */
import { AppError } from '../../base/errors.ts';
import { type RateDecision, rateLimitHeaders } from './limiter.ts';

/** A `rate_limited` error. `what` names the counted units in the plural: "calls", "tickets". */
export function rateLimited(rate: RateDecision, what: string): AppError {
  const { limit, window_s, retry_after_ms } = rate;
  const wait = (retry_after_ms / 1000).toFixed(1);
  return new AppError('rate_limited', `This key may make ${limit} ${what} in ${window_s} s; try again in ${wait} s.`, {
    retry_after_ms,
    headers: rateLimitHeaders(rate),
  });
}
