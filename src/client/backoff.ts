/**
 * When the next attempt may be made: exponential backoff with full jitter, never earlier than the server allows. It
 * stores a point in time, not a delay: a caller that waits on two of them waits for the later one, not for their sum.
 */
export interface Backoff {
  /** Counts a failure; `atLeastMs` is the minimum delay that the server asked for. */
  recordFailure(atLeastMs?: number): void;
  /** Forgets earlier failures, after a success. */
  reset(): void;
  /** Consecutive failures so far. */
  failures(): number;
  /** Resolves when the next attempt may be made, or when the signal fires. */
  wait(signal: AbortSignal): Promise<void>;
}

export interface BackoffOptions {
  /** Upper bound of the first delay; doubles with each failure. */
  readonly backoffMs: number;
  readonly maxBackoffMs: number;
}

/** A backoff without failures: the first `wait` resolves immediately. Delays are in milliseconds. */
export function createBackoff({ backoffMs, maxBackoffMs }: BackoffOptions): Backoff {
  let failures = 0;
  /** Bounds the wait if the clock is set back. A monotonic clock would not do: in some browsers it stops while the device sleeps. */
  let delayMs = 0;
  let notBefore = 0;
  return {
    recordFailure(atLeastMs = 0) {
      const maxDelayMs = Math.min(maxBackoffMs, backoffMs * 2 ** failures);
      failures += 1;
      // Jitter comes on top of the server's delay: clients that got the same delay must not return at the same moment.
      delayMs = atLeastMs + Math.random() * maxDelayMs;
      notBefore = Date.now() + delayMs;
    },
    reset() {
      failures = 0;
    },
    failures: () => failures,
    wait: (signal) => sleep(Math.min(notBefore - Date.now(), delayMs), signal),
  };
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}
