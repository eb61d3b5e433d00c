/**
 * What the processes of a fleet share of each search provider, the port of the backend between them: its calls in the last
 * minute, its turns and its circuit breaker. Each process has limits of its own, too. While the backend is unreachable only those
 * count, so no function here rejects for that reason.
 */
export interface FleetLimits {
  /** Counts a call if fewer than `perMinute` were counted in the last minute, and the provider is not paused. */
  count(provider: string, perMinute: number): Promise<'counted' | 'full' | { readonly pausedMs: number }>;
  /**
   * Waits until no other process has a turn, and the last one began `intervalMs` ago or earlier. Resolves with the function that
   * ends the turn, which ends by itself after `maxMs`. Rejects with the signal's reason.
   */
  enter(
    provider: string,
    turn: { readonly intervalMs: number; readonly maxMs: number },
    signal: AbortSignal,
  ): Promise<() => void>;
  /** Ends the series of failures. */
  succeeded(provider: string): void;
  /**
   * Counts a failure; the provider is paused for all when the series is as long as `breaker` says, or immediately for
   * `retryAfterMs`.
   */
  failed(provider: string, breaker: Breaker, retryAfterMs: number | undefined): void;
  close(): void;
}

export interface Breaker {
  readonly maxFailures: number;
  /** The first pause, doubling each time, and the longest. */
  readonly firstMs: number;
  readonly maxMs: number;
}
