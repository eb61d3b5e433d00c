import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryLimiter } from '../../src/access/limiter/memory.ts';
import type { Limit } from '../../src/access/plans.ts';
import { limiterLaws } from '../contracts/limiter.ts';

limiterLaws('the memory of one process', async () => {
  let at = 5_000;
  return {
    limiter: createMemoryLimiter({ now: () => at }),
    advance: async (ms) => {
      at += ms;
    },
    close: async () => {},
  };
});

describe('the memory limiter', () => {
  it('decides as a brute-force count over all calls, whatever the calls', async () => {
    const call = fc.record({
      gap: fc.oneof(fc.nat(5), fc.integer({ min: 900, max: 1100 }), fc.nat(70_000)),
      key: fc.constantFrom('a', 'b'),
      limit: fc.constantFrom(1, 3, 10),
      bucket: fc.constantFrom('calls', 'resumes'),
      look: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(call, { maxLength: 120 }), fc.constantFrom(1, 60), (calls, window_s) => {
        let at = 0;
        const limiter = createMemoryLimiter({ now: () => at });
        const counted: { at: number; log: string }[] = [];
        for (const { gap, key, limit: most, bucket, look } of calls) {
          at += gap;
          const limit: Limit = { bucket, policy: 'p', limit: most, window_s };
          const inWindow = (now: number) =>
            counted.filter((call) => call.log === bucket + key && call.at > now - window_s * 1000).length;
          const before = inWindow(at);
          const decision = look ? limiter.peekNow(key, limit) : limiter.takeNow(key, limit);
          expect(decision.allowed).toBe(before < most);
          if (decision.allowed && !look) counted.push({ at, log: bucket + key });
          expect(decision.remaining).toBe(Math.max(0, most - inWindow(at)));
          if (!decision.allowed) {
            expect(inWindow(at + decision.retry_after_ms)).toBeLessThan(most);
            expect(inWindow(at + decision.retry_after_ms - 1)).toBeGreaterThanOrEqual(most);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('forgets keys that made no call within a window', () => {
    let at = 0;
    const limiter = createMemoryLimiter({ now: () => at });
    const limit: Limit = { bucket: 'calls', policy: 'p', limit: 2, window_s: 1 };
    for (let i = 0; i < 1000; i++) limiter.takeNow(`key${i}`, limit);
    at = 1000;
    for (let i = 0; i < 600; i++) limiter.takeNow('late', { ...limit, limit: 600 });
    expect([...limiter.logs()].map((log) => log.keyId)).toEqual(['late']);
  });

  it('stays within its capacity by dropping the oldest key', () => {
    const limiter = createMemoryLimiter({ now: () => 0, capacity: 2 });
    const limit: Limit = { bucket: 'calls', policy: 'p', limit: 1, window_s: 1 };
    for (const key of ['a', 'b', 'c']) limiter.takeNow(key, limit);
    expect([...limiter.logs()].map((log) => log.keyId)).toEqual(['b', 'c']);
  });
});
