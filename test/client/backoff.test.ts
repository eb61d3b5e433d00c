/** When the next attempt may be made: never before the server allows it, later with each failure, within bounds. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createBackoff } from '../../src/client/backoff.ts';
import { createInactivityTimeout } from '../../src/client/inactivity-timeout.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Milliseconds that it waits, by the fake clock. */
async function waited(backoff: ReturnType<typeof createBackoff>): Promise<number> {
  const begun = Date.now();
  const done = backoff.wait(new AbortController().signal).then(() => Date.now() - begun);
  await vi.runAllTimersAsync();
  return done;
}

describe('createBackoff', () => {
  it('doubles the maximum delay with each failure up to a limit, and starts over after a reset', async () => {
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

  it('waits a random part of the maximum delay', async () => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.25);
    const backoff = createBackoff({ backoffMs: 100, maxBackoffMs: 500 });
    backoff.recordFailure();
    expect(await waited(backoff)).toBe(25);
    random.mockReturnValue(0);
    backoff.recordFailure();
    expect(await waited(backoff)).toBe(0);
  });

  it('adds the random delay to the one that the server asked for', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const backoff = createBackoff({ backoffMs: 100, maxBackoffMs: 500 });
    backoff.recordFailure(3_000);
    expect(await waited(backoff)).toBe(3_050);
  });

  it('waits no longer when the clock is set back', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const backoff = createBackoff({ backoffMs: 100, maxBackoffMs: 500 });
    backoff.recordFailure(3_000);
    vi.setSystemTime(Date.now() - 86_400_000);
    expect(await waited(backoff)).toBe(3_050);
  });

  it('stops waiting when the signal fires', async () => {
    const backoff = createBackoff({ backoffMs: 100, maxBackoffMs: 500 });
    backoff.recordFailure(3_000);
    const stop = new AbortController();
    const done = backoff.wait(stop.signal);
    stop.abort();
    await done;
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('createInactivityTimeout', () => {
  it('fires once, counted from the last activity', async () => {
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

  it('fires within two limits of the last activity when the clock was set back', async () => {
    const onSilence = vi.fn();
    const watch = createInactivityTimeout(100, onSilence);
    await vi.advanceTimersByTimeAsync(50);
    watch.activity();
    vi.setSystemTime(Date.now() - 86_400_000);
    await vi.advanceTimersByTimeAsync(200);
    expect(onSilence).toHaveBeenCalledTimes(1);
    watch.stop();
  });
});
