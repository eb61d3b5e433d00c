/** The reader as its callers know it: one fetch for concurrent reads, a cache that revalidates, robots.txt, canonical URLs. */

import { createHash } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { parseSourceRule } from '../../protocol/source-rules.ts';
import { snapshotId } from '../../src/base/snapshot-id.ts';
import { createMemoryCache } from '../../src/web/page-cache.ts';
import { createReader, type Reader, type ReaderOptions } from '../../src/web/reader.ts';
import { makePdf, makeSlowPdf } from '../support/documents/make-pdf.ts';
import { serveSite, serveSocket, type TestSite } from './serve.ts';

const opened: { close(): Promise<void> }[] = [];
const soon = () => AbortSignal.timeout(20_000);

afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
});

async function start(
  listener: RequestListener,
  options: ReaderOptions & { robots?: boolean } = {},
): Promise<{ site: TestSite; reader: Reader }> {
  const { robots, ...rest } = options;
  const site = await serveSite(listener, robots === undefined ? {} : { robots });
  const reader = createReader({ allowHosts: [`127.0.0.1:${site.port}`], ...rest });
  opened.push(site, reader);
  return { site, reader };
}

const article = (head = '') =>
  `<html lang="en"><head><title>On tides | The Almanac</title>${head}</head><body><main><article><h1>On tides</h1><p>The sea comes in twice a day, and fifty minutes later every day, because the moon does.</p><p>Where the shore is <a href="/flat#low">flat</a> it comes in faster than a horse can run.</p></article></main></body></html>`;

describe('reading a page', () => {
  it('returns the snapshot of a page with its metadata', async () => {
    const head =
      '<meta name="author" content="Ines Roth"><meta property="og:site_name" content="The Almanac"><meta property="article:published_time" content="2024-03-04T10:00:00+01:00"><meta property="article:modified_time" content="2024-03-05">';
    const { site, reader } = await start((_, response) =>
      response.setHeader('content-type', 'text/html; charset=utf-8').end(article(head)),
    );
    const { snapshot, info } = await reader.read(`${site.base}/tides?x=1#fragment`, {}, soon());
    const url = `${site.base}/tides?x=1`;
    expect(snapshot.text).toContain('The sea comes in twice a day');
    expect(snapshot).toMatchObject({
      id: snapshotId(url, snapshot.text),
      url,
      title: 'On tides',
      published_at: '2024-03-04T09:00:00.000Z',
    });
    expect(info).toMatchObject({
      final_url: url,
      status: 200,
      content_type: 'text/html; charset=utf-8',
      title: 'On tides',
      byline: 'Ines Roth',
      site_name: 'The Almanac',
      published_at: '2024-03-04T09:00:00.000Z',
      modified_at: expect.stringContaining('2024-03-05'),
      language: 'en',
      hash: createHash('sha256').update(snapshot.text).digest('hex'),
      from_cache: false,
      extractor: 'html',
      truncated: false,
      links: [{ url: `${site.base}/flat#low`, text: 'flat' }],
      warnings: [],
    });
    expect(info.words).toBeGreaterThan(25);
    expect(await reader.snapshot(snapshot.id)).toEqual(snapshot);
  });

  it('says what the menus of a page link to besides its text', async () => {
    const text =
      '<p>The sea comes in twice a day over the <a href="/flat">flat</a>, and leaves it as often.</p>'.repeat(4);
    const menu = '<nav><ul><li><a href="/flat">Flat</a></li><li><a href="/tides#low">Tides</a></li></ul></nav>';
    const { site, reader } = await start((_, response) =>
      response.setHeader('content-type', 'text/html').end(`<body>${menu}<main><h1>Tides</h1>${text}</main></body>`),
    );
    const { info } = await reader.read(`${site.base}/`, {}, soon());
    expect(info.links).toEqual([{ url: `${site.base}/flat`, text: 'flat' }]);
    expect(info.other_links).toEqual([`${site.base}/tides#low`]);
  });

  it('follows redirects and returns the final URL', async () => {
    const { site, reader } = await start((request, response) => {
      if (request.url === '/old') response.writeHead(301, { location: '/new' }).end();
      else response.setHeader('content-type', 'text/html').end(article());
    });
    expect((await reader.read(`${site.base}/old`, {}, soon())).info.final_url).toBe(`${site.base}/new`);
  });

  it('follows redirects to addresses that are not ASCII', async () => {
    const { site, reader } = await start((request, response) => {
      const there = '/hafen/größe';
      if (request.url === encodeURI(there)) response.setHeader('content-type', 'text/html').end(article());
      // Sent as it is, in UTF-8.
      else response.writeHead(302, { location: Buffer.from(there).toString('latin1') }).end();
    });
    const { info } = await reader.read(`${site.base}/old`, {}, soon());
    expect(info.final_url).toBe(`${site.base}${encodeURI('/hafen/größe')}`);
  });

  it('follows a page that only leads elsewhere, under the same rules, but not in a circle', async () => {
    const leading = (to: string, text = 'Go on.') =>
      `<html><head><meta http-equiv="Refresh" content="0; URL='${to}'"></head><body><p>${text}</p></body></html>`;
    const pages: Record<string, string> = {
      '/': leading('/latest/'),
      '/latest/': article(),
      '/circle': leading('/circle'),
      '/first': leading('/second'),
      '/second': leading('/first'),
      '/read': leading('/latest/', 'Words that are read. '.repeat(20)),
      '/news': article('<meta http-equiv="refresh" content="300; url=/latest/">'),
    };
    const { site, reader } = await start((request, response) => {
      response.setHeader('content-type', 'text/html').end(pages[request.url!]);
    });
    const finalOf = async (path: string) =>
      (await reader.read(`${site.base}${path}`, {}, soon())).info.final_url.slice(site.base.length);
    expect(await finalOf('/')).toBe('/latest/');
    expect(await finalOf('/circle')).toBe('/circle');
    expect(await finalOf('/first')).toBe('/second');
    expect(await finalOf('/read')).toBe('/read');
    expect(await finalOf('/news')).toBe('/news');
    const rules = { only: [], never: [parseSourceRule(`${site.base}/latest`)!] };
    await expect(reader.read(`${site.base}/`, { rules }, soon())).rejects.toMatchObject({ code: 'source_denied' });
  });

  it('takes no part of a page for the page', async () => {
    const { site, reader } = await start((request, response) => {
      const range = request.url === '/whole' ? 'bytes 0-99/100' : 'bytes 0-99/9999';
      response.writeHead(206, { 'content-type': 'text/html', 'content-range': range }).end(article());
    });
    expect((await reader.read(`${site.base}/whole`, {}, soon())).info.status).toBe(206);
    await expect(reader.read(`${site.base}/part`, {}, soon())).rejects.toMatchObject({ code: 'unreachable' });
  });

  it('keeps the pages of a list apart that declare the list as their canonical URL', async () => {
    const { site, reader } = await start((request, response) => {
      const to = request.url!.startsWith('/?p=') ? '/a-post' : request.url!.replace(/\?.*/, '');
      response.setHeader('content-type', 'text/html').end(article(`<link rel="canonical" href="${to}">`));
    });
    const address = async (path: string) =>
      (await reader.read(site.base + path, {}, soon())).snapshot.url.slice(site.base.length);
    expect(await address('/list?page=2')).toBe('/list?page=2');
    expect(await address('/list?offset=20&utm_source=x')).toBe('/list?offset=20&utm_source=x');
    expect(await address('/list?page=1')).toBe('/list');
    expect(await address('/list?utm_source=x')).toBe('/list');
    expect(await address('/?p=12')).toBe('/a-post');
  });

  it('accepts a canonical URL only on the same site', async () => {
    const { site, reader } = await start((request, response) => {
      const canonical = request.url === '/mine?utm=1' ? '/mine' : 'https://nytimes.example/news';
      response.setHeader('content-type', 'text/html').end(article(`<link rel="canonical" href="${canonical}">`));
    });
    expect((await reader.read(`${site.base}/mine?utm=1`, {}, soon())).snapshot.url).toBe(`${site.base}/mine`);
    const other = await reader.read(`${site.base}/other`, {}, soon());
    expect(other.snapshot.url).toBe(`${site.base}/other`);
    expect(other.info).not.toHaveProperty('canonical_url');
  });
});

describe('the cache', () => {
  it('returns a fresh page from the cache, and revalidates a stale one by its ETag', async () => {
    const asked: (string | undefined)[] = [];
    let version = 1;
    const { site, reader } = await start((request, response) => {
      asked.push(request.headers['if-none-match']);
      if (request.headers['if-none-match'] === `"v${version}"`) response.writeHead(304).end();
      else
        response
          .writeHead(200, { 'content-type': 'text/html', etag: `"v${version}"` })
          .end(article().replaceAll('twice', `twice (${version})`));
    });
    const url = `${site.base}/page`;
    const first = await reader.read(url, {}, soon());
    expect((await reader.read(url, {}, soon())).info.from_cache).toBe(true);
    expect(asked).toEqual([undefined]);
    const confirmed = await reader.read(url, { maxAgeMs: 0 }, soon());
    expect(confirmed.info.from_cache).toBe(true);
    expect(confirmed.snapshot).toEqual(first.snapshot);
    version = 2;
    const changed = await reader.read(url, { maxAgeMs: 0 }, soon());
    expect(changed.info.from_cache).toBe(false);
    expect(changed.snapshot.id).not.toBe(first.snapshot.id);
    expect(asked).toEqual([undefined, '"v1"', '"v1"']);
    expect(await reader.snapshot(first.snapshot.id)).toEqual(first.snapshot);
  });

  it('reads a page again that was read in the future, before the clock was set back', async () => {
    let asked = 0;
    const cache = createMemoryCache();
    const { site, reader } = await start(
      (_, response) => {
        asked += 1;
        response.setHeader('content-type', 'text/html').end(article());
      },
      { cache },
    );
    const url = `${site.base}/page`;
    for (const options of [{}, { maxAgeMs: 0 }]) {
      const page = await reader.read(url, { maxAgeMs: 0 }, soon());
      const fetched_at = new Date(Date.now() + 3_600_000).toISOString();
      await cache.put(url, { ...(await cache.get(url))!, page: { ...page, info: { ...page.info, fetched_at } } });
      const before = asked;
      expect((await reader.read(url, options, soon())).info.from_cache).toBe(false);
      expect(asked).toBe(before + 1);
    }
  });

  it('takes a page that a server with a faster clock has read for one read now', async () => {
    let asked = 0;
    const cache = createMemoryCache();
    const { site, reader } = await start(
      (_, response) => {
        asked += 1;
        response.setHeader('content-type', 'text/html').end(article());
      },
      { cache },
    );
    const url = `${site.base}/page`;
    const page = await reader.read(url, {}, soon());
    const fetched_at = new Date(Date.now() + 50_000).toISOString();
    await cache.put(url, { ...(await cache.get(url))!, page: { ...page, info: { ...page.info, fetched_at } } });
    expect((await reader.read(url, {}, soon())).info.from_cache).toBe(true);
    expect(asked).toBe(1);
    await reader.read(url, { maxAgeMs: 0 }, soon());
    expect(asked).toBe(2);
  });

  it('revalidates by date when the page has no ETag', async () => {
    const asked: unknown[] = [];
    const { site, reader } = await start((request, response) => {
      asked.push(request.headers['if-modified-since']);
      response
        .writeHead(200, { 'content-type': 'text/html', 'last-modified': 'Mon, 04 Mar 2024 10:00:00 GMT' })
        .end(article());
    });
    for (let turn = 0; turn < 2; turn += 1) await reader.read(`${site.base}/page`, { maxAgeMs: 0 }, soon());
    expect(asked).toEqual([undefined, 'Mon, 04 Mar 2024 10:00:00 GMT']);
  });
});

describe('concurrent reads', () => {
  it('fetches a page once for concurrent readers', async () => {
    let fetches = 0;
    const { site, reader } = await start((_, response) => {
      fetches += 1;
      setTimeout(() => response.setHeader('content-type', 'text/html').end(article()), 50);
    });
    const pages = await Promise.all(Array.from({ length: 8 }, () => reader.read(`${site.base}/page`, {}, soon())));
    expect(new Set(pages.map(({ snapshot }) => snapshot.id)).size).toBe(1);
    expect(fetches).toBe(1);
  });

  it('continues a shared fetch when one reader leaves, and cancels it when all have left', async () => {
    let closed = 0;
    const seen: string[] = [];
    const { site, reader } = await start((request, response) => {
      seen.push(request.url!);
      response.on('close', () => (closed += response.writableFinished ? 0 : 1));
      if (request.url === '/slow')
        setTimeout(() => response.setHeader('content-type', 'text/html').end(article()), 300);
    });
    const leaving = new AbortController();
    const left = reader.read(`${site.base}/slow`, {}, leaving.signal);
    const stays = reader.read(`${site.base}/slow`, {}, soon());
    leaving.abort(new Error('had enough'));
    await expect(left).rejects.toThrow('had enough');
    expect((await stays).info.status).toBe(200);
    const both = [new AbortController(), new AbortController()];
    const given = both.map(({ signal }) => reader.read(`${site.base}/never`, {}, signal));
    const ends = Promise.allSettled(given);
    await expect.poll(() => seen).toContain('/never');
    for (const each of both) each.abort(new Error('gone'));
    expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect.poll(() => closed).toBe(1);
  });
});

describe('pages of several owners', () => {
  it.each(['page', 'pdf'])(
    'reads a %s for one owner while another has many slow ones waiting',
    async (kind) => {
      const slow = await makeSlowPdf();
      const heavy = '<p class="a b">Words and <a href="/x">links</a> in rows. </p>'.repeat(60_000);
      const { site, reader } = await start(
        ({ url }, response) => {
          const isPdf = url!.startsWith('/pdf');
          response.setHeader('content-type', isPdf ? 'application/pdf' : 'text/html');
          if (url!.includes('slow')) response.end(isPdf ? slow : heavy);
          else response.end(isPdf ? makePdf({ title: 'Short', pages: [['A short one.']] }) : article());
        },
        { extraction: { deadlineMs: 5_000 } },
      );
      const ended: string[] = [];
      const read = (name: string, owner: string) =>
        reader
          .read(`${site.base}/${kind}-${name}`, { owner }, AbortSignal.timeout(100_000))
          .then(
            () => `${name} read`,
            (error) => `${name} ${error.code}`,
          )
          .then((end) => ended.push(end));
      const slowOnes = Array.from({ length: 8 }, (_, n) => read(`slow${n}`, 'a'));
      // All of them wait for a thread or a process by now, or have one.
      await expect.poll(() => ended.length).toBeGreaterThan(0);
      const leaving = new AbortController();
      const joined = reader.read(`${site.base}/${kind}-slow7`, { owner: 'b' }, leaving.signal);
      leaving.abort(new Error('had enough'));
      await expect(joined).rejects.toThrow('had enough');
      await read('short', 'b');
      expect(ended).toContain('short read');
      expect(ended.length).toBeLessThan(6);
      await Promise.all(slowOnes);
      // The time that a page waited for its turn is not the page's.
      expect(ended).toHaveLength(9);
    },
    120_000,
  );
});

describe('the memory of bodies', () => {
  it('refuses pages beyond its bound, except small ones of other owners, and has room again once pages have ended', async () => {
    const { site, reader } = await start(
      ({ url }, response) => {
        response.setHeader('content-type', 'text/html').write(`<p>${'Words. '.repeat(60_000)}</p>`);
        if (url !== '/whole') return;
        response.end();
      },
      { bodyMemory: { maxBytes: 1_000_000, reserveBytes: 1_000_000, ownBytes: 500_000, what: 'large pages' } },
    );
    let leaving = new AbortController();
    let ends: Promise<unknown> = Promise.resolve();
    let pauseMs = 100;
    /** Two bodies that never end. A page that is read before both have arrived is not the one that is refused. */
    const hold = async () => {
      leaving.abort(new Error('had enough'));
      await ends;
      leaving = new AbortController();
      ends = Promise.allSettled(
        [1, 2].map((n) => reader.read(`${site.base}/held${n}`, { owner: 'a' }, leaving.signal)),
      );
      await sleep(pauseMs);
      pauseMs *= 2;
    };
    const readWhole = (owner: string) =>
      reader.read(`${site.base}/whole`, { owner, maxAgeMs: 0 }, soon()).then(
        () => 'read',
        (error) => error.code,
      );
    await expect
      .poll(async () => {
        await hold();
        return readWhole('a');
      })
      .toBe('overloaded');
    expect(await readWhole('b')).toBe('read');
    leaving.abort(new Error('had enough'));
    await ends;
    await expect.poll(() => readWhole('a')).toBe('read');
  });
});

describe('robots.txt', () => {
  const site = (robots: (url: string) => [number, string]) => {
    const seen: string[] = [];
    const listener: RequestListener = (request, response) => {
      seen.push(request.url!);
      if (request.url === '/robots.txt') {
        const [status, text] = robots(request.headers['user-agent'] ?? '');
        response.writeHead(status, { 'content-type': 'text/plain' }).end(text);
      } else response.setHeader('content-type', 'text/html').end(article());
    };
    return { seen, listener };
  };

  it('fetches robots.txt once, caches it, and obeys it before any request for the page', async () => {
    const { seen, listener } = site(() => [200, 'User-agent: *\nDisallow: /private\nCrawl-delay: 2\n']);
    const { site: at, reader } = await start(listener, { robots: true });
    await reader.read(`${at.base}/open`, {}, soon());
    await expect(reader.read(`${at.base}/private/x`, {}, soon())).rejects.toMatchObject({ code: 'robots_denied' });
    expect(await reader.crawlDelay(`${at.base}/open`, soon())).toBe(2_000);
    expect(seen).toEqual(['/robots.txt', '/open']);
  });

  it('obeys the group of robots.txt that names our own user agent', async () => {
    const { listener } = site((agent) => [
      200,
      `User-agent: ${agent.split('/')[0]}\nDisallow: /\n\nUser-agent: *\nAllow: /\n`,
    ]);
    const { site: at, reader } = await start(listener, { robots: true });
    await expect(reader.read(`${at.base}/open`, {}, soon())).rejects.toMatchObject({ code: 'robots_denied' });
  });

  it('reads pages when robots.txt is missing, and none while its server fails', async () => {
    let status = 404;
    const { listener } = site(() => [status, 'User-agent: *\nDisallow: /\n']);
    const missing = await start(listener, { robots: true });
    expect((await missing.reader.read(`${missing.site.base}/a`, {}, soon())).info.status).toBe(200);
    status = 503;
    const failing = await start(listener, { robots: true });
    // It forbids nothing: it could not be read, and the error says so.
    await expect(failing.reader.read(`${failing.site.base}/a`, {}, soon())).rejects.toMatchObject({
      code: 'unreachable',
      message: 'The robots.txt of 127.0.0.1 could not be read (status 503), so its pages are not opened for now.',
    });
    expect(await failing.reader.crawlDelay(`${failing.site.base}/a`, soon())).toBe(0);
  });

  it('is requested once for the pages of a host that could not be connected to in time, and again after a while', async () => {
    const silent = await serveSocket(() => {});
    const url = `https://127.0.0.1:${silent.port}/a`;
    const reader = createReader({ allowHosts: [`127.0.0.1:${silent.port}`], timeouts: { connectMs: 50 } });
    opened.push(silent, reader);
    await expect(reader.crawlDelay(url, soon())).rejects.toMatchObject({ code: 'timeout' });
    for (const page of [url, `${url}/b`]) {
      await expect(reader.read(page, {}, soon())).rejects.toMatchObject({ code: 'timeout' });
    }
    expect(silent.connections()).toBe(1);
    await expect
      .poll(
        async () => {
          await expect(reader.read(url, {}, soon())).rejects.toMatchObject({ code: 'timeout' });
          return silent.connections();
        },
        { timeout: 50_000, interval: 500 },
      )
      .toBe(2);
  });
});
