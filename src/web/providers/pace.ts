/**
 * Turns at a service that allows one request at a time, and maybe a pause between their starts. Few may wait: a search
 * has a deadline, and one that cannot be served in time should learn so immediately.
 */
import { sleep, untilAborted } from '../../base/abort.ts';
import { type Pace, ProviderError } from './adapter.ts';

/**
 * Returns a function that runs `work` in its turn. It rejects with a ProviderError when too many are waiting, with the
 * signal's reason, or as `work` does.
 */
export function createPace({ intervalMs, maxWaiting }: Pace) {
  let last: Promise<void> = Promise.resolve();
  let present = 0;
  let nextAt = 0;
  return async <Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> => {
    if (present > maxWaiting) {
      throw new ProviderError(`it takes one request at a time, and ${maxWaiting} are waiting.`, { isOwnLimit: true });
    }
    const before = last;
    let leave = () => {};
    const own = new Promise<void>((resolve) => {
      leave = resolve;
    });
    last = before.then(() => own);
    present += 1;
    try {
      await untilAborted(before, signal);
      // A timer may fire a little early.
      for (let wait = nextAt - performance.now(); wait > 0; wait = nextAt - performance.now())
        await sleep(wait, signal);
      signal.throwIfAborted();
      nextAt = performance.now() + intervalMs;
      return await work();
    } finally {
      present -= 1;
      leave();
    }
  };
}
