/** What makes room in a corpus, and what never goes: pages of the index, what ended searches cite, what a search just found. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { snapshotId } from '../../src/base/snapshot-id.ts';
import type { IndexWriter } from '../../src/corpus/index/write-index.ts';
import type { CacheBounds } from '../../src/corpus/page-cache/snapshot-keeper.ts';
import type { IndexReader } from '../../src/corpus/search/read-index.ts';
import type { Awaitable } from '../../src/corpus/worker-rpc.ts';
import { cachedPage } from '../support/cached-page.ts';

/** A new, empty corpus in this thread, where tests can change the time. */
export interface KeeperUnderTest {
  readonly writer: Awaitable<IndexWriter>;
  readonly reader: Awaitable<IndexReader>;
  /** Another writer to the same corpus. */
  withBounds(bounds: CacheBounds): Awaitable<IndexWriter>;
  /** The rows of a statement that names tables as `{pages}`. */
  rows(sql: string): unknown[] | Promise<unknown[]>;
  /** Fails unless all references between tables are whole. */
  close(): void | Promise<void>;
}

const hour = 3_600_000;
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

/** `runs`: how many sequences of operations are tried. */
export function snapshotKeeperLaws(
  name: string,
  runs: number,
  openCorpus: (bounds: CacheBounds) => KeeperUnderTest | Promise<KeeperUnderTest>,
): void {
  const opened = new Set<KeeperUnderTest>();
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(async () => {
    vi.useRealTimers();
    for (const corpus of opened) await corpus.close();
    opened.clear();
  });

  async function open(bounds: CacheBounds) {
    const corpus = await openCorpus(bounds);
    opened.add(corpus);
    const { writer, reader } = corpus;
    const text = (n: number) => `${n} ${'word '.repeat(2_000)}`;
    const url = (n: number) => `http://site.example/${n}`;
    const id = (n: number) => snapshotId(url(n), text(n));
    return {
      ...corpus,
      url,
      text,
      id,
      /** Those of the pages whose snapshots are there. */
      async kept(of: readonly number[]) {
        const found = await Promise.all(of.map((n) => reader.snapshot(id(n))));
        return of.filter((_, at) => found[at] !== undefined);
      },
      /** A page of about 10 kB. */
      fetch: (n: number) => writer.putCachedPage(url(n), cachedPage(url(n), text(n)), []),
      found: (n: number) => writer.putSnapshot({ url: url(n), title: 't', text: text(n) }, '2026-01-01'),
      async index(n: number, version = n) {
        const snapshot = { url: url(n), title: 't', text: text(version) };
        await writer.indexPages('s', [{ key: `${n}`, hash: `${version}`, snapshot, fetched_at: '2026-01-01' }]);
        return snapshotId(url(n), text(version));
      },
      async close() {
        opened.delete(corpus);
        await corpus.close();
      },
    };
  }

  describe(`making room in ${name}`, () => {
    it('keeps the newest web pages, within the limit of bytes', async () => {
      const { fetch, kept } = await open({ maxBytes: 100_000 });
      for (const n of numbers(0, 40)) await fetch(n);
      expect(await kept(numbers(0, 40))).toEqual(numbers(31, 40));
    });

    it('keeps cached pages for at most maxPages URLs, and the snapshots of the others while there is room', async () => {
      const { fetch, kept, reader, url } = await open({ maxPages: 3 });
      for (const n of numbers(0, 6)) await fetch(n);
      const cached = await Promise.all(numbers(0, 6).map((n) => reader.cachedPage(url(n))));
      expect(cached.map((page) => page !== undefined)).toEqual([false, false, false, true, true, true]);
      expect(await kept(numbers(0, 6))).toEqual(numbers(0, 6));
    });

    it('keeps pinned pages, and evicts them an hour after they were last pinned', async () => {
      const { fetch, kept, id, writer } = await open({ maxBytes: 30_000 });
      for (const n of numbers(0, 2)) await fetch(n);
      await writer.pin('s_1', [id(0), id(1), '0'.repeat(32)], '2026-01-01');
      await writer.pin('s_2', [id(1)], '2026-01-01');
      for (const n of numbers(10, 30)) await fetch(n);
      expect(await kept([0, 1, 10])).toEqual([0, 1]);
      await writer.unpin('s_1');
      await writer.unpin('s_unknown');
      vi.advanceTimersByTime(hour);
      for (const n of numbers(30, 40)) await fetch(n);
      expect(await kept([0, 1])).toEqual([1]);
      await writer.unpin('s_2');
      for (const n of numbers(40, 50)) await fetch(n);
      expect(await kept([1])).toEqual([1]);
      vi.advanceTimersByTime(hour);
      for (const n of numbers(50, 60)) await fetch(n);
      expect(await kept([1])).toEqual([]);
    });

    it('unpins the pages of old searches, oldest first and in steps, unless a newer search cites them', async () => {
      const { fetch, kept, id, writer } = await open({ maxBytes: 40_000 });
      const day = (n: number) => `2026-01-0${n}T00:00:00.000Z`;
      for (const n of numbers(0, 3)) await fetch(n);
      await writer.pin('s_3', [id(0)], day(3));
      await writer.pin('s_2', [id(1), id(2)], day(2));
      await writer.pin('s_1', [id(0), id(1)], day(1));
      expect(await writer.unpinBefore(day(1), 10)).toBe(false);
      expect(await writer.unpinBefore(day(3), 3)).toBe(true);
      expect(await writer.unpinBefore(day(3), 3)).toBe(false);
      vi.advanceTimersByTime(hour);
      for (const n of numbers(10, 20)) await fetch(n);
      expect(await kept(numbers(0, 3))).toEqual([0]);
    });

    it('never evicts or counts pages of the index, and keeps their old versions for an hour after a change', async () => {
      const { fetch, index, reader, writer, rows, kept } = await open({ maxBytes: 30_000 });
      const before: string[] = [];
      for (const n of numbers(0, 20)) before.push(await index(n));
      const stored = async (ids: readonly (string | undefined)[]) =>
        (await Promise.all(ids.map((id) => reader.snapshot(id!)))).map((snapshot) => snapshot !== undefined);
      for (const n of numbers(100, 110)) await fetch(n);
      expect(await stored(before)).not.toContain(false);
      expect(await kept(numbers(100, 110))).toEqual([108, 109]);
      await index(0, 1000);
      await writer.sweep('s', numbers(0, 19).map(String));
      for (const n of numbers(110, 120)) await fetch(n);
      expect(await stored([before[0], before[19]])).toEqual([true, true]);
      vi.advanceTimersByTime(hour);
      for (const n of numbers(120, 130)) await fetch(n);
      expect(await stored([before[0], before[19]])).toEqual([false, false]);
      expect(await rows('SELECT n FROM {pages}')).toHaveLength(19);
    });

    it('removes what left the index, and what ended searches cited, however much room there is', async () => {
      const { fetch, index, kept, id, url, reader, writer } = await open({});
      for (const n of numbers(0, 4)) await index(n);
      await fetch(3);
      await fetch(5);
      await writer.pin('s_1', [id(5)], '2026-01-01');
      await writer.pin('s_1', [id(2)], '2026-01-01');
      await index(0, 1000);
      await writer.sweep('s', ['0']);
      // A search that had found one reads it once more.
      await writer.putCachedPage(url(6), cachedPage(url(6), 'Text.'), [id(1)]);
      await writer.unpinBefore('2025-01-01', 10);
      expect(await kept(numbers(0, 4))).toEqual([0, 1, 2, 3]);
      vi.advanceTimersByTime(hour);
      await writer.unpinBefore('2025-01-01', 10);
      expect(await kept(numbers(0, 4))).toEqual([2]);
      expect(await reader.cachedPage(url(3))).toBeUndefined();
      await writer.unpin('s_1');
      vi.advanceTimersByTime(hour);
      await fetch(4);
      // A web page that is not of the index stays while there is room.
      expect(await kept(numbers(0, 6))).toEqual([4, 5]);
    });

    it('keeps what left the index and was read or found again', async () => {
      const { fetch, found, index, kept, writer } = await open({});
      for (const n of numbers(0, 3)) await index(n);
      await writer.sweep('s', []);
      await fetch(0);
      await found(1);
      vi.advanceTimersByTime(hour);
      await fetch(4);
      expect(await kept(numbers(0, 3))).toEqual([0, 1]);
    });

    it('keeps what a running search has found for an hour, and evicts it later', async () => {
      const { fetch, found, kept } = await open({ maxBytes: 30_000 });
      await found(0);
      for (const n of numbers(1, 20)) await fetch(n);
      expect(await kept([0])).toEqual([0]);
      vi.advanceTimersByTime(hour);
      for (const n of numbers(20, 30)) await fetch(n);
      expect(await kept([0])).toEqual([]);
    });

    it('evicts even recently found pages when the cache holds twice its limit', async () => {
      const { found, kept } = await open({ maxBytes: 30_000 });
      for (const n of numbers(0, 20)) await found(n);
      const left = await kept(numbers(0, 20));
      expect(left.length * 10_000).toBeLessThanOrEqual(60_000);
      expect(left).toContain(19);
    });

    it('shrinks a file that is far over its limit step by step, with each stored page', async () => {
      const roomy = await open({});
      for (const n of numbers(0, 250)) await roomy.fetch(n);
      const narrow = roomy.withBounds({ maxBytes: 30_000 });
      for (const n of numbers(250, 260))
        await narrow.putCachedPage(roomy.url(n), cachedPage(roomy.url(n), roomy.text(n)), []);
      expect(await roomy.kept(numbers(0, 260))).toEqual([258, 259]);
    });

    it('keeps every pinned page and stays within its bounds after any sequence of operations', async () => {
      const small = fc.integer({ min: 0, max: 11 });
      const step = fc.oneof(
        fc.record({ do: fc.constantFrom('fetch', 'found', 'index', 'pin', 'unpin', 'expire', 'use'), n: small }),
        fc.record({ do: fc.constant('wait'), n: small }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
          const { rows, writer, reader, id, url, text, index, fetch, found, close } = await open({
            maxBytes: 40_000,
            maxPages: 3,
          });
          const cited = new Map<number, string>();
          const endOf = (search: number) => `2026-01-${search + 10}`;
          for (const { do: what, n } of steps) {
            if (what === 'fetch') await fetch(n);
            else if (what === 'found') await found(n);
            else if (what === 'index') await index(n);
            else if (what === 'wait') vi.advanceTimersByTime(n * 120_000);
            else if (what === 'unpin') {
              await writer.unpin(`s_${n}`);
              cited.delete(n);
            } else if (what === 'expire') {
              while (await writer.unpinBefore(endOf(n), 2));
              for (const search of cited.keys()) if (search < n) cited.delete(search);
            } else if (what === 'pin') {
              if ((await reader.snapshot(id(n))) !== undefined) cited.set(n, id(n));
              await writer.pin(`s_${n}`, [id(n)], endOf(n));
            } else await writer.putCachedPage(url(12), cachedPage(url(12), text(12)), [id(n)]);
            for (const pinned of cited.values()) expect(await reader.snapshot(pinned)).toBeDefined();
          }
          const none = async (sql: string) => expect(await rows(sql), sql).toEqual([]);
          await none('SELECT url FROM {pages} WHERE snapshot NOT IN (SELECT n FROM {snapshots})');
          // What is evictable is exactly what neither a page nor an ended search needs.
          await none(
            'SELECT snapshot FROM {evictable} WHERE snapshot IN (SELECT snapshot FROM {pages} UNION SELECT snapshot FROM {cited})',
          );
          await none(`SELECT n FROM {snapshots} WHERE n NOT IN
          (SELECT snapshot FROM {pages} UNION SELECT snapshot FROM {cited} UNION SELECT snapshot FROM {evictable})`);
          await none(
            'SELECT r.url FROM {readings} AS r JOIN {evictable} AS e ON e.snapshot = r.snapshot WHERE r.used > e.used',
          );
          await close();
        }),
        { numRuns: runs },
      );
    });
  });
}
