/** A counting semaphore, first come, first served. A waiter can leave the queue through its signal. */

export interface Semaphore {
  /** Resolves with the function that frees the place; rejects with the signal's reason when it fires. */
  acquire(signal: AbortSignal): Promise<() => void>;
}

/** `size` is the number of places. */
export function createSemaphore(size: number): Semaphore {
  const queue: (() => void)[] = [];
  let free = size;
  const release = () => {
    const next = queue.shift();
    if (next === undefined) free += 1;
    else next();
  };
  return {
    async acquire(signal) {
      signal.throwIfAborted();
      if (free > 0) {
        free -= 1;
        return release;
      }
      return new Promise((resolve, reject) => {
        const enter = () => {
          signal.removeEventListener('abort', leave);
          resolve(release);
        };
        const leave = () => {
          queue.splice(queue.indexOf(enter), 1);
          reject(signal.reason);
        };
        queue.push(enter);
        signal.addEventListener('abort', leave, { once: true });
      });
    },
  };
}
