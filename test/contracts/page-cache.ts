/** What every page cache must do, whatever it keeps pages in. */
import { afterAll, describe, expect, it } from 'vitest';
import type { PageCache } from '../../src/web/page-cache.ts';
import { cachedPage } from '../support/cached-page.ts';

export interface CacheUnderTest {
  readonly cache: PageCache;
  close(): Promise<void>;
}

const long = 200_000;

const longPage = (url: string) => cachedPage(url, `${url} ${'x'.repeat(long)}`);

/** `open` returns an empty cache; with `room`, one that holds at most `room` pages of 200,000 characters. */
export function pageCacheLaws(name: string, open: (room?: number) => Promise<CacheUnderTest>): void {
  const opened: CacheUnderTest[] = [];
  const openCache = async (room?: number): Promise<PageCache> => {
    const under = await open(room);
    opened.push(under);
    return under.cache;
  };
  afterAll(async () => {
    for (const { close } of opened) await close();
  });

  describe(`the page cache in ${name}`, () => {
    it('returns a page as it was stored, with all its metadata', async () => {
      const cache = await openCache();
      const plain = cachedPage('http://a.example/', 'Plain.');
      const whole = cachedPage('http://b.example/', '“Ünïcode” — \u{1f600}\n\n日本', {
        hops: ['http://b.example/old', 'http://b.example/'],
        etag: 'W/"1"',
        last_modified: 'Mon, 04 Mar 2024 10:00:00 GMT',
      });
      const { snapshot, info } = whole.page;
      const dated = { snapshot: { ...snapshot, published_at: '2024-03-04T00:00:00.000Z' }, info };
      await cache.put('http://a.example/', plain);
      await cache.put('http://b.example/old', { ...whole, page: dated });
      expect(await cache.get('http://a.example/')).toEqual(plain);
      expect(await cache.get('http://b.example/old')).toEqual({ ...whole, page: dated });
      expect(await cache.snapshot(snapshot.id)).toEqual(dated.snapshot);
    });

    it('returns nothing for an unknown URL', async () => {
      const cache = await openCache();
      await cache.put('http://a.example/', cachedPage('http://a.example/', 'Here.'));
      expect(await cache.get('http://a.example/?')).toBeUndefined();
      expect(await cache.get('http://A.example/')).toBeUndefined();
      expect(await cache.snapshot('0'.repeat(32))).toBeUndefined();
    });

    it('returns the last version of a URL, and the snapshots of all versions', async () => {
      const cache = await openCache();
      const url = 'http://a.example/';
      const versions = [1, 2, 3].map((version) => cachedPage(url, `Version ${version}.`, { etag: `"${version}"` }));
      for (const version of versions) await cache.put(url, version);
      expect(await cache.get(url)).toEqual(versions[2]);
      for (const { page } of versions) expect(await cache.snapshot(page.snapshot.id)).toEqual(page.snapshot);
    });

    it('drops validators that the newest version does not have', async () => {
      const cache = await openCache();
      const url = 'http://a.example/';
      await cache.put(url, cachedPage(url, 'One.', { etag: '"1"', last_modified: 'then' }));
      await cache.put(url, cachedPage(url, 'One.'));
      expect(await cache.get(url)).toEqual(cachedPage(url, 'One.'));
    });

    it('stores one page under many URLs, each with its own redirects', async () => {
      const cache = await openCache();
      const url = 'http://a.example/';
      const ways = ['http://a.example/', 'http://a.example/1', 'http://a.example/2'];
      for (const way of ways) await cache.put(way, cachedPage(url, 'The same.', { hops: [way, url] }));
      for (const way of ways) expect((await cache.get(way))?.hops).toEqual([way, url]);
    });

    it('keeps the same text at two URLs apart', async () => {
      const cache = await openCache();
      const pages = ['http://a.example/', 'http://b.example/'].map((url) => cachedPage(url, 'Word for word.'));
      for (const each of pages) await cache.put(each.page.snapshot.url, each);
      for (const { page } of pages) expect((await cache.snapshot(page.snapshot.id))?.url).toBe(page.snapshot.url);
    });

    it('evicts the least recently used page together with its snapshot', async () => {
      const cache = await openCache(3);
      const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((host) => longPage(`http://${host}.example/`));
      for (const each of [a!, b!, c!]) await cache.put(each.page.snapshot.url, each);
      expect(await cache.get('http://a.example/')).toEqual(a);
      expect(await cache.snapshot(a!.page.snapshot.id)).toEqual(a!.page.snapshot);
      await cache.put('http://d.example/', d!);
      expect(await cache.get('http://b.example/')).toBeUndefined();
      expect(await cache.snapshot(b!.page.snapshot.id)).toBeUndefined();
      for (const kept of [a!, c!, d!]) {
        expect(await cache.get(kept.page.snapshot.url)).toEqual(kept);
        expect(await cache.snapshot(kept.page.snapshot.id)).toEqual(kept.page.snapshot);
      }
    });

    it('stores an evicted page again', async () => {
      const cache = await openCache(1);
      const urls = ['http://a.example/', 'http://b.example/', 'http://a.example/'];
      for (const url of urls) {
        await cache.put(url, longPage(url));
        expect(await cache.get(url)).toEqual(longPage(url));
      }
    });

    // No more than a busy machine stores in the five seconds that one waits for a connection to Postgres.
    it('stores thirty pages that arrive simultaneously', async () => {
      const cache = await openCache();
      const pages = Array.from({ length: 30 }, (_, n) => cachedPage(`http://${n % 15}.example/`, `Page ${n % 15}.`));
      await Promise.all(pages.map((each) => cache.put(each.page.snapshot.url, each)));
      for (const each of pages) expect(await cache.get(each.page.snapshot.url)).toEqual(each);
    });
  });
}
