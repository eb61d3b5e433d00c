/** Reads from the page cache: snapshots by id, and cached pages by URL. */

import type { Snapshot } from '../../engine/ports/snapshot.ts';
import type { Prepare } from '../sqlite/prepare.ts';
import { type CachedPageRow, type SnapshotRow, toCachedPage, toSnapshot } from './page-rows.ts';
import type { CachedPage } from './write-page-cache.ts';

export interface PageCacheReader {
  snapshot(id: string): Snapshot | undefined;
  cachedPage(url: string): CachedPage | undefined;
}

const columns = 's.id, s.url, s.title, s.text, s.published_at';

/** The synchronous reader of the page cache for one connection. Throws SQLite's errors. */
export function createPageCacheReader(prepare: Prepare): PageCacheReader {
  return {
    snapshot(id) {
      const row = prepare(`SELECT ${columns} FROM snapshots AS s WHERE s.id = ?`).get(id) as SnapshotRow | undefined;
      return row && toSnapshot(row);
    },
    cachedPage(url) {
      const sql = `SELECT ${columns}, r.info, r.hops, r.etag, r.last_modified, r.recipe
        FROM readings AS r JOIN snapshots AS s ON s.n = r.snapshot WHERE r.url = ?`;
      const row = prepare(sql).get(url) as CachedPageRow | undefined;
      return row && toCachedPage(row);
    },
  };
}
