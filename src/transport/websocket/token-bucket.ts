/** A budget that refills over time: bursts up to its capacity, and a steady rate after them. */
export interface TokenBucket {
  /** Milliseconds until `amount` may be taken; 0 if it may be now. More than the capacity may be taken when it is full. */
  wait(amount: number): number;
  /** Takes the amount if it may be taken; returns whether it was. */
  take(amount: number): boolean;
}

export interface TokenBucketOptions {
  readonly capacity: number;
  readonly perSecond: number;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/** A full bucket. */
export function createTokenBucket({
  capacity,
  perSecond,
  now = () => performance.now(),
}: TokenBucketOptions): TokenBucket {
  let tokens = capacity;
  let counted = now();

  function wait(amount: number): number {
    const at = now();
    tokens = Math.min(capacity, tokens + ((at - counted) / 1000) * perSecond);
    counted = at;
    const missing = Math.min(amount, capacity) - tokens;
    // Rounding must not ask for a wait that is over.
    return missing <= 1e-6 ? 0 : Math.ceil((missing / perSecond) * 1000);
  }

  return {
    wait,
    take(amount) {
      const isAllowed = wait(amount) === 0;
      if (isAllowed) tokens = Math.max(0, tokens - amount);
      return isAllowed;
    },
  };
}
