/**
 * The page cache on disk, for whoever reads the web: readings and snapshots in the index file, so that a page is the same
 * to every process that shares the file, and after a restart. That something was used is told with the next page that is
 * put: reading from the cache writes nothing, and what is forgotten in a crash is only an order.
 */
import type { Snapshot } from '../../engine/ports/snapshot.ts';
import type { IndexWriter } from '../index/write-index.ts';
import type { IndexReader } from '../search/read-index.ts';
import type { CallThread } from '../worker-rpc.ts';
import type { Reading } from './write-page-cache.ts';

export interface PageReadings {
  /** By the URL that was asked for, without its fragment. */
  get(url: string): Promise<Reading | undefined>;
  /** Also keeps the page's snapshot by its id. */
  put(url: string, reading: Reading): Promise<void>;
  snapshot(id: string): Promise<Snapshot | undefined>;
}

const mostUses = 10_000;

export function createPageReadings(read: CallThread<IndexReader>, write: CallThread<IndexWriter>): PageReadings {
  let uses = new Set<string>();

  function used(id: string): void {
    uses.delete(id);
    if (uses.size < mostUses) uses.add(id);
  }

  return {
    async get(url) {
      const reading = await read('reading', url);
      if (reading !== undefined) used(reading.page.snapshot.id);
      return reading;
    },
    async put(url, reading) {
      const told = [...uses];
      uses = new Set();
      await write('putReading', url, reading, told);
    },
    async snapshot(id) {
      const snapshot = await read('snapshot', id);
      if (snapshot !== undefined) used(id);
      return snapshot;
    },
  };
}
