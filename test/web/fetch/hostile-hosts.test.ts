/**
 * No address that is not public is ever opened, however it is written, resolved or redirected to. A server listens on
 * loopback all the while, on the port every attempt names, and counts the connections that reach it: none.
 */
import type { LookupFunction } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseSourceRule } from '../../../protocol/source-rules.ts';
import { isPublicAddress } from '../../../src/base/addresses.ts';
import { createFetcher, type Fetcher } from '../../../src/web/fetch/fetch.ts';
import { PageError } from '../../../src/web/page-error.ts';
import { createReader, type Reader } from '../../../src/web/reader.ts';
import { serveSite, type TestSite } from '../serve.ts';
import { hostileHosts as hosts } from './hostile-hosts.ts';

/** A resolver that an attacker controls: each name has a list of answers, one per query. */
const answers: Record<string, string[][]> = {
  'private.test': [['10.0.0.5']],
  'loopback.test': [['127.0.0.1']],
  'mixed.test': [['93.184.215.14', '127.0.0.1']],
  'mapped.test': [['::ffff:127.0.0.1']],
  'rebind.test': [['93.184.215.14'], ['127.0.0.1']],
  'empty.test': [[]],
};

function attackersLookup(): LookupFunction {
  const asked = new Map<string, number>();
  return (hostname, options, callback) => {
    const turn = asked.get(hostname) ?? 0;
    asked.set(hostname, turn + 1);
    const list = answers[hostname] ?? [];
    const found = (list[Math.min(turn, list.length - 1)] ?? []).map((address) => ({
      address,
      family: address.includes(':') ? 6 : 4,
    }));
    if (options.all) callback(null, found);
    else callback(null, found[0]?.address ?? '', found[0]?.family ?? 0);
  };
}

let site: TestSite;
let reader: Reader;
let fetcher: Fetcher;
const signal = AbortSignal.timeout(60_000);
const never = { kind: 'resolved' } as const;

beforeAll(async () => {
  site = await serveSite((_, response) => response.end('reached'));
  reader = createReader({ lookup: attackersLookup(), timeouts: { connectMs: 300, totalMs: 2_000 } });
  fetcher = createFetcher();
});

afterAll(async () => {
  await Promise.all([reader.close(), fetcher.close(), site.close()]);
});

async function failureOf(work: Promise<unknown>): Promise<PageError | typeof never> {
  return work.then(
    () => never,
    (error) => {
      if (error instanceof PageError) return error;
      throw error;
    },
  );
}

describe('hosts that are not public', () => {
  it('refuses hosts that are not public in every notation, on the allowed ports and on the listening one', async () => {
    expect(hosts.length).toBeGreaterThanOrEqual(60);
    for (const host of hosts) {
      for (const url of [`http://${host}/`, `https://${host}/`, `http://${host}:${site.port}/`]) {
        const failure = await failureOf(fetcher.fetch({ url }, signal));
        expect(failure, url).toMatchObject({
          name: 'PageError',
          code: expect.stringMatching(/^(blocked_address|dns_error)$/),
        });
      }
    }
    expect(site.connections()).toBe(0);
  });

  it('refuses URLs with user names, other ports or schemes, and invalid URLs', async () => {
    const urls = [
      `http://example.com@127.0.0.1:${site.port}/`,
      'http://user:password@example.com/',
      'http://example.com:22/',
      'https://example.com:6379/',
      `file:///etc/passwd`,
      'ftp://127.0.0.1/',
      'gopher://127.0.0.1:70/',
      'data:text/html,hello',
      'javascript:1',
      'http://',
      'http:///etc',
      'not a url',
      'http://[::1',
      'http://127.0.0.1:99999/',
    ];
    for (const url of urls) {
      expect(await failureOf(reader.read(url, {}, signal)), url).toMatchObject({ name: 'PageError' });
    }
    expect(site.connections()).toBe(0);
  });

  it('refuses a name that resolves to addresses that are not public: all, some, mapped, or only the second time', async () => {
    for (const name of Object.keys(answers)) {
      for (let turn = 0; turn < 3; turn += 1) {
        const failure = await failureOf(reader.read(`http://${name}/`, { maxAgeMs: 0 }, signal));
        expect(failure, name).toMatchObject({
          name: 'PageError',
          code: expect.stringMatching(/^(blocked_address|dns_error|unreachable|timeout)$/),
        });
      }
    }
    expect(site.connections()).toBe(0);
  });

  it('refuses a redirect from an allowed host to one that is not public', async () => {
    const inner = await serveSite((_, response) => response.end('private'));
    const targets = [...hosts.slice(0, 12), '[::1]', '[::ffff:127.0.0.1]', 'localhost', 'example.com@127.0.0.1'].map(
      (host) => `http://${host}:${inner.port}/`,
    );
    const outer = await serveSite((request, response) => {
      const [hops, at] = request.url!.slice(1).split('-').map(Number) as [number, number];
      const next = hops > 0 ? `/${hops - 1}-${at}` : targets[at]!;
      response.writeHead([301, 302, 303, 307, 308][at % 5]!, { location: next }).end();
    });
    const allowing = createFetcher({ allowHosts: [`127.0.0.1:${outer.port}`] });
    for (const at of targets.keys()) {
      for (const hops of [0, 2]) {
        const failure = await failureOf(allowing.fetch({ url: `${outer.base}/${hops}-${at}` }, signal));
        expect(failure, targets[at]).toMatchObject({ code: 'blocked_address' });
      }
    }
    expect(inner.connections()).toBe(0);
    await Promise.all([allowing.close(), outer.close(), inner.close()]);
  });

  it('refuses images and sitemaps on hosts that are not public, like pages', async () => {
    for (const host of hosts) {
      const failure = await failureOf(reader.readBytes(`http://${host}:${site.port}/image.png`, {}, signal));
      expect(failure, host).toMatchObject({ code: 'blocked_address' });
    }
    expect(site.connections()).toBe(0);
  });
});

describe('the list of allowed hosts', () => {
  it('opens an allowed host only at its port', async () => {
    const other = await serveSite((_, response) => response.end('other'));
    const allowing = createFetcher({ allowHosts: [`127.0.0.1:${site.port}`] });
    expect((await allowing.fetch({ url: `${site.base}/` }, signal)).body.toString()).toBe('reached');
    expect(await failureOf(allowing.fetch({ url: `${other.base}/` }, signal))).toMatchObject({
      code: 'blocked_address',
    });
    expect(await failureOf(allowing.fetch({ url: `http://localhost:${site.port}/` }, signal))).toMatchObject({
      code: 'blocked_address',
    });
    expect(other.connections()).toBe(0);
    await Promise.all([allowing.close(), other.close()]);
  });

  it('opens every port of a host that is allowed without a port', async () => {
    const allowing = createFetcher({ allowHosts: ['127.0.0.1'] });
    expect((await allowing.fetch({ url: `${site.base}/` }, signal)).status).toBe(200);
    await allowing.close();
  });

  it('refuses another name that resolves to an allowed address', async () => {
    const lookup: LookupFunction = (_, options, callback) =>
      options.all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4);
    const allowing = createFetcher({ allowHosts: [`127.0.0.1:${site.port}`], lookup });
    expect(await failureOf(allowing.fetch({ url: 'http://attacker.test/' }, signal))).toMatchObject({
      code: 'blocked_address',
    });
    await allowing.close();
  });
});

describe('source lists', () => {
  it('checks source lists at every hop of a redirect, before connecting', async () => {
    const never = await serveSite((_, response) => response.end('left out'));
    const outer = await serveSite((_, response) =>
      response.writeHead(302, { location: `http://localhost:${never.port}/secret` }).end(),
    );
    const allowing = createReader({ allowHosts: ['127.0.0.1', 'localhost'] });
    const rules = { only: [], never: [parseSourceRule('localhost')!] };
    expect(await failureOf(allowing.read(`${outer.base}/`, { rules }, signal))).toMatchObject({
      code: 'source_denied',
    });
    expect(never.connections()).toBe(0);
    await Promise.all([allowing.close(), outer.close(), never.close()]);
  });

  it('checks source lists against the canonical URL of a page, also of a cached one', async () => {
    const html =
      '<link rel="canonical" href="/hidden/page"><p>A page that says it lives elsewhere, in the part that is left out.</p>';
    const outer = await serveSite((_, response) => response.setHeader('content-type', 'text/html').end(html));
    const allowing = createReader({ allowHosts: ['127.0.0.1'] });
    const rules = { only: [], never: [parseSourceRule('127.0.0.1/hidden')!] };
    expect((await allowing.read(`${outer.base}/a`, {}, signal)).snapshot.url).toBe(`${outer.base}/hidden/page`);
    expect(await failureOf(allowing.read(`${outer.base}/a`, { rules }, signal))).toMatchObject({
      code: 'source_denied',
    });
    await Promise.all([allowing.close(), outer.close()]);
  });
});

describe('isPublicAddress', () => {
  it('distinguishes public addresses from all others', () => {
    for (const address of [
      '1.1.1.1',
      '93.184.215.14',
      '8.8.8.8',
      '2606:4700::1111',
      '2a00:1450::8a',
      '::ffff:8.8.8.8',
    ]) {
      expect(isPublicAddress(address), address).toBe(true);
    }
    for (const address of [
      '',
      'x',
      '127.0.0.1',
      '::1',
      '::ffff:10.0.0.1',
      'fe80::1%eth0',
      '2002:808:808::',
      '64:ff9b::808:808',
      '168.63.129.16',
    ]) {
      expect(isPublicAddress(address), address).toBe(false);
    }
  });
});
