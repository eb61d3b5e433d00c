/** A cache that fails or hangs: pages are still read. */
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
  it('returns what the inner cache holds', async () => {
    const cache = createBestEffortCache(createMemoryCache());
    await cache.put(url, kept);
    expect(await cache.get(url)).toEqual(kept);
    expect(await cache.snapshot(kept.page.snapshot.id)).toEqual(kept.page.snapshot);
  });

  it('returns nothing while the inner cache fails, and reports each failing part and its recovery once', async () => {
    const reports: string[] = [];
    let inner = failing('broken');
    const whole = createMemoryCache();
    const cache = createBestEffortCache(
      { get: (at) => inner.get(at), put: (at, cached) => inner.put(at, cached), snapshot: (id) => inner.snapshot(id) },
      (part, trouble) => reports.push(`${part}: ${trouble?.message ?? 'works'}`),
    );
    for (let turn = 0; turn < 3; turn++) {
      expect(await cache.get(url)).toBeUndefined();
      await cache.put(url, kept);
      expect(await cache.snapshot('0')).toBeUndefined();
    }
    expect(reports).toEqual(['lookup: broken', 'keeping: broken']);
    inner = whole;
    await cache.put(url, kept);
    expect(await cache.get(url)).toEqual(kept);
    expect(reports.slice(2)).toEqual(['keeping: works', 'lookup: works']);
  });

  it('waits at most two seconds for the inner cache', async () => {
    vi.useFakeTimers();
    const reports: string[] = [];
    const never = () => new Promise<never>(() => {});
    const cache = createBestEffortCache({ get: never, put: never, snapshot: never }, (part) => reports.push(part));
    const both = Promise.all([cache.get(url), cache.put(url, kept)]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await both).toEqual([undefined, undefined]);
    expect(reports).toEqual(['lookup', 'keeping']);
  });
});
