import { describe, expect, it } from 'vitest';
import { newTraceId } from '../../src/base/traceparent.ts';
import { createSampler } from '../../src/telemetry/sampler.ts';

const parent = (sampled: boolean) => ({ trace_id: newTraceId(), span_id: '00f067aa0ba902b7', sampled });

describe('the samplers', () => {
  it.each([
    ['always_on', true, true],
    ['always_off', false, false],
    ['parentbased_always_on', true, false],
    ['parentbased_always_off', false, false],
  ] as const)('%s: a new trace %s, one that its caller does not sample %s', (name, isNew, isUnsampled) => {
    const sampler = createSampler(name, 1);
    expect(sampler(newTraceId(), undefined)).toBe(isNew);
    expect(sampler(newTraceId(), parent(false))).toBe(isUnsampled);
    if (name.startsWith('parentbased')) expect(sampler(newTraceId(), parent(true))).toBe(true);
  });

  it('take the share of traces that the ratio says, decided by the id alone', () => {
    const sampler = createSampler('traceidratio', 0.25);
    const ids = Array.from({ length: 4_000 }, newTraceId);
    const taken = ids.filter((id) => sampler(id, undefined));
    // Ten standard deviations.
    expect(Math.abs(taken.length - 1_000)).toBeLessThan(280);
    expect(taken.every((id) => sampler(id, parent(false)))).toBe(true);
    expect(ids.filter((id) => createSampler('traceidratio', 1)(id, undefined))).toHaveLength(ids.length);
    expect(ids.filter((id) => createSampler('traceidratio', 0)(id, undefined))).toEqual([]);
  });
});
