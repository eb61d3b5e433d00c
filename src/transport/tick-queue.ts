/**
 * Runs callbacks after the current tick of the event loop: one immediate for everything that became ready in it. With an
 * immediate for each of a thousand sockets, scheduling would cost about as much as writing. Callbacks that would hold the
 * loop for longer than a slice continue in the next tick, after everybody else's work.
 */
let queue: (() => void)[] = [];
let begun: number | undefined;
/** Whether the callback that runs has used up its slice. */
let isSliceOver = false;

/** How long one tick's callbacks may hold the loop, milliseconds; the last few of them may take longer. Set by hand. */
const sliceMs = 5;
/** How many callbacks run between two looks at the clock, which costs as much as a hundredth of one. Set by hand. */
const callbacksPerLook = 8;

/** Runs the callback in the next tick with room for it, in the order of the calls. */
export function afterTick(callback: () => void): void {
  if (queue.push(callback) === 1) setImmediate(runSlice);
}

/** Does the work in the next tick with room for it. Rejects with what it throws. */
export function inLaterTick<Result>(work: () => Result): Promise<Result> {
  return new Promise((resolve, reject) => {
    afterTick(() => {
      try {
        resolve(work());
      } catch (error) {
        reject(error);
      }
    });
  });
}

/** Ends the slice of the callback that runs, because it took long: the callbacks that are left run in the next tick. */
export function endSlice(): void {
  isSliceOver = true;
}

/** Does work that takes long in a tick that has no more of it. Rejects with what it throws. */
export function inDedicatedTick<Result>(work: () => Result): Promise<Result> {
  return inLaterTick(() => {
    endSlice();
    return work();
  });
}

/** Whether work that came in during this tick, such as clients' frames, may be done in it: false once a slice is used up. */
export function tickHasRoom(): boolean {
  const now = performance.now();
  if (begun === undefined) {
    begun = now;
    setImmediate(() => {
      begun = undefined;
    });
  }
  return now - begun < sliceMs;
}

function runSlice(): void {
  const callbacks = queue;
  queue = [];
  const end = performance.now() + sliceMs;
  let done = 0;
  isSliceOver = false;
  try {
    do {
      done += 1;
      callbacks[done - 1]!();
    } while (done < callbacks.length && !isSliceOver && (done % callbacksPerLook > 0 || performance.now() < end));
  } finally {
    // Those that are left run before the ones added in the meantime. An error goes to the process and stops no other.
    if (done < callbacks.length) {
      const isScheduled = queue.length > 0;
      queue = [...callbacks.slice(done), ...queue];
      if (!isScheduled) setImmediate(runSlice);
    }
  }
}
