/** What a search takes before it starts: its place, its image and its time. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { createAdmission } from '../../../src/access/admission/admission.ts';
import { plans } from '../../../src/access/plans.ts';
import { neverAborted } from '../../../src/base/abort.ts';
import { createMetrics } from '../../../src/base/metrics.ts';
import type { ImageReader } from '../../../src/engine/ports/images.ts';
import { admitSearch } from '../../../src/service/searches/admit-search.ts';
import { createStartSearch } from '../../../src/service/searches/start-search.ts';

const caller = { key_id: 'k', account_id: 'a', plan: 'pro', name: 'key', scopes: [] } as const;
const admission = createAdmission();
const access = { admission } as never;
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const ask = (images: ImageReader) =>
  admitSearch(
    { access, images },
    { caller, image: 'https://a.example/i.png', connection: undefined, signal: neverAborted, isCounted: false },
  );

it('fetches no more images of a key than it may have searches at a time', async () => {
  let opened = 0;
  const never: ImageReader = {
    open: () =>
      new Promise((_, reject) => {
        opened += 1;
        closing.push(() => reject(new Error('over')));
      }),
  };
  const asked = Array.from({ length: 50 }, () => ask(never).catch((error: { code?: string }) => error.code));
  await expect.poll(() => opened).toBe(plans.pro.searches_per_key);
  for (const close of closing.splice(0)) close();
  const refused = (await Promise.all(asked)).filter((code) => code === 'too_many_searches');
  expect(refused).toHaveLength(50 - plans.pro.searches_per_key);
  expect(opened).toBe(plans.pro.searches_per_key);
});

it('gives the place back when the image is refused', async () => {
  const broken: ImageReader = { open: () => Promise.reject(new Error('no image')) };
  for (let i = 0; i < 2 * plans.pro.searches_per_key; i++) await expect(ask(broken)).rejects.toThrow('no image');
  expect(admission.state().in_flight).toBe(0);
});

it('has less time if it waited for its start, so that a plain answer arrives before proxies give up', async () => {
  const waited = 300;
  let deadline = Number.POSITIVE_INFINITY;
  const start = createStartSearch({
    access: { admission: { admit: () => delay(waited, { throttled: false, release: () => {} }) } },
    metrics: createMetrics(),
    runs: {
      start(options: { readonly deadline_ms: number }) {
        deadline = options.deadline_ms;
        return Promise.reject(new Error('as far as this test goes'));
      },
    },
    engine: { name: 'test', models: [] },
    images: { open: () => {} },
    reaches: { ofSearch: async () => ({}) },
  } as never);
  const call = { request_id: 'r', signal: neverAborted, on_disconnect: 'grace', fresh: false } as never;
  const spec = { request: { prompt: 'How tall is it?' } } as never;
  const answerBy = performance.now() + 55_000;
  await expect(start({ caller, call, spec, maxSeconds: 55, answerBy })).rejects.toThrow('as far as');
  expect(deadline).toBeLessThanOrEqual(55_000 - waited);
  expect(deadline).toBeGreaterThan(0);
});
