/** Reads from the page cache: snapshots by id, and cached pages by URL. */

import type { Snapshot } from '../../engine/ports/snapshot.ts';
import type { PageInfo } from '../../engine/ports/web.ts';
import type { Prepare } from '../database.ts';
import type { CachedPage } from './write-page-cache.ts';

export interface PageCacheReader {
  snapshot(id: string): Snapshot | undefined;
  cachedPage(url: string): CachedPage | undefined;
}

type SnapshotRow = Omit<Snapshot, 'published_at'> & { readonly published_at: string | null };

interface CachedPageRow extends SnapshotRow {
  readonly info: string;
  readonly hops: string;
  readonly etag: string | null;
  readonly last_modified: string | null;
  /** The extractor's version. */
  readonly recipe: string;
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
      if (row === undefined) return undefined;
      const { etag, last_modified, recipe } = row;
      return {
        page: { snapshot: toSnapshot(row), info: JSON.parse(row.info) as PageInfo },
        hops: JSON.parse(row.hops) as string[],
        ...(etag === null ? {} : { etag }),
        ...(last_modified === null ? {} : { last_modified }),
        extractor_version: recipe,
      };
    },
  };
}

function toSnapshot({ id, url, title, text, published_at }: SnapshotRow): Snapshot {
  return { id, url, title, text, ...(published_at === null ? {} : { published_at }) };
}
