/** Rows of stored pages, as both databases return them, as snapshots and cached pages. */
import type { Snapshot } from '../../engine/ports/snapshot.ts';
import type { PageInfo } from '../../engine/ports/web.ts';
import type { CachedPage } from './write-page-cache.ts';

export interface SnapshotRow extends Omit<Snapshot, 'text' | 'published_at'> {
  /** Postgres keeps it as the bytes of its UTF-8, because its text has no NUL. */
  readonly text: string | Buffer;
  readonly published_at: string | null;
}

export interface CachedPageRow extends SnapshotRow {
  /** As JSON, like `hops`. */
  readonly info: string;
  readonly hops: string;
  readonly etag: string | null;
  readonly last_modified: string | null;
  /** The extractor's version. */
  readonly recipe: string;
}

/** The snapshot of a row. */
export function toSnapshot({ id, url, title, text, published_at }: SnapshotRow): Snapshot {
  return { id, url, title, text: text.toString(), ...(published_at === null ? {} : { published_at }) };
}

/** The cached page of a row, with its snapshot. */
export function toCachedPage(row: CachedPageRow): CachedPage {
  const { etag, last_modified, recipe } = row;
  return {
    page: { snapshot: toSnapshot(row), info: JSON.parse(row.info) as PageInfo },
    hops: JSON.parse(row.hops) as string[],
    ...(etag === null ? {} : { etag }),
    ...(last_modified === null ? {} : { last_modified }),
    extractor_version: recipe,
  };
}
