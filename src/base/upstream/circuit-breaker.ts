/**
 * Keeps calls away from an endpoint that fails: after a few failures in a row for a pause that doubles each time, or for as
 * long as the endpoint asks. Its user makes the calls, and says of each how it went.
 */

export interface CircuitBreakerOptions {
  /** Consecutive failures that begin a pause. */
  readonly maxFailures: number;
  /** How many begin the next one, until a call succeeds. */
  readonly maxFailuresAgain: number;
  readonly pauseMs: { readonly first: number; readonly max: number };
  /** Maximum pause that the endpoint can ask for. */
  readonly maxRetryAfterMs: number;
}

export interface CircuitBreaker {
  /** How long no call may be made, ms; 0 if one may. */
  remainingMs(): number;
  succeeded(): void;
  /** With `retryAfterMs`, or if the failure `isPermanent`, the pause begins without waiting for further failures. */
  failed(failure?: { readonly retryAfterMs?: number | undefined; readonly isPermanent?: boolean | undefined }): void;
  /** Pauses for at least this long, ms, for a reason that is not a failure of a call here. */
  pauseFor(ms: number): void;
}

/** Closed at first: calls may be made. */
export function createCircuitBreaker(options: CircuitBreakerOptions): CircuitBreaker {
  const { maxFailures, maxFailuresAgain, pauseMs, maxRetryAfterMs } = options;
  let failures = 0;
  let pauses = 0;
  let pausedUntil = 0;

  function pauseFor(ms: number): void {
    pausedUntil = Math.max(pausedUntil, performance.now() + ms);
  }

  return {
    remainingMs: () => Math.max(0, pausedUntil - performance.now()),
    succeeded() {
      failures = 0;
      pauses = 0;
    },
    failed({ retryAfterMs, isPermanent = false } = {}) {
      failures += 1;
      const allowed = pauses === 0 ? maxFailures : maxFailuresAgain;
      if (retryAfterMs === undefined && !isPermanent && failures < allowed) return;
      pauseFor(Math.min(retryAfterMs ?? Math.min(pauseMs.first * 2 ** pauses, pauseMs.max), maxRetryAfterMs));
      pauses += 1;
      failures = 0;
    },
    pauseFor,
  };
}
