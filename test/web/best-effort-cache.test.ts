/** A cache that fails, hangs or lies down: pages are read all the same. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createBestEffortCache } from '../../src/web/best-effort-cache.ts';
import { createMemoryCache, type PageCache } from '../../src/web/page-cache.ts';
import { cachedPage } from '../support/cached-page.ts';

const url = 'http://a.example/';
const kept = cachedPage(url, 'Here.');
const failing = (message: string): PageCache => {
  const fail = async () => {
    throw new Error(message);
  };
  return { get: fail, put: fail, snapshot: fail };
};

afterEach(() => void vi.useRealTimers());

describe('a best-effort cache', () => {
  it('gives what it has', async () => {
    const cache = createBestEffortCache(createMemoryCache());
    await cache.put(url, kept);
    expect(await cache.get(url)).toEqual(kept);
    expect(await cache.snapshot(kept.page.snapshot.id)).toEqual(kept.page.snapshot);
  });

  it('has nothing when it fails, tells each part of it once, and that it works again', async () => {
    const told: string[] = [];
    let inner = failing('broken');
    const whole = createMemoryCache();
    const cache = createBestEffortCache(
      { get: (at) => inner.get(at), put: (at, cached) => inner.put(at, cached), snapshot: (id) => inner.snapshot(id) },
      (part, trouble) => told.push(`${part}: ${trouble?.message ?? 'works'}`),
    );
    for (let turn = 0; turn < 3; turn++) {
      expect(await cache.get(url)).toBeUndefined();
      await cache.put(url, kept);
      expect(await cache.snapshot('0')).toBeUndefined();
    }
    expect(told).toEqual(['lookup: broken', 'keeping: broken']);
    inner = whole;
    await cache.put(url, kept);
    expect(await cache.get(url)).toEqual(kept);
    expect(told.slice(2)).toEqual(['keeping: works', 'lookup: works']);
  });

  it('is waited for two seconds and no longer', async () => {
    vi.useFakeTimers();
    const told: string[] = [];
    const never = () => new Promise<never>(() => {});
    const cache = createBestEffortCache({ get: never, put: never, snapshot: never }, (part) => told.push(part));
    const both = Promise.all([cache.get(url), cache.put(url, kept)]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await both).toEqual([undefined, undefined]);
    expect(told).toEqual(['lookup', 'keeping']);
  });
});
