/** Waits that a signal ends, for everyone who waits. */
import { getEventListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { neverAborted, sleep, timeLimit, untilAborted } from '../../src/base/abort.ts';

const reason = new Error('the caller left');
const forever = () => new Promise<never>(() => {});

describe('waiting for work until a signal fires', () => {
  it('settles as the awaited work does', async () => {
    const { signal } = new AbortController();
    await expect(untilAborted(Promise.resolve(7), signal)).resolves.toBe(7);
    await expect(untilAborted(Promise.reject(reason), signal)).rejects.toBe(reason);
  });

  it('rejects with the reason of a signal that is aborted during or before the wait', async () => {
    const abort = new AbortController();
    const waiting = untilAborted(forever(), abort.signal);
    abort.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(untilAborted(forever(), abort.signal)).rejects.toBe(reason);
  });

  it('leaves no rejection unhandled when the work fails after the signal fired', async () => {
    const abort = new AbortController();
    abort.abort(reason);
    await expect(untilAborted(Promise.reject(new Error('too late')), abort.signal)).rejects.toBe(reason);
  });

  it('lets any number of things wait for one signal without a warning', async () => {
    const warned: Error[] = [];
    const onWarning = (warning: Error) => warned.push(warning);
    process.on('warning', onWarning);
    const abort = new AbortController();
    const waits = Array.from({ length: 20 }, () => untilAborted(forever(), abort.signal));
    abort.abort(reason);
    await Promise.allSettled(waits);
    await sleep(1, neverAborted);
    process.off('warning', onWarning);
    expect(warned).toEqual([]);
  });

  it('leaves no listener on the signal', async () => {
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 20 }, () => untilAborted(Promise.resolve(), signal)));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('sleeping until a signal fires', () => {
  it('resolves a sleep after its time', async () => {
    await expect(sleep(1, neverAborted)).resolves.toBeUndefined();
  });

  it('rejects a sleep with the reason of the signal', async () => {
    const abort = new AbortController();
    const sleeping = sleep(60_000, abort.signal);
    abort.abort(reason);
    await expect(sleeping).rejects.toBe(reason);
    await expect(sleep(60_000, abort.signal)).rejects.toBe(reason);
  });
});

describe('timeLimit', () => {
  it('fires with a TimeoutError, also after a garbage collection while only a combined signal refers to it', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const reasons = Array.from({ length: 20 }, () => {
      const either = AbortSignal.any([neverAborted, timeLimit(50)]);
      return new Promise<unknown>((resolve) => either.addEventListener('abort', () => resolve(either.reason)));
    });
    await setImmediate();
    collect();
    for (const reason of await Promise.all(reasons)) expect(reason).toMatchObject({ name: 'TimeoutError' });
  });
});
