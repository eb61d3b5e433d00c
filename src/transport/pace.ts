/**
 * How long a delta may wait for its neighbours: not at all while the process has time, 40 ms while it is busy, so that
 * the cost of a frame is shared when there are many. Busy is a fact of the whole process, and so is this.
 */
import { performance } from 'node:perf_hooks';

const rollUpMs = 40;
const sampleMs = 100;
/** Share of the time that the loop works: above the first it counts as busy, below the second no longer. */
const busyAbove = 0.6;
const idleBelow = 0.4;

let last = performance.eventLoopUtilization();
let lastAt = performance.now();
let busy = false;

/** Milliseconds. */
export function deltaDelay(): number {
  const now = performance.now();
  if (now - lastAt >= sampleMs) {
    const current = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(current, last);
    last = current;
    lastAt = now;
    busy = busy ? utilization > idleBelow : utilization > busyAbove;
  }
  return busy ? rollUpMs : 0;
}
