/** What every limiter must do, whatever keeps its log. Windows are one second, so that real clocks may take part. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Limiter } from '../../src/access/limiter/limiter.ts';
import type { Limit } from '../../src/access/plans.ts';

export interface LimiterUnderTest {
  readonly limiter: Limiter;
  /** Lets at least `ms` pass on the limiter's clock. */
  advance(ms: number): Promise<void>;
  close(): Promise<void>;
}

const three: Limit = { bucket: 'calls', policy: 'three', limit: 3, window_s: 1 };

export function limiterLaws(name: string, open: () => Promise<LimiterUnderTest>): void {
  describe(`the limiter's laws over ${name}`, () => {
    let limiter: Limiter;
    let advance: LimiterUnderTest['advance'];
    let close: () => Promise<void>;
    let keys = 0;
    const freshKey = () => `key${++keys}`;
    const takeAll = (key: string, limit: Limit, times: number) =>
      Promise.all(Array.from({ length: times }, () => limiter.take(key, limit)));

    beforeAll(async () => {
      ({ limiter, advance, close } = await open());
    });
    afterAll(() => close());

    it('allows exactly the limit of simultaneous calls', async () => {
      const decisions = await takeAll(freshKey(), three, 8);
      expect(decisions.map((decision) => decision.allowed)).toEqual([true, true, true, ...Array(5).fill(false)]);
      expect(decisions.map((decision) => decision.remaining)).toEqual([2, 1, 0, 0, 0, 0, 0, 0]);
    });

    it('describes the limit it applied in its decision', async () => {
      const { policy, limit, window_s, reset_s, retry_after_ms } = await limiter.take(freshKey(), three);
      expect({ policy, limit, window_s, reset_s, retry_after_ms }).toEqual({
        policy: 'three',
        limit: 3,
        window_s: 1,
        reset_s: 1,
        retry_after_ms: 0,
      });
    });

    it('allows a call again once retry_after_ms has passed, and only as many as left the window', async () => {
      const key = freshKey();
      await limiter.take(key, three);
      await advance(500);
      await takeAll(key, three, 2);
      const { allowed, retry_after_ms, reset_s } = await limiter.take(key, three);
      expect({ allowed, reset_s }).toEqual({ allowed: false, reset_s: retry_after_ms / 1000 });
      expect(retry_after_ms).toBeGreaterThan(0);
      expect(retry_after_ms).toBeLessThanOrEqual(500);
      await advance(retry_after_ms);
      const later = await takeAll(key, three, 2);
      expect(later.map((decision) => decision.allowed)).toEqual([true, false]);
    });

    it('enforces the limit across what would be the edge of a fixed window', async () => {
      const key = freshKey();
      await advance(900);
      await takeAll(key, three, 3);
      await advance(200);
      expect((await takeAll(key, three, 3)).map((decision) => decision.allowed)).toEqual([false, false, false]);
    });

    it('charges nothing for a refused call', async () => {
      const key = freshKey();
      await takeAll(key, three, 3);
      await advance(600);
      await takeAll(key, three, 20);
      await advance(500);
      const decisions = await takeAll(key, three, 4);
      expect(decisions.map((decision) => decision.allowed)).toEqual([true, true, true, false]);
    });

    it('peeks without counting', async () => {
      const key = freshKey();
      for (let i = 0; i < 5; i++) await limiter.peek(key, three);
      expect(await limiter.peek(key, three)).toMatchObject({ allowed: true, remaining: 3, reset_s: 0 });
      await takeAll(key, three, 2);
      expect(await limiter.peek(key, three)).toMatchObject({ allowed: true, remaining: 1, retry_after_ms: 0 });
      await limiter.take(key, three);
      const full = await limiter.peek(key, three);
      expect(full).toMatchObject({ allowed: false, remaining: 0 });
      expect(full.retry_after_ms).toBeGreaterThan(0);
    });

    it('counts keys separately, and the buckets of a key separately', async () => {
      const [one, other] = [freshKey(), freshKey()];
      await takeAll(one, three, 3);
      expect(await limiter.take(other, three)).toMatchObject({ allowed: true, remaining: 2 });
      expect(await limiter.take(one, { ...three, bucket: 'resumes' })).toMatchObject({ allowed: true, remaining: 2 });
    });

    it('keeps the log of a key whose plan changes', async () => {
      const key = freshKey();
      const six = { ...three, policy: 'six', limit: 6 };
      await takeAll(key, six, 5);
      expect(await limiter.take(key, three)).toMatchObject({ allowed: false, remaining: 0, limit: 3 });
      expect(await limiter.take(key, six)).toMatchObject({ allowed: true, remaining: 0, limit: 6 });
      const { retry_after_ms } = await limiter.take(key, three);
      await advance(retry_after_ms);
      expect(await limiter.take(key, three)).toMatchObject({ allowed: true });
    });
  });
}
