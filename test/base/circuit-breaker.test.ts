import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCircuitBreaker } from '../../src/base/upstream/circuit-breaker.ts';

const options = {
  maxFailures: 3,
  maxFailuresAgain: 1,
  pauseMs: { first: 1_000, max: 4_000 },
  maxRetryAfterMs: 60_000,
};

describe('the circuit breaker', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('pauses after three failures in a row, not after three with a success between them', () => {
    const breaker = createCircuitBreaker(options);
    breaker.failed();
    breaker.failed();
    breaker.succeeded();
    breaker.failed();
    breaker.failed();
    expect(breaker.remainingMs()).toBe(0);
    breaker.failed();
    expect(breaker.remainingMs()).toBe(1_000);
    vi.advanceTimersByTime(1_000);
    expect(breaker.remainingMs()).toBe(0);
  });

  it('doubles each pause up to a maximum, until a call succeeds', () => {
    const breaker = createCircuitBreaker(options);
    const pauses = Array.from({ length: 4 }, () => {
      breaker.failed({ isPermanent: true });
      const pause = breaker.remainingMs();
      vi.advanceTimersByTime(pause);
      return pause;
    });
    expect(pauses).toEqual([1_000, 2_000, 4_000, 4_000]);
    breaker.succeeded();
    breaker.failed({ isPermanent: true });
    expect(breaker.remainingMs()).toBe(1_000);
  });

  it('needs as many failures after a pause as its user says', () => {
    const [once, thrice] = [createCircuitBreaker(options), createCircuitBreaker({ ...options, maxFailuresAgain: 3 })];
    for (const breaker of [once, thrice]) breaker.failed({ isPermanent: true });
    vi.advanceTimersByTime(1_000);
    for (const breaker of [once, thrice]) breaker.failed();
    expect([once.remainingMs(), thrice.remainingMs()]).toEqual([2_000, 0]);
  });

  it('pauses for as long as the endpoint asks, up to a limit', () => {
    const breaker = createCircuitBreaker(options);
    breaker.failed({ retryAfterMs: 30_000 });
    expect(breaker.remainingMs()).toBe(30_000);
    breaker.failed({ retryAfterMs: 600_000 });
    expect(breaker.remainingMs()).toBe(60_000);
  });

  it('is never opened sooner by a shorter pause', () => {
    const breaker = createCircuitBreaker(options);
    breaker.pauseFor(5_000);
    breaker.pauseFor(1_000);
    expect(breaker.remainingMs()).toBe(5_000);
  });
});
