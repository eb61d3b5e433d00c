/**
 * The snapshots of the index file, and how long each is kept. A page of the index keeps its snapshot, and an ended search those
 * that it cites. A search in progress may still cite others, so new ones are held for 40 minutes, unless they exceed twice the
 * allowed space. The rest are evictable: together with the cached pages they are limited to `maxBytes`, and the least recently
 * used are removed first. Recency is a counter rather than a time, so it works across processes and clock changes; it is 0 for
 * what is removed even with room to spare, as a user who removes a source expects.
 */
import type { Database } from 'better-sqlite3';
import { snapshotId } from '../../base/snapshot-id.ts';
import type { Snapshot } from '../../engine/ports/snapshot.ts';
import { CorpusError } from '../corpus-error.ts';
import { createPrepare } from '../sqlite/prepare.ts';

export interface CacheBounds {
  /** Max. UTF-8 bytes of evictable snapshots and cached pages. */
  readonly maxBytes?: number;
  /** Max. cached pages. */
  readonly maxPages?: number;
}

export const defaultBounds: Required<CacheBounds> = { maxBytes: 512 * 1024 * 1024, maxPages: 50_000 };

/** Runs in its caller's transaction, except `evict`, which opens its own. */
export interface SnapshotKeeper {
  /** Stores it unless it is already stored. Throws a CorpusError `invalid` when its text or title is not well-formed. */
  put(snapshot: Omit<Snapshot, 'id'>, fetchedAt: string): { readonly n: number; readonly id: string };
  /** Marks it as needed by a page or an ended search: it is not evictable. */
  keep(n: number): void;
  /**
   * Ends one need. Without another, it is removed after 40 minutes, because a search may just have found it; if it is also a
   * cached page, it only becomes evictable then.
   */
  release(n: number): void;
  /** As `release`, of a page that left the index: what is cached of it is removed immediately. */
  discard(n: number): void;
  /** Marks it and its cached pages as just used; with `hold` it is also kept for 40 minutes. What is to be removed stays so without it. */
  use(n: number, hold?: 'hold'): void;
  /**
   * Removes up to 100 rows beyond the limits, which is more than one page adds, and up to 100 snapshots that nothing needs; returns
   * whether there may be more of these.
   */
  evict(): boolean;
}

interface Oldest {
  readonly kind: 'page' | 'snapshot';
  readonly n: number;
  readonly bytes: number;
}

/** Longer than any search, which in the background may take half an hour; set by hand. Postgres has the same. */
export const holdMs = 40 * 60_000;
/** Max. rows removed in one transaction, so that other processes only wait milliseconds; set by hand. */
const maxEvicted = 100;

/** The keeper for one writing connection. */
export function createSnapshotKeeper(database: Database, bounds: CacheBounds): SnapshotKeeper {
  const { maxBytes, maxPages } = { ...defaultBounds, ...bounds };
  const prepare = createPrepare(database);

  function nextUse(): number {
    const sql =
      'SELECT 1 + max((SELECT ifnull(max(used), 0) FROM readings), (SELECT ifnull(max(used), 0) FROM evictable))';
    return prepare(sql).pluck().get() as number;
  }

  function use(n: number, notBefore: number, used = nextUse()): void {
    prepare('UPDATE readings SET used = ? WHERE snapshot = ?').run(used, n);
    prepare(`INSERT INTO evictable (snapshot, used, bytes, not_before)
      SELECT n, :used, octet_length(text), :notBefore FROM snapshots AS s WHERE n = :n
        AND NOT EXISTS (SELECT 1 FROM pages WHERE snapshot = s.n) AND NOT EXISTS (SELECT 1 FROM cited WHERE snapshot = s.n)
      ON CONFLICT (snapshot) DO UPDATE
        SET used = excluded.used, not_before = max(not_before, excluded.not_before)
        WHERE :notBefore > 0 OR evictable.used > 0 OR EXISTS (SELECT 1 FROM readings WHERE snapshot = :n)`).run({
      n,
      used,
      notBefore,
    });
  }

  function sizes(): { pages: number; bytes: number } {
    return prepare(`SELECT (SELECT count(*) FROM readings) AS pages,
      (SELECT ifnull(sum(bytes), 0) FROM readings) + (SELECT ifnull(sum(bytes), 0) FROM evictable) AS bytes`).get() as {
      pages: number;
      bytes: number;
    };
  }

  /** The least recently used; a cached page comes before its snapshot. */
  function oldest(of: 'pages' | 'all', now: number): Oldest | undefined {
    const cachedPage = "SELECT * FROM (SELECT 'page' AS kind, n, bytes, used FROM readings ORDER BY used LIMIT 1)";
    if (of === 'pages') return prepare(cachedPage).get() as Oldest | undefined;
    return prepare(`${cachedPage} UNION ALL SELECT * FROM (SELECT 'snapshot' AS kind, snapshot AS n, bytes, used
      FROM evictable WHERE not_before <= ? ORDER BY used LIMIT 1) ORDER BY used, kind LIMIT 1`).get(now) as
      | Oldest
      | undefined;
  }

  function removeSnapshot(n: number): void {
    prepare('DELETE FROM evictable WHERE snapshot = ?').run(n);
    prepare('DELETE FROM readings WHERE snapshot = ?').run(n);
    prepare('DELETE FROM snapshots WHERE n = ?').run(n);
  }

  function isCached(n: number): boolean {
    return prepare('SELECT 1 FROM readings WHERE snapshot = ?').get(n) !== undefined;
  }

  function release(n: number): void {
    use(n, Date.now() + holdMs, isCached(n) ? nextUse() : 0);
  }

  const unneeded = 'SELECT snapshot FROM evictable WHERE used = 0 AND not_before <= ? LIMIT ?';
  const removeUnneeded = database.transaction(() => {
    const found = prepare(unneeded).pluck().all(Date.now(), maxEvicted) as number[];
    for (const n of found) removeSnapshot(n);
    return found.length === maxEvicted;
  }).immediate;

  const evictSome = database.transaction(() => {
    let { pages, bytes } = sizes();
    // Beyond twice the limit, held snapshots are removed too: something is filling the disk.
    const now = bytes > 2 * maxBytes ? Number.MAX_SAFE_INTEGER : Date.now();
    for (let left = maxEvicted; left > 0 && (pages > maxPages || bytes > maxBytes); left--) {
      const next = oldest(pages > maxPages ? 'pages' : 'all', now);
      if (next === undefined) return;
      bytes -= next.bytes;
      if (next.kind === 'snapshot') removeSnapshot(next.n);
      else {
        prepare('DELETE FROM readings WHERE n = ?').run(next.n);
        pages -= 1;
      }
    }
  }).immediate;

  return {
    put(snapshot, fetchedAt) {
      const { url, title, text, published_at } = snapshot;
      if (!text.isWellFormed() || !title.isWellFormed())
        throw new CorpusError('invalid', `The text of ${url} is not well-formed Unicode.`);
      const id = snapshotId(url, text);
      const known = prepare('SELECT n FROM snapshots WHERE id = ?').pluck().get(id) as number | undefined;
      const sql = 'INSERT INTO snapshots (id, url, title, published_at, fetched_at, text) VALUES (?, ?, ?, ?, ?, ?)';
      const insert = () => prepare(sql).run(id, url, title, published_at ?? null, fetchedAt, text).lastInsertRowid;
      return { n: known ?? Number(insert()), id };
    },
    keep(n) {
      prepare('DELETE FROM evictable WHERE snapshot = ?').run(n);
    },
    release,
    discard(n) {
      prepare('DELETE FROM readings WHERE snapshot = ?').run(n);
      release(n);
    },
    use: (n, hold) => use(n, hold === undefined ? 0 : Date.now() + holdMs),
    evict() {
      const areLeft = prepare(unneeded).get(Date.now(), 1) !== undefined && removeUnneeded();
      const { pages, bytes } = sizes();
      if (pages > maxPages || bytes > maxBytes) evictSome();
      return areLeft;
    },
  };
}
