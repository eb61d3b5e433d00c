/**
 * The snapshots of the index file, and how long each is kept. A page of the index keeps the one it points at, an ended
 * search those that it cites; for a quarter of an hour also those that a search under way may cite yet, unless that
 * takes twice the room there is. All others are evictable: together with the readings of the page cache they take so
 * many bytes at most, and what was used longest ago goes first. Order is a count of uses, not a time: it holds over
 * processes and whatever the clock does.
 */
import type { Database } from 'better-sqlite3';
import { snapshotId } from '../../base/snapshot-id.ts';
import type { Snapshot } from '../../engine/ports/snapshot.ts';
import { CorpusError } from '../corpus-error.ts';
import { createPrepare } from '../database.ts';

export interface CacheBounds {
  /** UTF-8 bytes of evictable snapshots and of what is kept of their pages; 512 MiB unless told. */
  readonly maxBytes?: number;
  /** URLs whose last reading is kept; 50,000 unless told. */
  readonly maxPages?: number;
}

/** Runs within its caller's transaction, but for `evict`. */
export interface SnapshotKeeper {
  /** Stores it; the one that is there already stays as it is. */
  put(snapshot: Omit<Snapshot, 'id'>, fetchedAt: string): { readonly n: number; readonly id: string };
  /** It is needed: by a page, or by an ended search. */
  keep(n: number): void;
  /** Somebody needs it no longer. It becomes evictable if nobody else does, after a while: a search may just have found it. */
  letGo(n: number): void;
  /** It was used now, and so were the readings that led to it; with `hold` it also stays for a while. */
  use(n: number, hold?: 'hold'): void;
  /** Removes what is over the bounds, or a part of it: each call brings more down than one page can add. */
  evict(): void;
}

interface Oldest {
  readonly kind: 'reading' | 'snapshot';
  readonly n: number;
  readonly bytes: number;
}

const holdMs = 15 * 60_000;
/** Removed by one call, in one transaction, so that other processes wait milliseconds. */
const mostEvicted = 100;

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

  /** What was used longest ago; a reading before the snapshot that it points at. */
  function oldest(of: 'readings' | 'all', now: number): Oldest | undefined {
    const reading = "SELECT * FROM (SELECT 'reading' AS kind, n, bytes, used FROM readings ORDER BY used LIMIT 1)";
    if (of === 'readings') return prepare(reading).get() as Oldest | undefined;
    return prepare(`${reading} UNION ALL SELECT * FROM (SELECT 'snapshot' AS kind, snapshot AS n, bytes, used
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
    // Beyond twice the bound no search is waited for: somebody is filling the disk.
    const now = bytes > 2 * maxBytes ? Number.MAX_SAFE_INTEGER : Date.now();
    for (let left = mostEvicted; left > 0 && (pages > maxPages || bytes > maxBytes); left--) {
      const next = oldest(pages > maxPages ? 'readings' : 'all', now);
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
