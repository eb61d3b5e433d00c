/**
 * Writes to the page cache: cached pages, their snapshots, and the pins of ended searches. Each call is one transaction;
 * eviction runs in a second one.
 */
import type { Database } from 'better-sqlite3';
import type { Snapshot } from '../../engine/ports/snapshot.ts';
import type { PageInfo } from '../../engine/ports/web.ts';
import { createPrepare } from '../sqlite/prepare.ts';
import type { SnapshotKeeper } from './snapshot-keeper.ts';

/**
 * The page last read at a URL, and what is needed to revalidate it. The same shape as CachedPage in web/page-cache.ts, which
 * this folder does not import.
 */
export interface CachedPage {
  readonly page: { readonly snapshot: Snapshot; readonly info: PageInfo };
  /** Every URL opened, redirects and the final URL included. */
  readonly hops: readonly string[];
  readonly etag?: string;
  readonly last_modified?: string;
  /** Version of the extractor that read it; the column `recipe`. */
  readonly extractor_version: string;
}

export interface PageCacheWriter {
  /** Keeps it for searches in progress, then until space is needed and no ended search cites it. Returns its id. */
  putSnapshot(snapshot: Omit<Snapshot, 'id'>, fetchedAt: string): string;
  /** `uses`: ids of the snapshots used since the last call, in order. */
  putCachedPage(url: string, cached: CachedPage, uses: readonly string[]): void;
  /** Claims the fetch of a URL for `ms`, or renews the claim for as long; returns false if another has it. */
  claimFetch(url: string, claim: string, ms: number): boolean;
  /** Releases it, unless another has claimed it since. */
  releaseFetch(url: string, claim: string): void;
  /** Pins the snapshots with these ids; unknown ids are ignored. */
  pin(search: string, snapshots: readonly string[], endedAt: string): void;
  unpin(search: string): void;
  /**
   * Removes up to `limit` pins of searches that ended before `endedAt`, oldest first, and up to 100 snapshots that nothing needs;
   * returns whether any of either may be left.
   */
  unpinBefore(endedAt: string, limit: number): boolean;
}

/**
 * A claim that lasts for longer, ms, was made before the clock was set back. Set by hand: more than `claimFetch` is called
 * with.
 */
const maxClaimMs = 60_000;

/** The synchronous writer of the page cache for one connection. Throws SQLite's errors or a CorpusError. */
export function createPageCacheWriter(database: Database, keeper: SnapshotKeeper): PageCacheWriter {
  const prepare = createPrepare(database);
  const numberOf = (id: string) =>
    prepare('SELECT n FROM snapshots WHERE id = ?').pluck().get(id) as number | undefined;

  const keepSnapshot = database.transaction((snapshot: Omit<Snapshot, 'id'>, fetchedAt: string): string => {
    const { n, id } = keeper.put(snapshot, fetchedAt);
    keeper.use(n, 'hold');
    return id;
  }).immediate;

  const keepPage = database.transaction((url: string, cached: CachedPage, uses: readonly string[]) => {
    for (const id of uses) {
      const n = numberOf(id);
      if (n !== undefined) keeper.use(n);
    }
    const { page, hops, etag = null, last_modified = null, extractor_version } = cached;
    const { n } = keeper.put(page.snapshot, page.info.fetched_at);
    const [info, opened] = [JSON.stringify(page.info), JSON.stringify(hops)];
    const bytes = Buffer.byteLength(url) + Buffer.byteLength(info) + Buffer.byteLength(opened);
    prepare(`INSERT INTO readings (url, snapshot, used, bytes, etag, last_modified, recipe, hops, info)
      VALUES (?, ?, 0, ?, ?, ?, ?, ?, ?) ON CONFLICT (url) DO UPDATE SET snapshot = excluded.snapshot,
      bytes = excluded.bytes, etag = excluded.etag, last_modified = excluded.last_modified, recipe = excluded.recipe,
      hops = excluded.hops, info = excluded.info`).run(
      url,
      n,
      bytes,
      etag,
      last_modified,
      extractor_version,
      opened,
      info,
    );
    keeper.use(n);
  }).immediate;

  const removePins = database.transaction((search: string) => {
    const gone = prepare('DELETE FROM cited WHERE search = ? RETURNING snapshot').pluck().all(search) as number[];
    for (const n of gone) keeper.release(n);
  }).immediate;

  const removePinsBefore = database.transaction((endedAt: string, limit: number) => {
    const old = 'SELECT search, snapshot FROM cited WHERE ended_at < ? ORDER BY ended_at LIMIT ?';
    const sql = `DELETE FROM cited WHERE (search, snapshot) IN (${old}) RETURNING snapshot`;
    const gone = prepare(sql).pluck().all(endedAt, limit) as number[];
    for (const n of gone) keeper.release(n);
    return prepare('SELECT 1 FROM cited WHERE ended_at < ? LIMIT 1').get(endedAt) !== undefined;
  }).immediate;

  return {
    putSnapshot(snapshot, fetchedAt) {
      const id = keepSnapshot(snapshot, fetchedAt);
      keeper.evict();
      return id;
    },
    putCachedPage(url, cached, uses) {
      keepPage(url, cached, uses);
      keeper.evict();
    },
    claimFetch(url, claim, ms) {
      const sql = `INSERT INTO taken (url, reading, until) VALUES (@url, @claim, @until) ON CONFLICT (url)
        DO UPDATE SET reading = excluded.reading, until = excluded.until
        WHERE reading = excluded.reading OR until <= @now OR until > @future`;
      const now = Date.now();
      return prepare(sql).run({ url, claim, now, until: now + ms, future: now + maxClaimMs }).changes === 1;
    },
    releaseFetch(url, claim) {
      const sql = 'DELETE FROM taken WHERE (url = ? AND reading = ?) OR until <= ? OR until > ?';
      const now = Date.now();
      prepare(sql).run(url, claim, now, now + maxClaimMs);
    },
    pin: database.transaction((search: string, snapshots: readonly string[], endedAt: string) => {
      for (const id of snapshots) {
        const n = numberOf(id);
        if (n === undefined) continue;
        const sql = 'INSERT INTO cited (search, snapshot, ended_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING';
        prepare(sql).run(search, n, endedAt);
        keeper.keep(n);
      }
    }).immediate,
    unpin(search) {
      removePins(search);
      keeper.evict();
    },
    unpinBefore(endedAt, limit) {
      const areLeft = removePinsBefore(endedAt, limit);
      return keeper.evict() || areLeft;
    },
  };
}
