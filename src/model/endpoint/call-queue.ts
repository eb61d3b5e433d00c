/** The places that an endpoint has for calls at the same time, shared fairly among the owners of the searches. */
import { createFairQueue } from '../../base/fair-queue.ts';

export interface CallQueue {
  /** Resolves with the function that frees the place, to be called once; rejects with the signal's reason when it fires. */
  enter(owner: string | undefined, signal: AbortSignal): Promise<() => void>;
  /** How many calls wait for a place. */
  waiting(): number;
}

/** `places` is how many calls the endpoint is sent at the same time. */
export function createCallQueue(places: number): CallQueue {
  const queue = createFairQueue({ places, reserve: 0 });
  let waiting = 0;
  return {
    async enter(owner, signal) {
      waiting += 1;
      try {
        return await queue.acquire(owner === undefined ? [] : [owner], signal);
      } finally {
        waiting -= 1;
      }
    },
    waiting: () => waiting,
  };
}
