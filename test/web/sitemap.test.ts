import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { listPages, type ReadFile } from '../../src/web/sitemap.ts';

const base = 'https://pages.test';
const signal = new AbortController().signal;
const urlset = (inner: string) =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${inner}</urlset>`;

/** The pages listed by `/sitemap.xml` where these are the site's files. */
async function pagesOf(
  files: Readonly<Record<string, string | Uint8Array>>,
  maxPages = 50_000,
  onUnread?: (file: string, reason: string) => void,
): Promise<string[]> {
  const readFile: ReadFile = async (url, use) => {
    const file = files[new URL(url).pathname];
    if (file === undefined) throw new Error('it answered 404');
    return use(typeof file === 'string' ? Buffer.from(file) : file);
  };
  return listPages(base + Object.keys(files)[0]!, maxPages, readFile, signal, { onUnread });
}

describe('the pages of a sitemap', () => {
  it.each([
    ['more pages than are wanted', 1, true],
    ['as many pages as are wanted', 2, false],
    ['fewer pages than are wanted', 3, false],
  ])('are said to be incomplete where there are %s', async (_, maxPages, expected) => {
    const pages = urlset(['/a', '/b', '/a'].map((path) => `<url><loc>${path}</loc></url>`).join(''));
    const index = `<sitemapindex><sitemap><loc>/a.xml</loc></sitemap></sitemapindex>`;
    for (const first of ['/a.xml', '/index.xml']) {
      let isCut = false;
      const readFile: ReadFile = (url, use) => use(Buffer.from(url.endsWith('/a.xml') ? pages : index));
      const onCut = () => {
        isCut = true;
      };
      await listPages(base + first, maxPages, readFile, signal, { onCut });
      expect(isCut).toBe(expected);
    }
  });

  it('decodes numeric and named character references in addresses', async () => {
    const locations = ['/a?x=1&#38;y=2', '/b?x=1&amp;y=2', '/c?x=1&#x26;y=2', '/d?q=&quot;'];
    expect(
      await pagesOf({ '/sitemap.xml': urlset(locations.map((l) => `<url><loc>${l}</loc></url>`).join('')) }),
    ).toEqual(['/a?x=1&y=2', '/b?x=1&y=2', '/c?x=1&y=2', '/d?q=%22'].map((path) => base + path));
  });

  it('skips addresses in comments', async () => {
    const xml = urlset('<!-- <url><loc>/old</loc></url> --><url><loc>/new</loc></url>');
    expect(await pagesOf({ '/sitemap.xml': xml })).toEqual([`${base}/new`]);
  });

  it('skips the addresses of images and videos on a page', async () => {
    const xml = urlset(
      '<url><loc>/page</loc><image:image><image:loc>/image.png</image:loc></image:image><video:loc>/v</video:loc></url>',
    );
    expect(await pagesOf({ '/sitemap.xml': xml })).toEqual([`${base}/page`]);
  });

  it('reads a sitemap whose elements have a namespace prefix', async () => {
    const xml =
      '<sm:urlset xmlns:sm="http://www.sitemaps.org/schemas/sitemap/0.9"><sm:url><sm:loc>/a</sm:loc></sm:url></sm:urlset>';
    expect(await pagesOf({ '/sitemap.xml': xml })).toEqual([`${base}/a`]);
  });

  it('reads CDATA, trims white space, drops fragments and lists each page once', async () => {
    const xml = urlset(
      '<url><loc><![CDATA[/a?x=1&y=2]]></loc></url><url><loc>\n /b#top </loc></url><url><loc>/b</loc></url>',
    );
    expect(await pagesOf({ '/sitemap.xml': xml })).toEqual([`${base}/a?x=1&y=2`, `${base}/b`]);
  });

  it('leaves out addresses that are not http(s), invalid or longer than 2,048 characters', async () => {
    const locations = ['file:///etc/passwd', 'http://', `/${'x'.repeat(2_100)}`, '/kept'];
    const xml = urlset(locations.map((location) => `<url><loc>${location}</loc></url>`).join(''));
    expect(await pagesOf({ '/sitemap.xml': xml })).toEqual([`${base}/kept`]);
  });

  it('follows an index of packed and plain files, each once, three levels down', async () => {
    const index = (...paths: string[]) =>
      `<sitemapindex>${paths.map((path) => `<sitemap><loc>${path}</loc></sitemap>`).join('')}</sitemapindex>`;
    const files = {
      '/sitemap.xml': index('/a.xml.gz', '/list.txt', '/sitemap.xml', '/level1.xml'),
      '/a.xml.gz': gzipSync(urlset('<url><loc>/a</loc></url>')),
      '/list.txt': `# pages\r\n${base}/b\r\n${base}/c\nfile:///etc/passwd\n  ${base}/d`,
      '/level1.xml': index('/level2.xml'),
      '/level2.xml': index('/level3.xml'),
      '/level3.xml': index('/level4.xml'),
      '/level4.xml': urlset('<url><loc>/too-deep</loc></url>'),
    };
    expect(await pagesOf(files)).toEqual(['/a', '/b', '/c', '/d'].map((path) => base + path));
  });

  it('returns the URL itself where it does not name a sitemap', async () => {
    expect(await listPages(`${base}/page?list.xml`, 10, () => Promise.reject(new Error('read')), signal)).toEqual([
      `${base}/page?list.xml`,
    ]);
  });

  it('reads 50,000 addresses in at most 3 s of CPU, whole where a slice ends inside a character, and stops at the max. number of pages', async () => {
    const paths = Array.from({ length: 50_000 }, (_, n) => `/größe/${'é'.repeat(n % 7)}${n}`);
    const xml = urlset(
      paths.map((path) => `<url><loc>${base}${path}</loc><lastmod>2026-02-03</lastmod></url>\n`).join(''),
    );
    const before = process.cpuUsage();
    const pages = await pagesOf({ '/sitemap.xml': xml });
    const { user, system } = process.cpuUsage(before);
    expect(pages).toEqual(paths.map((path) => new URL(path, base).href));
    expect(user + system).toBeLessThan(3_000_000);
    expect(await pagesOf({ '/sitemap.xml.gz': gzipSync(xml) }, 100)).toEqual(pages.slice(0, 100));
  });

  it('refuses what unpacks to more than 50 MB or nests elements without end', async () => {
    const bomb = gzipSync(Buffer.alloc(60 * 1024 * 1024, 'x'));
    await expect(pagesOf({ '/bomb.txt.gz': bomb })).rejects.toThrow(`${base}/bomb.txt.gz: expected at most 50 MB`);
    await expect(pagesOf({ '/deep.xml': '<a>'.repeat(1_000_000) })).rejects.toThrow('nested more than 50 deep');
  });

  it('opens no further file of an index once the others have taken too long', async () => {
    const opened: string[] = [];
    const readFile: ReadFile = async (url, use) => {
      opened.push(url);
      await sleep(5);
      return use(Buffer.from('<sitemapindex><sitemap><loc>/next.xml</loc></sitemap></sitemapindex>'));
    };
    await expect(listPages(`${base}/first.xml`, 10, readFile, signal, { maxMs: 1 })).rejects.toThrow('took too long');
    expect(opened).toEqual([`${base}/first.xml`]);
  });

  it.each([
    ['an HTML page', '<!DOCTYPE html>\n<html><body><h1>We are back soon</h1></body></html>'],
    ['a part of one', '<h1>We are back soon</h1>'],
    ['a sentence', 'We are back soon.'],
    ['an error', '{"error": "unavailable"}'],
    ['nothing', ''],
  ])('rejects %s that is sent instead', async (_, sent) => {
    await expect(pagesOf({ '/sitemap.xml': sent })).rejects.toThrow(`${base}/sitemap.xml: it is not a sitemap`);
  });

  it.each([
    ['/feed.xml', '<?xml version="1.0"?><rss version="2.0"><channel><item><link>/crane</link></item></channel></rss>'],
    ['/atom.xml', '<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>A crane</title></entry></feed>'],
    ['/book.txt', `Chapter one\n\nIt was late.\n\n${base}/a\n`],
    ['/llms.txt', `# Cranes\n\n> About cranes.\n\n- [Manual](${base}/manual.md): how to use them\n`],
  ])('is the file itself where %s is a feed or a text', async (path, content) => {
    expect(await pagesOf({ [path]: content })).toEqual([base + path]);
  });

  it('reads the other files of an index, and names those that cannot be read or are no sitemaps', async () => {
    const index = ['/gone.xml', '/page.xml', '/feed.xml', '/a.xml'].map(
      (path) => `<sitemap><loc>${path}</loc></sitemap>`,
    );
    const files = {
      '/sitemap.xml': `<sitemapindex>${index.join('')}</sitemapindex>`,
      '/page.xml': '<html><body>Sign in</body></html>',
      '/feed.xml': '<rss></rss>',
      '/a.xml': urlset('<url><loc>/a</loc></url>'),
    };
    const unread: string[] = [];
    expect(await pagesOf(files, 10, (file, reason) => unread.push(`${file}: ${reason}`))).toEqual([`${base}/a`]);
    expect(unread).toEqual([
      `${base}/gone.xml: it answered 404`,
      `${base}/page.xml: it is not a sitemap`,
      `${base}/feed.xml: it is not a sitemap`,
    ]);
  });

  it("names the file that cannot be read, and rejects with the signal's reason once it fires", async () => {
    const gone = listPages(`${base}/gone.xml`, 10, () => Promise.reject(new Error('it answered 404')), signal);
    await expect(gone).rejects.toThrow(`${base}/gone.xml: it answered 404`);
    const reason = new Error('stopped');
    const stopped = listPages(`${base}/a.xml`, 10, (_, use) => use(Buffer.from(urlset(''))), AbortSignal.abort(reason));
    await expect(stopped).rejects.toBe(reason);
  });

  it.each(['<url><loc>/p</loc></url>', '<a/>', 'x & y '])(
    'lets the event loop run while a large file of nothing but %s is parsed, and ends when it is aborted meanwhile',
    async (unit) => {
      const file = Buffer.from(urlset(unit.repeat((16 * 1024 * 1024) / unit.length)));
      let turns = 0;
      let isParsing = true;
      const turn = () => {
        turns += 1;
        if (isParsing) setImmediate(turn);
      };
      setImmediate(turn);
      await listPages(`${base}/a.xml`, 50_000, (_, use) => use(file), signal);
      isParsing = false;
      expect(turns).toBeGreaterThan(2);
      const stop = new AbortController();
      const reason = new Error('stopped');
      const stopped = listPages(`${base}/a.xml`, 50_000, (_, use) => use(file), stop.signal);
      setImmediate(() => stop.abort(reason));
      await expect(stopped).rejects.toBe(reason);
    },
  );

  it('reads no further than 50,000 addresses of a file, distinct or not', async () => {
    const times = (n: number) => '<url><loc>/same</loc></url>'.repeat(n);
    const last = '<url><loc>/last</loc></url>';
    expect(await pagesOf({ '/a.xml': urlset(times(49_999) + last) })).toEqual([`${base}/same`, `${base}/last`]);
    expect(await pagesOf({ '/a.xml': urlset(times(50_000) + last) })).toEqual([`${base}/same`]);
    const list = [...Array(50_000).fill(`${base}/same`), `${base}/last`].join('\n');
    expect(await pagesOf({ '/a.txt': list })).toEqual([`${base}/same`]);
  });

  it('counts the time to parse a file as that of reading it', async () => {
    const inner = `${'<a/>'.repeat(500_000)}<sitemap><loc>/next.xml</loc></sitemap>`;
    const index = Buffer.from(`<sitemapindex>${inner}</sitemapindex>`);
    const opened: string[] = [];
    const readFile: ReadFile = async (url, use) => {
      opened.push(url);
      return use(index);
    };
    await expect(listPages(`${base}/first.xml`, 10, readFile, signal, { maxMs: 1 })).rejects.toThrow('took too long');
    expect(opened).toEqual([`${base}/first.xml`]);
  });
});
