/**
 * What the reader keeps of pages it has read: the last reading of each URL with its validators, and every snapshot by its
 * id. This is the twin in memory, bounded by size; one on disk keeps snapshots for as long as something cites them.
 */
import { LRUCache } from 'lru-cache';
import type { Snapshot } from '../engine/ports/snapshot.ts';
import type { Page } from './page.ts';

export interface CachedPage {
  readonly page: Page;
  /** Every URL that was opened on the way, the last one included. */
  readonly hops: readonly string[];
  readonly etag?: string;
  readonly last_modified?: string;
  /** Which way of extracting text it was read with: a page read with another one is read anew. */
  readonly extractor_version: string;
}

export interface PageCache {
  /** By the URL that was asked for, without its fragment. */
  get(url: string): Promise<CachedPage | undefined>;
  /** Also keeps `cached.page.snapshot` by its id. */
  put(url: string, cached: CachedPage): Promise<void>;
  snapshot(id: string): Promise<Snapshot | undefined>;
}

export function createMemoryCache(options: { readonly maxChars?: number } = {}): PageCache {
  const maxSize = options.maxChars ?? 50_000_000;
  const pages = new LRUCache<string, CachedPage>({
    maxSize,
    sizeCalculation: ({ page }) => page.snapshot.text.length + 2_000,
  });
  const snapshots = new LRUCache<string, Snapshot>({ maxSize, sizeCalculation: ({ text }) => text.length + 500 });
  return {
    get: async (url) => pages.get(url),
    put: async (url, cached) => {
      pages.set(url, cached);
      snapshots.set(cached.page.snapshot.id, cached.page.snapshot);
    },
    snapshot: async (id) => snapshots.get(id),
  };
}
