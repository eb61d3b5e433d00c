/** Long work on the main thread in slices, between which the event loop runs. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** The event loop runs after this many milliseconds of work; set by hand. */
const sliceMs = 4;

/**
 * Called once per step of the work: gives a promise to wait for when the event loop has waited long enough. Steps much shorter than a
 * millisecond look at the clock only at every `stepsPerCheck`.
 */
export function createPause(stepsPerCheck = 1): () => Promise<unknown> | undefined {
  let steps = 0;
  let began = performance.now();
  return () => {
    steps += 1;
    if (steps % stepsPerCheck !== 0 || performance.now() - began < sliceMs) return undefined;
    return nextTurn().then(() => {
      began = performance.now();
    });
  };
}
