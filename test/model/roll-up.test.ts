/** What waits for its neighbours, on a clock that is turned by hand. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { rollUp } from '../../src/model/openai/roll-up.ts';

beforeAll(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
});
afterAll(() => {
  vi.useRealTimers();
});

describe('text that is rolled up', () => {
  it('is handed on once, in the order in which it came, after 38 to 40 ms', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 12 }), { maxLength: 100 }), (pauses) => {
        const handed: { readonly at: number; readonly waited: number }[] = [];
        pauses.forEach((pause, at) => {
          vi.advanceTimersByTime(pause);
          const came = performance.now();
          rollUp(() => handed.push({ at, waited: performance.now() - came }));
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

  it('wakes the process once for all that came at about the same time', () => {
    for (let n = 0; n < 1_000; n += 1) rollUp(() => {});
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(40);
  });
});
