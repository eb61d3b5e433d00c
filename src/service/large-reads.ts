/**
 * Answers that may take megabytes are read from the store, built and sent one after another: a dozen of them in the same
 * turn of the event loop would keep it from everyone else for as long as all of them take, and hold all of them in memory.
 */
import type { Caller } from '../access/identity.ts';
import { createFairQueue } from '../base/fair-queue.ts';
import type { Call } from './calls.ts';

/**
 * Does the work of a large read when it is the turn of the caller's account. Rejects with the signal's reason if the caller
 * leaves before then.
 */
export type LargeRead = <Result>(
  caller: Caller,
  call: Pick<Call, 'signal'>,
  work: () => Promise<Result>,
) => Promise<Result>;

/** Accounts take turns, however many calls each of them makes. */
export function createLargeReads(): LargeRead {
  const queue = createFairQueue({ places: 1, reserve: 0 });
  return async ({ account_id }, { signal }, work) => {
    const leave = await queue.acquire([account_id], signal);
    try {
      return await work();
    } finally {
      // Other work goes first: this answer is sent, and calls that arrived meanwhile are handled.
      setImmediate(leave);
    }
  };
}
