/**
 * The port of the reader's page cache, and its implementation in memory, bounded by size. It keeps the last page read at each URL
 * with its validators, and every snapshot by its id. The SQLite implementation, which keeps cited snapshots, is in
 * corpus/page-cache/.
 */
import { LRUCache } from 'lru-cache';
import type { Snapshot } from '../engine/ports/snapshot.ts';
import type { Page } from './page.ts';

export interface CachedPage {
  readonly page: Page;
  /** Every URL opened, redirects and the final URL included. */
  readonly hops: readonly string[];
  readonly etag?: string;
  readonly last_modified?: string;
  /** Version of the extractor that read it; a page read with another version is read again. */
  readonly extractor_version: string;
}

export interface PageCache {
  /** By the requested URL, without its fragment. */
  get(url: string): Promise<CachedPage | undefined>;
  /** Also keeps `cached.page.snapshot` by its id. */
  put(url: string, cached: CachedPage): Promise<void>;
  snapshot(id: string): Promise<Snapshot | undefined>;
  /**
   * Of a cache that processes share: claims the fetch of a URL, so that only one process fetches it at a time. Resolves with the
   * function that releases the claim, or with `taken` while another process has it; the page may be in the cache soon.
   */
  claim?(url: string): Promise<ReleaseClaim | 'taken'>;
}

export type ReleaseClaim = () => void;

/** A cache in memory: max. `maxChars` characters of pages, and the same of snapshots; 50 million by default. */
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
