/**
 * Whether this process is overloaded: its event loop came late, or a service it relies on said "too many requests".
 * Delay is judged on the slowest hundredth of each half second; it raises the alarm at 100 ms and, fading by half a
 * sample, ends it below 50 ms.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface OverloadDetector {
  overloaded(): boolean;
  loopDelayMs(): number;
  reportUpstreamLimit(retryAfterMs?: number): void;
  /** Called twice a second, when `overloaded` may have changed. */
  onSample(listener: () => void): void;
  close(): void;
}

const sampleMs = 500;
const resolutionMs = 10;
const alarmMs = 100;
const calmMs = 50;
const upstreamMs = { least: 5_000, most: 60_000 } as const;

export function createOverloadDetector(): OverloadDetector {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  const listeners: (() => void)[] = [];
  let delayMs = 0;
  let isLate = false;
  let upstreamUntil = 0;

  const sampling = setInterval(() => {
    // The histogram counts from tick to tick, so an idle loop shows the resolution itself.
    const worst = Math.max(0, delays.percentile(99) / 1e6 - resolutionMs);
    delays.reset();
    delayMs = Math.max(Number.isFinite(worst) ? worst : 0, delayMs / 2);
    isLate = isLate ? delayMs > calmMs : delayMs > alarmMs;
    for (const listener of listeners) listener();
  }, sampleMs);
  sampling.unref();

  return {
    overloaded: () => isLate || performance.now() < upstreamUntil,
    loopDelayMs: () => delayMs,
    reportUpstreamLimit(retryAfterMs = upstreamMs.least) {
      const waitMs = Math.min(Math.max(retryAfterMs, upstreamMs.least), upstreamMs.most);
      upstreamUntil = Math.max(upstreamUntil, performance.now() + waitMs);
    },
    onSample(listener) {
      listeners.push(listener);
    },
    close() {
      clearInterval(sampling);
      delays.disable();
      listeners.length = 0;
    },
  };
}
