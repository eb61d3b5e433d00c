/**
 * When the main thread gives memory back: see collect-garbage.ts. The threads of pools do so by themselves: see worker-pool.ts.
 */
import { performance } from 'node:perf_hooks';
import { collectGarbage, restMs } from './collect-garbage.ts';

/** How often it is looked at, ms, and the share of that time up to which a thread counts as idle; both set by hand. */
const [everyMs, maxUtilization] = [5_000, 0.02];

/**
 * Collects the garbage of this thread when it has had next to nothing to do for as long as `restMs` says. Does not keep the
 * process alive.
 */
export function collectWhenIdle(): { close(): void } {
  let before = performance.eventLoopUtilization();
  let restedMs = 0;
  let neededMs = restMs.first;
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(before);
    before = performance.eventLoopUtilization();
    restedMs = utilization <= maxUtilization ? restedMs + everyMs : 0;
    if (restedMs < neededMs) return;
    restedMs = 0;
    neededMs = restMs.later;
    void collectGarbage();
  }, everyMs).unref();
  return { close: () => clearInterval(timer) };
}
