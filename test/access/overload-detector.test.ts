import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createOverloadDetector, type OverloadDetector } from '../../src/access/admission/overload-detector.ts';

describe('load', () => {
  let load: OverloadDetector;
  afterEach(() => load.close());

  it('detects a delayed event loop, and its recovery', async () => {
    load = createOverloadDetector();
    const sampled = () => new Promise<void>((resolve) => load.onSample(resolve));
    await sampled();
    await sleep(50);
    const until = performance.now() + 400;
    while (performance.now() < until);
    await sampled();
    expect(load.loopDelayMs()).toBeGreaterThan(100);
    expect(load.overloaded()).toBe(true);
    await expect.poll(() => load.overloaded(), { interval: 200 }).toBe(false);
  });

  it('counts an upstream limit as overload', () => {
    load = createOverloadDetector();
    expect(load.overloaded()).toBe(false);
    load.reportUpstreamLimit();
    expect(load.overloaded()).toBe(true);
  });
});
