/** What is read besides the index: snapshots by their id, and how a URL was last read. */

import type { Snapshot } from '../../engine/ports/snapshot.ts';
import type { PageInfo } from '../../engine/ports/web.ts';
import type { Prepare } from '../database.ts';
import type { Reading } from './write-page-cache.ts';

export interface ReadingReader {
  snapshot(id: string): Snapshot | undefined;
  reading(url: string): Reading | undefined;
}

type SnapshotRow = Omit<Snapshot, 'published_at'> & { readonly published_at: string | null };

interface ReadingRow extends SnapshotRow {
  readonly info: string;
  readonly hops: string;
  readonly etag: string | null;
  readonly last_modified: string | null;
  readonly recipe: string;
}

const columns = 's.id, s.url, s.title, s.text, s.published_at';

export function createReadingReader(prepare: Prepare): ReadingReader {
  return {
    snapshot(id) {
      const row = prepare(`SELECT ${columns} FROM snapshots AS s WHERE s.id = ?`).get(id) as SnapshotRow | undefined;
      return row && toSnapshot(row);
    },
    reading(url) {
      const sql = `SELECT ${columns}, r.info, r.hops, r.etag, r.last_modified, r.recipe
        FROM readings AS r JOIN snapshots AS s ON s.n = r.snapshot WHERE r.url = ?`;
      const row = prepare(sql).get(url) as ReadingRow | undefined;
      if (row === undefined) return undefined;
      const { etag, last_modified, recipe } = row;
      return {
        page: { snapshot: toSnapshot(row), info: JSON.parse(row.info) as PageInfo },
        hops: JSON.parse(row.hops) as string[],
        ...(etag === null ? {} : { etag }),
        ...(last_modified === null ? {} : { last_modified }),
        recipe,
      };
    },
  };
}

function toSnapshot({ id, url, title, text, published_at }: SnapshotRow): Snapshot {
  return { id, url, title, text, ...(published_at === null ? {} : { published_at }) };
}
