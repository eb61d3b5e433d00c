/** What all search providers have in common, and the requests of each, over real sockets. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { everySource, sourceRules } from '../../protocol/index.ts';
import type { WebQuery } from '../../src/engine/ports/web.ts';
import { createTrustedFetch, type TrustedFetch } from '../../src/web/fetch/trusted-fetch.ts';
import { brave } from '../../src/web/providers/brave.ts';
import { HttpSearch, httpSearch } from '../../src/web/providers/custom.ts';
import { mediawiki } from '../../src/web/providers/mediawiki.ts';
import { createSearchProvider, type ProviderAdapter } from '../../src/web/providers/provider.ts';
import { searxng } from '../../src/web/providers/searxng.ts';
import { tavily } from '../../src/web/providers/tavily.ts';
import { type Engine, startWebServer, type WebServer } from '../support/servers/web-server.ts';

let web: WebServer;
let trusted: TrustedFetch;
beforeEach(async () => {
  web = await startWebServer({ '/a': '<p>a</p>', '/b': '<p>b</p>' });
  trusted = createTrustedFetch();
});
afterEach(async () => {
  await trusted.close();
  await web.close();
});

const key = 'a-secret-key';
const adapters: Record<Engine, () => ProviderAdapter> = {
  searxng: () => searxng(web.url),
  brave: () => brave({ key, baseUrl: web.url }),
  tavily: () => tavily({ key, baseUrl: web.url }),
  mediawiki: () => mediawiki(web.url),
};
const engines = Object.keys(adapters) as Engine[];
const query: WebQuery = { text: 'Who designed the lighthouse?', limit: 10, rules: everySource };
const { signal } = new AbortController();

const open = (engine: Engine, options = {}) =>
  createSearchProvider(adapters[engine](), { fetch: trusted.fetch, timeoutMs: 200, ...options });

describe.each(engines)('the provider %s', (engine) => {
  it('returns the pages that a provider finds', async () => {
    const hits = await open(engine).search(query, signal);
    expect(hits.map(({ url }) => url)).toEqual([`${web.url}/a`, `${web.url}/b`]);
    expect(hits[0]!.snippet).toMatch(/^from (SearXNG|Brave|Tavily|a wiki)$/);
  });

  it('returns no page that the source rules exclude, and no more than the limit', async () => {
    const rules = sourceRules({ source_blacklist: ['127.0.0.1/a'] });
    expect((await open(engine).search({ ...query, rules }, signal)).map(({ url }) => url)).toEqual([`${web.url}/b`]);
    expect((await open(engine).search({ ...query, limit: 1 }, signal)).length).toBe(1);
  });

  it.each(['error', 'limited', 'garbage', 'stall'] as const)(
    'fails with one sentence without the API key when the service has %s',
    async (trouble) => {
      web.trouble[engine] = trouble;
      const failure = await open(engine)
        .search(query, signal)
        .catch((error: unknown) => error);
      expect(failure).toMatchObject({ name: 'ProviderError' });
      expect((failure as Error).message).not.toContain(key);
      expect((failure as Error).message).toMatch(/\.$/);
    },
  );

  it('pauses a provider after three failures', async () => {
    web.trouble[engine] = 'error';
    const provider = open(engine);
    for (let i = 0; i < 6; i += 1) await provider.search(query, signal).catch(() => {});
    expect(web.requests.length).toBe(3);
    await expect(provider.search(query, signal)).rejects.toThrow(/is not called for/);
  });

  it('pauses a provider for as long as its Retry-After says', async () => {
    web.trouble[engine] = 'limited';
    const provider = open(engine);
    await provider.search(query, signal).catch(() => {});
    delete web.trouble[engine];
    await expect(provider.search(query, signal)).rejects.toThrow(/is not called for (59|60) s/);
    expect(web.requests.length).toBe(1);
  });

  it('sends a provider no more requests than its quota', async () => {
    const provider = open(engine, { perMinute: 2 });
    const calls = await Promise.allSettled([1, 2, 3, 4].map(() => provider.search(query, signal)));
    expect(calls.filter(({ status }) => status === 'fulfilled').length).toBe(2);
    expect(web.requests.length).toBe(2);
  });

  it('stops a request to a provider when the signal is aborted', async () => {
    web.trouble[engine] = 'stall';
    const stop = new AbortController();
    const search = open(engine, { timeoutMs: 60_000 }).search(query, stop.signal);
    while (web.requests.length === 0) await new Promise(setImmediate);
    stop.abort(new Error('enough'));
    await expect(search).rejects.toThrow('enough');
  });
});

describe('a provider that nobody configured', () => {
  it('probes an optional provider in the background, and uses it once it has answered', async () => {
    const provider = open('mediawiki', { optional: true });
    expect(provider.ready?.()).toBe(false);
    while (!provider.ready?.()) await new Promise(setImmediate);
    expect((await provider.search(query, signal)).length).toBe(2);
  });

  it('does not probe an unreachable optional provider again for a while', async () => {
    web.trouble.mediawiki = 'error';
    const provider = open('mediawiki', { optional: true });
    expect(provider.ready?.()).toBe(false);
    while (web.requests.length === 0) await new Promise(setImmediate);
    await new Promise((resolve) => setTimeout(resolve, 20));
    for (let i = 0; i < 5; i += 1) expect(provider.ready?.()).toBe(false);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(web.requests.length).toBe(1);
  });
});

describe('what providers are sent', () => {
  it('sends source lists, timeframe and language in the parameters of each provider', async () => {
    const rules = sourceRules({ source_whitelist: ['who.int', 'example.org/docs'] });
    const asked = { ...query, rules, from: '2024-01-01', to: '2024-06-30', language: 'de' };
    await Promise.all((['searxng', 'brave', 'tavily'] as const).map((engine) => open(engine).search(asked, signal)));
    const [ofSearxng] = web.asked('/search').filter(({ query: { size } }) => size > 0);
    expect(ofSearxng!.query.get('q')).toContain('(site:who.int OR site:example.org/docs)');
    expect(ofSearxng!.query.get('language')).toBe('de');
    const [ofBrave] = web.asked('/res/v1/web/search');
    expect(ofBrave!.query.get('freshness')).toBe('2024-01-01to2024-06-30');
    expect(ofBrave!.headers['x-subscription-token']).toBe(key);
    const ofTavily = web.asked('/search').find(({ body }) => body !== '')!;
    expect(JSON.parse(ofTavily.body)).toMatchObject({
      include_domains: ['who.int', 'example.org'],
      end_date: '2024-06-30',
    });
  });

  it('sends a wiki nothing when the whitelist excludes it, and otherwise its own user agent', async () => {
    const rules = sourceRules({ source_whitelist: ['who.int'] });
    expect(await open('mediawiki').search({ ...query, rules }, signal)).toEqual([]);
    expect(web.requests.length).toBe(0);
    await open('mediawiki').search(query, signal);
    expect(web.requests[0]!.headers['user-agent']).toMatch(/^Citewire\//);
    expect(web.requests[0]!.query.get('srsearch')).toBe('designed lighthouse');
  });

  it('sends a wiki one request at a time', async () => {
    let open_ = 0;
    let most = 0;
    const counting = (async (...args: Parameters<typeof fetch>) => {
      open_ += 1;
      most = Math.max(most, open_);
      const answer = await trusted.fetch(...args);
      open_ -= 1;
      return answer;
    }) as typeof fetch;
    const provider = createSearchProvider(adapters.mediawiki(), { fetch: counting });
    await Promise.all([1, 2, 3].map(() => provider.search(query, signal)));
    expect(most).toBe(1);
  });

  it('treats a SearXNG response without results whose engines failed as a failure', async () => {
    web.trouble.searxng = 'empty';
    await expect(open('searxng').search(query, signal)).rejects.toThrow('none of its engines answered');
  });

  it('calls a custom API by its description', async () => {
    const description = {
      url: `${web.url}/find?q={query}&n={limit}`,
      headers: { 'x-key': key },
      results: 'data.items',
      fields: { url: 'link', title: 'meta.name' },
    };
    web.pages.set('/find', {
      type: 'application/json',
      body: JSON.stringify({ data: { items: [{ link: 'https://a.example/', meta: { name: 'A' } }, { link: 7 }] } }),
    });
    const provider = createSearchProvider(httpSearch(HttpSearch.parse(description)), { fetch: trusted.fetch });
    expect(await provider.search(query, signal)).toEqual([{ url: 'https://a.example/', title: 'A', snippet: '' }]);
    expect(web.requests[0]!.query.get('q')).toBe(query.text);
    expect(web.requests[0]!.headers['x-key']).toBe(key);
  });

  it('sends ill-formed text to a custom API as well-formed text, and does not pause the API for it', async () => {
    web.pages.set('/find', { type: 'application/json', body: '{"results": []}' });
    const description = { url: `${web.url}/find?q={query}` };
    const provider = createSearchProvider(httpSearch(HttpSearch.parse(description)), { fetch: trusted.fetch });
    for (let n = 0; n < 4; n++) await provider.search({ ...query, text: `half a letter \ud83d ${n}` }, signal);
    expect(web.requests[0]!.query.get('q')).toBe('half a letter \ufffd 0');
  });
});

describe('the fetch for configured endpoints', () => {
  it('does not follow a redirect from a configured endpoint, which would forward the key', async () => {
    web.pages.set('/res/v1/web/search', { body: '' });
    const redirecting = await startWebServer({
      '/x': { body: '', status: 302, headers: { location: `${web.url}/a` } },
    });
    const answer = await trusted.fetch(`${redirecting.url}/x`, { headers: { authorization: key } });
    await redirecting.close();
    expect(answer.status).toBe(302);
    expect(web.requests.length).toBe(0);
  });
});
