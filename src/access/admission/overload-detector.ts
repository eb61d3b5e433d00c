/**
 * Whether this process is overloaded: its event loop is delayed, or a service it depends on answered "too many requests".
 * The delay is the 99th percentile of each half second, decaying by half per sample. Overload begins above 100 ms and
 * ends below 50 ms.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface OverloadDetector {
  overloaded(): boolean;
  loopDelayMs(): number;
  /** Counts as overload for `retryAfterMs`, at least 5 s and at most 60 s. */
  reportUpstreamLimit(retryAfterMs?: number): void;
  /** `listener` is called twice a second, when `overloaded` may have changed. */
  onSample(listener: () => void): void;
  close(): void;
}

/** All set by hand. */
const sampleMs = 500;
const resolutionMs = 10;
const overloadedAboveMs = 100;
const recoveredBelowMs = 50;
const upstreamMs = { min: 5_000, max: 60_000 } as const;

/** Starts sampling the event loop of this process. */
export function createOverloadDetector(): OverloadDetector {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  const listeners: (() => void)[] = [];
  let delayMs = 0;
  let isDelayed = false;
  let upstreamUntil = 0;

  const sampling = setInterval(() => {
    // The histogram measures from tick to tick, so an idle loop shows the resolution itself.
    const worst = Math.max(0, delays.percentile(99) / 1e6 - resolutionMs);
    delays.reset();
    delayMs = Math.max(Number.isFinite(worst) ? worst : 0, delayMs / 2);
    isDelayed = isDelayed ? delayMs > recoveredBelowMs : delayMs > overloadedAboveMs;
    for (const listener of listeners) listener();
  }, sampleMs);
  sampling.unref();

  return {
    overloaded: () => isDelayed || performance.now() < upstreamUntil,
    loopDelayMs: () => delayMs,
    reportUpstreamLimit(retryAfterMs = upstreamMs.min) {
      const waitMs = Math.min(Math.max(retryAfterMs, upstreamMs.min), upstreamMs.max);
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
