/**
 * When a webhook is tried again. The pauses are those that Standard Webhooks recommend; each is lengthened by up to a tenth, at
 * random, so that what failed together is not tried together. A receiver that says that it is overloaded gets more time.
 */
import type { TryOutcome } from './webhook-records.ts';

/** Before each try, counted from the one before, in ms: 0, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h. */
const minute = 60_000;
const hour = 60 * minute;
export const retryPauses: readonly number[] = [
  0,
  5_000,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** Statuses with which receivers and their proxies ask for less (Standard Webhooks). */
const overloadedStatuses = [429, 502, 504];
/** What such a receiver gets if it says nothing about it; set by hand. */
const overloadedMs = 30_000;
/** A Retry-After beyond this is not followed: the longest pause of the schedule. */
export const maxRetryAfterMs = 24 * hour;
/** No try is due later than this after the one before: the longest pause with what lengthens it, and a little more. */
export const maxPauseMs = 27 * hour;

/** What a try came to: its status, undefined without an answer, and how long its Retry-After asks to wait, ms. */
export interface TryResult {
  readonly status: number | undefined;
  readonly retry_after_ms?: number | undefined;
}

/** What becomes of a delivery after its try number `round`, from 1, ended at `now`, ms since 1970. `random` is from 0 to 1. */
export function outcomeOf(
  { status, retry_after_ms = 0 }: TryResult,
  round: number,
  now: number,
  random: number,
): TryOutcome {
  if (status !== undefined && status >= 200 && status < 300) return { state: 'delivered', next_at: null };
  if (status === 410) {
    return { state: 'failed', next_at: null, disable: 'The receiver answered 410 Gone.' };
  }
  const isOverloaded = status !== undefined && overloadedStatuses.includes(status);
  const asked = Math.min(retry_after_ms, maxRetryAfterMs);
  const slowMs = isOverloaded ? Math.max(asked, overloadedMs) : asked;
  const slow = slowMs > 0 ? { slow_until: at(now + slowMs) } : {};
  const pause = retryPauses[round];
  if (pause === undefined) return { state: 'failed', next_at: null, ...slow };
  return { state: 'pending', next_at: at(now + Math.max(pause, slowMs) * (1 + random / 10)), ...slow };
}

function at(time: number): string {
  return new Date(time).toISOString();
}
