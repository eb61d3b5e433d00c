/** Text that is held back, on a fake clock. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { deliverBatched } from '../../../src/model/endpoint/batch-delivery.ts';

beforeAll(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
});
afterAll(() => {
  vi.useRealTimers();
});

describe('text that is rolled up', () => {
  it('calls each callback once, in order, after 38 to 40 ms', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 12 }), { maxLength: 100 }), (pauses) => {
        const handed: { readonly at: number; readonly waited: number }[] = [];
        pauses.forEach((pause, at) => {
          vi.advanceTimersByTime(pause);
          const came = performance.now();
          deliverBatched(() => handed.push({ at, waited: performance.now() - came }));
        });
        vi.advanceTimersByTime(40);
        expect(handed.map(({ at }) => at)).toEqual(pauses.map((_, at) => at));
        for (const { waited } of handed) {
          expect(waited).toBeGreaterThanOrEqual(38);
          expect(waited).toBeLessThanOrEqual(40);
        }
        expect(vi.getTimerCount()).toBe(0);
      }),
    );
  });

  it('sets one timer for all callbacks that are added at about the same time', () => {
    for (let n = 0; n < 1_000; n += 1) deliverBatched(() => {});
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(40);
  });
});
