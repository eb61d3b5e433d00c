/**
 * Readers of several processes over one page cache: each has an opened corpus of its own, with threads and connections of its own.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type OpenCorpus, openCorpus } from '../../src/corpus/corpus.ts';
import { createReader } from '../../src/web/reader.ts';
import { cachedPage } from '../support/cached-page.ts';
import { createDeferred } from '../support/deferred.ts';
import { hasPostgres, openPostgresServer, type TestPostgres } from '../support/servers/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { serveSite } from '../web/serve.ts';

type Bounds = { readonly maxBytes?: number };
const folder = temporaryFolder();
let files = 0;

sharedReading('a file', () => {
  files += 1;
  const file = join(folder, `${files}`, 'index.db');
  return async (bounds) => openCorpus({ file, bounds });
});

describe.skipIf(!hasPostgres)('over a real Postgres', () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await openPostgresServer();
  });
  afterAll(() => server?.stop());

  sharedReading('Postgres', () => {
    const databaseUrl = server.fresh();
    return async (bounds) => openCorpus({ file: '/nowhere', databaseUrl: await databaseUrl, bounds });
  });
});

/** `place` returns how a process opens the one corpus. */
function sharedReading(name: string, place: () => (bounds: Bounds) => Promise<OpenCorpus>): void {
  describe(`pages that processes share in ${name}`, () => {
    const closers: (() => Promise<void>)[] = [];
    afterEach(async () => {
      for (const close of closers.splice(0).reverse()) await close();
    });
    const openAll = async (count: number, bounds: Bounds = {}) => {
      const open = place();
      const corpora = [await open(bounds)];
      while (corpora.length < count) corpora.push(await open(bounds));
      closers.push(async () => void (await Promise.all(corpora.map((corpus) => corpus.close()))));
      return corpora;
    };
    const readersOf = (corpora: readonly OpenCorpus[], port: number) => {
      const readers = corpora.map(({ pageCache }) =>
        createReader({ allowHosts: [`127.0.0.1:${port}`], cache: pageCache }),
      );
      closers.push(async () => void (await Promise.all(readers.map((reader) => reader.close()))));
      return readers;
    };
    const serve = async (answer: (request: number) => { status: number; afterMs: number }) => {
      const requests: string[] = [];
      const site = await serveSite(async ({ url = '' }, response) => {
        requests.push(url);
        const { status, afterMs } = answer(requests.length);
        await sleep(afterMs);
        response.writeHead(status, { 'content-type': 'text/plain' }).end(`The page at ${url} is about tides.`);
      });
      closers.push(() => site.close());
      return { site, requests };
    };
    const signal = () => AbortSignal.timeout(40_000);

    it('reads a page once for all that ask for it meanwhile, also those that want it new', async () => {
      const { site, requests } = await serve(() => ({ status: 200, afterMs: 700 }));
      const readers = readersOf(await openAll(3), site.port);
      const url = `${site.base}/tides`;
      const pages = await Promise.all(
        readers.map((reader, at) => reader.read(url, at === 0 ? {} : { maxAgeMs: 0 }, signal())),
      );
      expect(requests).toEqual(['/tides']);
      expect(new Set(pages.map(({ snapshot }) => snapshot.id)).size).toBe(1);
      expect(pages.filter(({ info }) => !info.from_cache)).toHaveLength(1);
    });

    it('reads different pages simultaneously', async () => {
      let arrived = 0;
      const both = createDeferred();
      const site = await serveSite(async ({ url }, response) => {
        arrived += 1;
        if (arrived === 2) both.resolve();
        await both.promise;
        response.writeHead(200, { 'content-type': 'text/plain' }).end(`The page at ${url}.`);
      });
      closers.push(() => site.close());
      const readers = readersOf(await openAll(2), site.port);
      await Promise.all(readers.map((reader, at) => reader.read(`${site.base}/${at}`, {}, signal())));
      expect(arrived).toBe(2);
    });

    it('lets the next one try when a read has failed', async () => {
      const { site, requests } = await serve((request) => ({ status: request === 1 ? 404 : 200, afterMs: 300 }));
      const readers = readersOf(await openAll(2), site.port);
      const outcomes = await Promise.allSettled(
        readers.map((reader) => reader.read(`${site.base}/late`, {}, signal())),
      );
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(requests).toHaveLength(2);
    });

    it('takes over the claim of a process that has died', async () => {
      const [dying, living] = (await openAll(2)) as [OpenCorpus, OpenCorpus];
      const url = 'http://a.example/';
      expect(await dying.pageCache.claim(url)).toBeTypeOf('function');
      expect(await living.pageCache.claim(url)).toBe('taken');
      await dying.close();
      const end = async () => living.pageCache.claim(url);
      await expect.poll(end, { interval: 200 }).toBeTypeOf('function');
    });

    it('bounds what all of them keep together', async () => {
      const corpora = await openAll(2, { maxBytes: 3 * 205_000 });
      const urls = Array.from({ length: 6 }, (_, n) => `http://${n}.example/`);
      for (const [n, url] of urls.entries())
        await corpora[n % 2]!.pageCache.put(url, cachedPage(url, `${url} ${'x'.repeat(200_000)}`));
      const kept = await Promise.all(urls.map(async (url) => (await corpora[0]!.pageCache.get(url)) !== undefined));
      expect(kept).toEqual([false, false, false, true, true, true]);
    });
  });
}
