/** Waiting that a signal can end. A rejection carries the signal's own reason, so that callers can tell whose it was. */
import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** For calls that nobody can abort. */
export const neverAborted: AbortSignal = new AbortController().signal;

/**
 * Settles as `work` does, or rejects with the signal's reason as soon as it fires. The work itself continues: for work
 * that is short, or that others wait for too.
 */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  // One search waits for many things at once, which Node would call a leak.
  setMaxListeners(0, signal);
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** Resolves after `ms`; rejects with the signal's reason as soon as it fires. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}

/** Calls the listener once, when the signal fires; immediately if it has. */
export function onAbort(signal: AbortSignal, listener: () => void): void {
  if (signal.aborted) listener();
  else signal.addEventListener('abort', listener, { once: true });
}

/**
 * A signal that fires after `ms` with a TimeoutError, as `AbortSignal.timeout` does. That one may be collected on Node 20 while
 * only an `AbortSignal.any` refers to it, and then never fires; here a timer refers to it. It keeps no process running.
 */
export function timeLimit(ms: number): AbortSignal {
  const over = new AbortController();
  const reason = () => new DOMException('The operation was aborted due to timeout', 'TimeoutError');
  setTimeout(() => over.abort(reason()), ms).unref();
  return over.signal;
}
