/**
 * Runs callbacks after the current tick of the event loop: one immediate for everything that became ready in it. With an
 * immediate for each of a thousand sockets, scheduling would cost about as much as writing.
 */
let queue: (() => void)[] = [];

/** Runs the callback in the next tick, in the order of the calls. */
export function afterTick(callback: () => void): void {
  if (queue.push(callback) === 1) setImmediate(runAll);
}

function runAll(): void {
  const callbacks = queue;
  queue = [];
  let done = 0;
  try {
    for (const callback of callbacks) {
      done += 1;
      callback();
    }
  } finally {
    // An error of one callback goes to the process; it must not keep the others from running.
    for (const callback of callbacks.slice(done)) afterTick(callback);
  }
}
