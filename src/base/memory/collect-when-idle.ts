/**
 * When the main thread gives memory back: see collect-garbage.ts. The threads of pools do so by themselves: see worker-pool.ts.
 */
import { performance } from 'node:perf_hooks';
import { collectGarbage } from './collect-garbage.ts';

/** How often it is looked at, ms, and the share of that time up to which a thread counts as idle; both set by hand. */
const [everyMs, maxUtilization] = [5_000, 0.02];

/**
 * Collects the garbage of this thread whenever it has had next to nothing to do for five seconds. Does not keep the process
 * alive.
 */
export function collectWhenIdle(): { close(): void } {
  let before = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(before);
    before = performance.eventLoopUtilization();
    if (utilization <= maxUtilization) void collectGarbage();
  }, everyMs).unref();
  return { close: () => clearInterval(timer) };
}
