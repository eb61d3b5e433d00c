import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everySource } from '../../protocol/source-rules.ts';
import { snapshotId } from '../../src/base/snapshot-id.ts';
import { type OpenCorpus, openCorpus } from '../../src/corpus/corpus.ts';
import type { IngestReader } from '../../src/corpus/ingest/index-page.ts';
import { listPages } from '../../src/web/sitemap.ts';

const folder = mkdtempSync(join(tmpdir(), 'citewire-web-'));
const signal = new AbortController().signal;
const pages = new Map<string, string | Buffer>();
let server: Server;
let corpus: OpenCorpus;
let base: string;
let open = 0;
let mostOpen = 0;

/** Over real sockets, with none of the guard that the server's own reader has. */
const reader: IngestReader = {
  async read(url) {
    const text = new TextDecoder().decode(await download(url));
    return { id: snapshotId(url, text), url, title: url.slice(base.length), text };
  },
  listPages: (url, maxPages, _, onUnread, onCut) =>
    listPages(url, maxPages, async (file, use) => use(await download(file)), signal, { onUnread, onCut }),
  crawlDelay: async () => 0,
};
async function download(url: string): Promise<Uint8Array> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`it answered ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
const urlset = (paths: readonly string[]) =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${paths
    .map((path) => `<url><loc> ${base}${path} </loc></url>`)
    .join('')}</urlset>`;
const titles = async (text: string) =>
  (await corpus.search({ text, limit: 20, rules: everySource }, signal)).map(({ title }) => title).sort();

beforeAll(async () => {
  server = createServer((request, response) => {
    const body = pages.get(request.url ?? '');
    open++;
    mostOpen = Math.max(mostOpen, open);
    setTimeout(() => {
      open--;
      response.writeHead(body === undefined ? 404 : 200).end(body);
    }, 5);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  corpus = await openCorpus({ file: join(folder, 'index.db') });
});

afterAll(async () => {
  await corpus.close();
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  rmSync(folder, { recursive: true });
});

describe('indexing the web', () => {
  it('removes no page of a sitemap of which only the beginning is read', async () => {
    for (const name of ['oriole', 'osprey', 'ouzel']) pages.set(`/${name}`, `The ${name} is a bird.`);
    pages.set('/birds.xml', urlset(['/oriole', '/osprey', '/ouzel']));
    const source = { kind: 'url', url: `${base}/birds.xml` } as const;
    expect(await corpus.index(source, { reader })).toMatchObject({ added: 3 });
    expect(await corpus.index(source, { reader, maxPages: 2 })).toMatchObject({ unchanged: 2, removed: 0 });
    expect(await corpus.index(source, { reader, maxPages: 3 })).toMatchObject({ unchanged: 3, removed: 0 });
    pages.set('/birds.xml', urlset(['/oriole', '/osprey']));
    expect(await corpus.index(source, { reader, maxPages: 2 })).toMatchObject({ unchanged: 2, removed: 1 });
    await corpus.forget(`url:${source.url}`);
    for (const name of ['oriole', 'osprey', 'ouzel', 'birds.xml']) pages.delete(`/${name}`);
  });

  it('reads an index of compressed and plain sitemaps over two connections per host, and reports what failed', async () => {
    for (let n = 0; n < 20; n++) pages.set(`/p${n}`, `An ocelot, seen for the ${n}th time.`);
    const paths = [...pages.keys()];
    pages.set('/a.xml.gz', gzipSync(urlset([...paths.slice(0, 12), '/gone?a=1&amp;b=2'])));
    pages.set(
      '/b.txt',
      `${paths
        .slice(10)
        .map((path) => `${base}${path}`)
        .join('\n')}\nfile:///etc/passwd\n`,
    );
    pages.set(
      '/sitemap.xml',
      `<sitemapindex><sitemap><loc>${base}/a.xml.gz</loc></sitemap>
      <sitemap><loc><![CDATA[${base}/b.txt]]></loc></sitemap><sitemap><loc>/sitemap.xml</loc></sitemap></sitemapindex>`,
    );
    const report = await corpus.index({ kind: 'url', url: `${base}/sitemap.xml` }, { reader });
    expect(report).toMatchObject({ done: 21, total: 21, added: 20 });
    expect(report.failed).toEqual([{ source: `${base}/gone?a=1&b=2`, reason: 'it answered 404' }]);
    expect(mostOpen).toBe(2);
    expect(await titles('ocelot')).toHaveLength(20);
  });

  it('updates a changed page, keeps one that cannot be read now, and forgets one that is no longer listed', async () => {
    const list = (paths: readonly string[]) => pages.set('/list.xml', urlset(paths));
    for (const name of ['/one', '/two', '/three']) pages.set(name, `The axolotl ${name.slice(1)}.`);
    list(['/one', '/two', '/three']);
    const source = { kind: 'url', url: `${base}/list.xml` } as const;
    expect(await corpus.index(source, { reader })).toMatchObject({ added: 3 });
    pages.set('/one', 'The axolotl regrows its limbs.');
    pages.delete('/two');
    list(['/one', '/two']);
    const report = await corpus.index(source, { reader });
    expect(report).toMatchObject({ added: 0, updated: 1, unchanged: 0, removed: 1 });
    expect(report.failed).toHaveLength(1);
    expect(await titles('axolotl')).toEqual(['/one', '/two']);
    expect(await titles('limbs')).toEqual(['/one']);
  });

  it('keeps the pages of a sitemap that is a page, empty, or lacks a part this time', async () => {
    for (const name of ['/dugong', '/manatee']) pages.set(name, `A sirenian: ${name.slice(1)}.`);
    const all = urlset(['/dugong', '/manatee']);
    pages.set('/sea.xml', all);
    const source = { kind: 'url', url: `${base}/sea.xml` } as const;
    expect(await corpus.index(source, { reader })).toMatchObject({ added: 2 });
    pages.set('/sea.xml', '<!doctype html><html><body>We are back soon.</body></html>');
    await expect(corpus.index(source, { reader })).rejects.toThrow('/sea.xml: it is not a sitemap');
    pages.set('/sea.xml', urlset([]));
    await expect(corpus.index(source, { reader })).rejects.toThrow('it is empty; its pages are kept');
    expect((await corpus.storedSources()).find(({ name }) => name === source.url)).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('are kept'),
      pages: 2,
    });
    const parts = ['/rivers.xml', '/away.xml'].map((path) => `<sitemap><loc>${path}</loc></sitemap>`).join('');
    pages.set('/sea.xml', `<sitemapindex>${parts}</sitemapindex>`);
    pages.set('/rivers.xml', urlset(['/manatee']));
    const report = await corpus.index(source, { reader });
    expect(report).toMatchObject({ done: 2, total: 2, unchanged: 1, removed: 0 });
    expect(report.failed).toEqual([{ source: `${base}/away.xml`, reason: 'it answered 404' }]);
    expect(await titles('sirenian')).toEqual(['/dugong', '/manatee']);
  });

  it('indexes a feed or a text whose name is that of a list, without forgetting what a list had before', async () => {
    pages.set('/feed.xml', '<rss><channel><title>The narwhal feed</title></channel></rss>');
    pages.set('/book.txt', 'The narwhal book.\n\nIt has a tusk.\n');
    for (const path of ['/feed.xml', '/book.txt'])
      expect(await corpus.index({ kind: 'url', url: base + path }, { reader })).toMatchObject({ added: 1, total: 1 });
    expect(await titles('narwhal')).toEqual(['/book.txt', '/feed.xml']);
    pages.set('/tusk', 'A tusk alone.');
    pages.set('/tusks.txt', `${base}/tusk\n`);
    const list = { kind: 'url', url: `${base}/tusks.txt` } as const;
    expect(await corpus.index(list, { reader })).toMatchObject({ added: 1 });
    pages.set('/tusks.txt', 'Out of order.');
    expect(await corpus.index(list, { reader })).toMatchObject({ added: 1, removed: 0 });
  });

  it('keeps apart pages with different texts that declare one canonical URL, and takes those with one text as one', async () => {
    const texts: Record<string, string> = {
      '/list?sort=a': 'The gharial basks.',
      '/list': 'The gharial swims.',
      '/list?from=mail': 'The gharial swims.',
      '/old?id=1': 'The gharial hunts.',
      '/old?id=2': 'The gharial sleeps.',
    };
    const keys = Object.keys(texts).map((path) => base + path);
    const bare = (url: string) => url.replace(/\?.*/, '');
    const canonical: IngestReader = {
      ...reader,
      listPages: async () => keys,
      async read(url) {
        const text = texts[url.slice(base.length)]!;
        return { id: snapshotId(bare(url), text), url: bare(url), title: url.slice(base.length), text };
      },
    };
    const source = { kind: 'url', url: `${base}/canonical.xml` } as const;
    const found = async () =>
      (await corpus.search({ text: 'gharial', limit: 20, rules: everySource }, signal))
        .map(({ url, text }) => `${url.slice(base.length)}: ${text}`)
        .sort();
    const expected = [
      '/list: The gharial swims.',
      '/list?sort=a: The gharial basks.',
      '/old: The gharial hunts.',
      '/old?id=2: The gharial sleeps.',
    ];
    expect(await corpus.index(source, { reader: canonical })).toMatchObject({ done: 5, total: 5, added: 5 });
    expect(await found()).toEqual(expected);
    expect(await corpus.index(source, { reader: canonical })).toMatchObject({ unchanged: 5 });
    for (const path of ['/list', '/list?from=mail']) texts[path] = 'The gharial dives.';
    expect(await corpus.index(source, { reader: canonical })).toMatchObject({ updated: 2, unchanged: 3 });
    expect(await found()).toEqual(expected.map((line) => line.replace('swims', 'dives')));
    await corpus.forget(`url:${source.url}`);
  });

  it('names pages without text as failed, and those that were cut', async () => {
    const readAs = (text: string, how: object): IngestReader => ({
      ...reader,
      read: async (url) => ({ id: snapshotId(url, text), url, title: 'A page', text, ...how }),
    });
    const source = { kind: 'url', url: `${base}/shell` } as const;
    const failed = async (how: object) =>
      (await corpus.index(source, { reader: readAs(' \n', how) })).failed.map(({ reason }) => reason);
    expect(await failed({ extractor: 'html' })).toEqual(['it has no text; it may be drawn by scripts']);
    expect(await failed({ extractor: 'pdf' })).toEqual(['it has no text; it may be scanned']);
    expect(await failed({ extractor: 'text' })).toEqual(['it has no text']);
    const long = await corpus.index(source, { reader: readAs('A long page.', { truncated: true }) });
    expect(long).toMatchObject({ added: 1, truncated: [source.url] });
  });

  it('indexes a single page, and rejects an unreachable sitemap, an invalid URL and a missing reader', async () => {
    pages.set('/alone', 'A pangolin alone.');
    expect(await corpus.index({ kind: 'url', url: `${base}/alone` }, { reader })).toMatchObject({ added: 1 });
    expect(await titles('pangolin')).toEqual(['/alone']);
    await expect(corpus.index({ kind: 'url', url: `${base}/absent.xml` }, { reader })).rejects.toThrow('404');
    await expect(corpus.index({ kind: 'url', url: 'nonsense' }, { reader })).rejects.toThrow();
    await expect(corpus.index({ kind: 'url', url: `${base}/alone` })).rejects.toThrow('no web reader is configured');
  });

  it('refuses a sitemap that unpacks to more than fifty megabytes', async () => {
    pages.set('/bomb.xml.gz', gzipSync(Buffer.alloc(60 * 1024 * 1024, 'x')));
    await expect(corpus.index({ kind: 'url', url: `${base}/bomb.xml.gz` }, { reader })).rejects.toThrow();
  });
});
