/** When the next try comes: never before the server wants it, later with each failure, within bounds. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createBackoff } from '../../src/client/backoff.ts';
import { createInactivityTimeout } from '../../src/client/inactivity-timeout.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** How long it waits, by the fake clock. */
async function waited(backoff: ReturnType<typeof createBackoff>): Promise<number> {
  const begun = Date.now();
  const done = backoff.wait(new AbortController().signal).then(() => Date.now() - begun);
  await vi.runAllTimersAsync();
  return done;
}

describe('a backoff', () => {
  it('doubles its longest pause with each failure, up to a bound, and begins anew after a success', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
    const backoff = createBackoff({ backoffMs: 100, maxBackoffMs: 500 });
    const pauses: number[] = [await waited(backoff)];
    for (let at = 0; at < 4; at += 1) {
      backoff.recordFailure();
      pauses.push(await waited(backoff));
    }
    expect(pauses).toEqual([0, 100, 200, 400, 500]);
    expect(backoff.failures()).toBe(4);
    backoff.reset();
    backoff.recordFailure();
    expect(await waited(backoff)).toBe(100);
  });

  it('takes any part of the pause, so that many clients do not come at once', async () => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.25);
    const backoff = createBackoff({ backoffMs: 100, maxBackoffMs: 500 });
    backoff.recordFailure();
    expect(await waited(backoff)).toBe(25);
    random.mockReturnValue(0);
    backoff.recordFailure();
    expect(await waited(backoff)).toBe(0);
  });

  it('adds to what the server asked for, never takes from it', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const backoff = createBackoff({ backoffMs: 100, maxBackoffMs: 500 });
    backoff.recordFailure(3_000);
    expect(await waited(backoff)).toBe(3_050);
  });

  it('stops waiting when it is told', async () => {
    const backoff = createBackoff({ backoffMs: 100, maxBackoffMs: 500 });
    backoff.recordFailure(3_000);
    const stop = new AbortController();
    const done = backoff.wait(stop.signal);
    stop.abort();
    await done;
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('an inactivity timeout', () => {
  it('is noticed once, counted from what was heard last', async () => {
    const onSilence = vi.fn();
    const watch = createInactivityTimeout(100, onSilence);
    await vi.advanceTimersByTimeAsync(90);
    watch.activity();
    await vi.advanceTimersByTimeAsync(90);
    expect(onSilence).not.toHaveBeenCalled();
    watch.setLimit(200);
    await vi.advanceTimersByTimeAsync(199);
    expect(onSilence).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(500);
    expect(onSilence).toHaveBeenCalledTimes(1);
    watch.stop();
  });
});
