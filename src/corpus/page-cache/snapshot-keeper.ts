/**
 * The snapshots of the index file, and how long each is kept. A page of the index keeps the one it points at, an ended
 * search those that it cites. A search in progress may still cite others, so those are held for 15 minutes, unless they
 * take twice the space allowed. All the rest are evictable: together with the cached pages they take at most `maxBytes`,
 * and the least recently used go first. Recency is a count of uses rather than a time, so it holds across processes and
 * clock changes.
 */
import type { Database } from 'better-sqlite3';
import { snapshotId } from '../../base/snapshot-id.ts';
import type { Snapshot } from '../../engine/ports/snapshot.ts';
import { CorpusError } from '../corpus-error.ts';
import { createPrepare } from '../database.ts';

export interface CacheBounds {
  /** UTF-8 bytes of evictable snapshots and cached pages; 512 MiB by default. */
  readonly maxBytes?: number;
  /** Cached pages; 50,000 by default. */
  readonly maxPages?: number;
}

/** Runs in its caller's transaction, except `evict`, which opens its own. */
export interface SnapshotKeeper {
  /** Stores it unless it is there already. Throws a CorpusError `invalid` when its text or title is not well-formed. */
  put(snapshot: Omit<Snapshot, 'id'>, fetchedAt: string): { readonly n: number; readonly id: string };
  /** A page or an ended search needs it: it is not evictable. */
  keep(n: number): void;
  /** One need of it is gone. It becomes evictable unless another remains, after 15 minutes: a search may just have found it. */
  letGo(n: number): void;
  /** Marks it and its cached pages as just used; with `hold` it also stays for 15 minutes. */
  use(n: number, hold?: 'hold'): void;
  /** Removes what exceeds the bounds, at most 100 rows: each call removes more than one page can add. */
  evict(): void;
}

interface Oldest {
  readonly kind: 'page' | 'snapshot';
  readonly n: number;
  readonly bytes: number;
}

/** Longer than a search may take. */
const holdMs = 15 * 60_000;
/** Rows removed in one transaction, so that other processes wait milliseconds; set by hand. */
const maxEvicted = 100;

/** The keeper of one connection for writing. */
export function createSnapshotKeeper(database: Database, bounds: CacheBounds): SnapshotKeeper {
  const { maxBytes = 512 * 1024 * 1024, maxPages = 50_000 } = bounds;
  const prepare = createPrepare(database);

  function nextUse(): number {
    const sql =
      'SELECT 1 + max((SELECT ifnull(max(used), 0) FROM readings), (SELECT ifnull(max(used), 0) FROM evictable))';
    return prepare(sql).pluck().get() as number;
  }

  function use(n: number, notBefore: number): void {
    const used = nextUse();
    prepare('UPDATE readings SET used = ? WHERE snapshot = ?').run(used, n);
    prepare(`INSERT INTO evictable (snapshot, used, bytes, not_before)
      SELECT n, :used, octet_length(text), :notBefore FROM snapshots AS s WHERE n = :n
        AND NOT EXISTS (SELECT 1 FROM pages WHERE snapshot = s.n) AND NOT EXISTS (SELECT 1 FROM cited WHERE snapshot = s.n)
      ON CONFLICT (snapshot) DO UPDATE
        SET used = excluded.used, not_before = max(not_before, excluded.not_before)`).run({ n, used, notBefore });
  }

  function sizes(): { pages: number; bytes: number } {
    return prepare(`SELECT (SELECT count(*) FROM readings) AS pages,
      (SELECT ifnull(sum(bytes), 0) FROM readings) + (SELECT ifnull(sum(bytes), 0) FROM evictable) AS bytes`).get() as {
      pages: number;
      bytes: number;
    };
  }

  /** The least recently used; a cached page before the snapshot that it points at. */
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

  const evictSome = database.transaction(() => {
    let { pages, bytes } = sizes();
    // Beyond twice the bound, snapshots held for searches go too: something is filling the disk.
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
    letGo: (n) => use(n, Date.now() + holdMs),
    use: (n, hold) => use(n, hold === undefined ? 0 : Date.now() + holdMs),
    evict() {
      const { pages, bytes } = sizes();
      if (pages > maxPages || bytes > maxBytes) evictSome();
    },
  };
}
