/**
 * When the next try may be made: exponential backoff with full jitter, and never before the server wants it. A pace holds
 * a point in time, not a pause: whoever waits by two of them waits for the later one, not for both in turn.
 */
export interface Pace {
  /** Counts a failure; `atLeastMs` is what the server asked for. */
  failed(atLeastMs?: number): void;
  /** Begins anew. */
  worked(): void;
  /** How many failures in a row. */
  failures(): number;
  /** Resolves when the next try may be made, or when the signal fires. */
  wait(signal: AbortSignal): Promise<void>;
}

export interface PaceOptions {
  /** The longest first pause; it doubles with each failure. */
  readonly backoffMs: number;
  readonly maxBackoffMs: number;
}

export function createPace({ backoffMs, maxBackoffMs }: PaceOptions): Pace {
  let failures = 0;
  let notBefore = 0;
  return {
    failed(atLeastMs = 0) {
      const most = Math.min(maxBackoffMs, backoffMs * 2 ** failures);
      failures += 1;
      // All who were told the same time must not come at the same moment.
      notBefore = Date.now() + atLeastMs + Math.random() * most;
    },
    worked() {
      failures = 0;
    },
    failures: () => failures,
    wait: (signal) => sleep(notBefore - Date.now(), signal),
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
