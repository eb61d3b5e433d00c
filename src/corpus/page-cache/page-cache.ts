/**
 * The page cache on disk: the SQLite implementation of the port in web/page-cache.ts, which also has one in memory. Cached
 * pages and snapshots are in the index file, so all processes that share the file see the same pages, even after a restart.
 * Reads write nothing: uses are recorded with the next `put`, and a crash only affects the order of eviction.
 */
import { randomUUID } from 'node:crypto';
import type { Snapshot } from '../../engine/ports/snapshot.ts';
import type { IndexWriter } from '../index/write-index.ts';
import type { IndexReader } from '../search/read-index.ts';
import type { CallWorker } from '../worker-rpc.ts';
import type { CachedPage } from './write-page-cache.ts';

export interface CorpusPageCache {
  /** By the requested URL, without its fragment. */
  get(url: string): Promise<CachedPage | undefined>;
  /** Also keeps the page's snapshot by its id. */
  put(url: string, cached: CachedPage): Promise<void>;
  snapshot(id: string): Promise<Snapshot | undefined>;
  /**
   * Claims the fetch of a URL over all processes. Resolves with the function that releases the claim, or with `taken` while another
   * has it. That of a process that has died expires after five seconds.
   */
  claim(url: string): Promise<(() => void) | 'taken'>;
}

/** How long a claim lasts without being renewed, and how often it is renewed. Set by hand. */
const claimMs = 5_000;
const renewMs = 1_500;

/** Max. uses remembered until the next `put`; set by hand. */
const maxUses = 10_000;

/** The cache, reading through `read` and writing through `write`. Its calls reject with a CorpusError. */
export function createCorpusPageCache(read: CallWorker<IndexReader>, write: CallWorker<IndexWriter>): CorpusPageCache {
  let uses = new Set<string>();

  function recordUse(id: string): void {
    uses.delete(id);
    if (uses.size < maxUses) uses.add(id);
  }

  return {
    async get(url) {
      const cached = await read('cachedPage', url);
      if (cached !== undefined) recordUse(cached.page.snapshot.id);
      return cached;
    },
    async put(url, cached) {
      const pending = [...uses];
      uses = new Set();
      await write('putCachedPage', url, cached, pending);
    },
    async snapshot(id) {
      const snapshot = await read('snapshot', id);
      if (snapshot !== undefined) recordUse(id);
      return snapshot;
    },
    async claim(url) {
      const claim = randomUUID();
      if (!(await write('claimFetch', url, claim, claimMs))) return 'taken';
      const renewing = setInterval(() => void write('claimFetch', url, claim, claimMs).catch(() => {}), renewMs);
      renewing.unref();
      return () => {
        clearInterval(renewing);
        void write('releaseFetch', url, claim).catch(() => {});
      };
    },
  };
}
