/** What makes room in the index file, and what never goes: pages of the index, what ended searches cite, what a search just found. */
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { snapshotId } from '../../src/base/snapshot-id.ts';
import { openDatabase } from '../../src/corpus/database.ts';
import { createIndexWriter } from '../../src/corpus/index/write-index.ts';
import type { CacheBounds } from '../../src/corpus/page-cache/snapshot-keeper.ts';
import { createIndexReader } from '../../src/corpus/search/read-index.ts';
import { cachedPage } from '../support/cached-page.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
const hour = 3_600_000;
let files = 0;
const opened: Database[] = [];

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => {
  vi.useRealTimers();
  for (const database of opened.splice(0)) database.close();
});

function open(bounds: CacheBounds) {
  files += 1;
  const database = openDatabase(join(folder, `${files}.db`), 'write');
  opened.push(database);
  const writer = createIndexWriter(database, bounds);
  const reader = createIndexReader(database);
  const text = (n: number) => `${n} ${'word '.repeat(2_000)}`;
  const url = (n: number) => `http://site.example/${n}`;
  const count = (table: string) => database.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;
  return {
    database,
    reader,
    writer,
    url,
    text,
    count,
    id: (n: number) => snapshotId(url(n), text(n)),
    has: (n: number) => reader.snapshot(snapshotId(url(n), text(n))) !== undefined,
    /** A page of about 10 kB. */
    fetch: (n: number) => writer.putCachedPage(url(n), cachedPage(url(n), text(n)), []),
    found: (n: number) => writer.putSnapshot({ url: url(n), title: 't', text: text(n) }, '2026-01-01'),
    index: (n: number, version = n) => {
      const snapshot = { url: url(n), title: 't', text: text(version) };
      writer.indexPages('s', [{ key: `${n}`, hash: `${version}`, snapshot, fetched_at: '2026-01-01' }]);
      return snapshotId(url(n), text(version));
    },
  };
}

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

describe('making room', () => {
  it('keeps the newest web pages, within the limit of bytes', () => {
    const { fetch, has, database } = open({ maxBytes: 100_000 });
    for (const n of numbers(0, 40)) fetch(n);
    expect(numbers(0, 40).filter(has)).toEqual(numbers(31, 40));
    expect(database.pragma('foreign_key_check')).toEqual([]);
  });

  it('keeps cached pages for at most maxPages URLs, and the snapshots of the others while there is room', () => {
    const { fetch, has, reader, url } = open({ maxPages: 3 });
    for (const n of numbers(0, 6)) fetch(n);
    expect(numbers(0, 6).filter((n) => reader.cachedPage(url(n)) !== undefined)).toEqual([3, 4, 5]);
    expect(numbers(0, 6).every(has)).toBe(true);
  });

  it('keeps pinned pages, and evicts them an hour after they were last pinned', () => {
    const { fetch, has, id, writer } = open({ maxBytes: 30_000 });
    for (const n of numbers(0, 2)) fetch(n);
    writer.pin('s_1', [id(0), id(1), '0'.repeat(32)], '2026-01-01');
    writer.pin('s_2', [id(1)], '2026-01-01');
    for (const n of numbers(10, 30)) fetch(n);
    expect([has(0), has(1), has(10)]).toEqual([true, true, false]);
    writer.unpin('s_1');
    writer.unpin('s_unknown');
    vi.advanceTimersByTime(hour);
    for (const n of numbers(30, 40)) fetch(n);
    expect([has(0), has(1)]).toEqual([false, true]);
    writer.unpin('s_2');
    for (const n of numbers(40, 50)) fetch(n);
    expect(has(1)).toBe(true);
    vi.advanceTimersByTime(hour);
    for (const n of numbers(50, 60)) fetch(n);
    expect(has(1)).toBe(false);
  });

  it('unpins the pages of old searches, oldest first and in steps, unless a newer search cites them', () => {
    const { fetch, has, id, writer } = open({ maxBytes: 40_000 });
    const day = (n: number) => `2026-01-0${n}T00:00:00.000Z`;
    for (const n of numbers(0, 3)) fetch(n);
    writer.pin('s_3', [id(0)], day(3));
    writer.pin('s_2', [id(1), id(2)], day(2));
    writer.pin('s_1', [id(0), id(1)], day(1));
    expect(writer.unpinBefore(day(1), 10)).toBe(false);
    expect(writer.unpinBefore(day(3), 3)).toBe(true);
    expect(writer.unpinBefore(day(3), 3)).toBe(false);
    vi.advanceTimersByTime(hour);
    for (const n of numbers(10, 20)) fetch(n);
    expect(numbers(0, 3).map(has)).toEqual([true, false, false]);
  });

  it('migrates the pins of an older file as if their searches had just ended', () => {
    const { fetch, id, writer, database } = open({});
    fetch(0);
    writer.pin('s_1', [id(0)], '2020-01-01T00:00:00.000Z');
    database.exec(
      'DROP INDEX cited_by_end; ALTER TABLE cited DROP COLUMN ended_at; DROP TABLE addresses; PRAGMA user_version = 2',
    );
    openDatabase(database.name, 'write').close();
    const [ended_at] = database.prepare('SELECT ended_at FROM cited').pluck().all() as string[];
    expect(new Date(ended_at!).toISOString()).toBe(ended_at);
    expect(Date.parse(ended_at!)).toBeGreaterThan(Date.parse('2026-01-01'));
  });

  it('never evicts or counts pages of the index, and keeps their old versions for an hour after a change', () => {
    const { fetch, index, has, reader, writer, count } = open({ maxBytes: 30_000 });
    const before = numbers(0, 20).map((n) => index(n));
    for (const n of numbers(100, 110)) fetch(n);
    expect(before.every((id) => reader.snapshot(id) !== undefined)).toBe(true);
    expect(numbers(100, 110).filter(has)).toEqual([108, 109]);
    index(0, 1000);
    writer.sweep('s', numbers(0, 19).map(String));
    for (const n of numbers(110, 120)) fetch(n);
    expect([before[0], before[19]].map((id) => reader.snapshot(id!) !== undefined)).toEqual([true, true]);
    vi.advanceTimersByTime(hour);
    for (const n of numbers(120, 130)) fetch(n);
    expect([before[0], before[19]].map((id) => reader.snapshot(id!) !== undefined)).toEqual([false, false]);
    expect(count('pages')).toBe(19);
  });

  it('keeps what a running search has found for an hour, and evicts it later', () => {
    const { fetch, found, has } = open({ maxBytes: 30_000 });
    found(0);
    for (const n of numbers(1, 20)) fetch(n);
    expect(has(0)).toBe(true);
    vi.advanceTimersByTime(hour);
    for (const n of numbers(20, 30)) fetch(n);
    expect(has(0)).toBe(false);
  });

  it('evicts even recently found pages when the cache holds twice its limit', () => {
    const { found, has } = open({ maxBytes: 30_000 });
    for (const n of numbers(0, 20)) found(n);
    const kept = numbers(0, 20).filter(has);
    expect(kept.length * 10_000).toBeLessThanOrEqual(60_000);
    expect(kept).toContain(19);
  });

  it('shrinks a file that is far over its limit step by step, with each stored page', () => {
    const roomy = open({});
    for (const n of numbers(0, 250)) roomy.fetch(n);
    const narrow = createIndexWriter(roomy.database, { maxBytes: 30_000 });
    for (const n of numbers(250, 260)) narrow.putCachedPage(roomy.url(n), cachedPage(roomy.url(n), roomy.text(n)), []);
    expect(numbers(0, 260).filter(roomy.has)).toEqual([258, 259]);
  });

  it('keeps every pinned page and stays within its bounds after any sequence of operations', () => {
    const small = fc.integer({ min: 0, max: 11 });
    const step = fc.oneof(
      fc.record({ do: fc.constantFrom('fetch', 'found', 'index', 'pin', 'unpin', 'expire', 'use'), n: small }),
      fc.record({ do: fc.constant('wait'), n: small }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { database, writer, reader, id, url, text, index, fetch, found } = open({
          maxBytes: 40_000,
          maxPages: 3,
        });
        const cited = new Map<number, string>();
        const endOf = (search: number) => `2026-01-${search + 10}`;
        for (const { do: what, n } of steps) {
          if (what === 'fetch') fetch(n);
          else if (what === 'found') found(n);
          else if (what === 'index') index(n);
          else if (what === 'wait') vi.advanceTimersByTime(n * 120_000);
          else if (what === 'unpin') {
            writer.unpin(`s_${n}`);
            cited.delete(n);
          } else if (what === 'expire') {
            while (writer.unpinBefore(endOf(n), 2));
            for (const search of cited.keys()) if (search < n) cited.delete(search);
          } else if (what === 'pin') {
            if (reader.snapshot(id(n)) !== undefined) cited.set(n, id(n));
            writer.pin(`s_${n}`, [id(n)], endOf(n));
          } else writer.putCachedPage(url(12), cachedPage(url(12), text(12)), [id(n)]);
          for (const kept of cited.values()) expect(reader.snapshot(kept)).toBeDefined();
        }
        const none = (sql: string) => expect(database.prepare(sql).all(), sql).toEqual([]);
        none('SELECT url FROM pages WHERE snapshot NOT IN (SELECT n FROM snapshots)');
        // What is evictable is exactly what neither a page nor an ended search needs.
        none(
          'SELECT snapshot FROM evictable WHERE snapshot IN (SELECT snapshot FROM pages UNION SELECT snapshot FROM cited)',
        );
        none(`SELECT n FROM snapshots WHERE n NOT IN
          (SELECT snapshot FROM pages UNION SELECT snapshot FROM cited UNION SELECT snapshot FROM evictable)`);
        none('SELECT r.n FROM readings AS r JOIN evictable AS e ON e.snapshot = r.snapshot WHERE r.used > e.used');
        expect(database.pragma('foreign_key_check')).toEqual([]);
        database.close();
        opened.length = 0;
      }),
      { numRuns: 40 },
    );
  });
});
