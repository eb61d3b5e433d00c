/** What all search providers have in common, and the requests of each, over real sockets. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { everySource, sourceRules } from '../../protocol/index.ts';
import { hasProvider, openProviders } from '../../src/app/parts/open-providers.ts';
import { readConfig } from '../../src/base/config.ts';
import type { WebQuery } from '../../src/engine/ports/web.ts';
import { createTrustedFetch, type TrustedFetch } from '../../src/web/fetch/trusted-fetch.ts';
import type { ProviderAdapter } from '../../src/web/providers/adapter.ts';
import { arxiv } from '../../src/web/providers/arxiv.ts';
import { brave } from '../../src/web/providers/brave.ts';
import { HttpSearch, httpSearch } from '../../src/web/providers/custom.ts';
import { exa } from '../../src/web/providers/exa.ts';
import { firecrawl } from '../../src/web/providers/firecrawl.ts';
import { github } from '../../src/web/providers/github.ts';
import { parseHitDate } from '../../src/web/providers/hit-date.ts';
import { jina } from '../../src/web/providers/jina.ts';
import { kagi } from '../../src/web/providers/kagi.ts';
import { mediawiki } from '../../src/web/providers/mediawiki.ts';
import { createPace } from '../../src/web/providers/pace.ts';
import { createSearchProvider } from '../../src/web/providers/provider.ts';
import { pubmed } from '../../src/web/providers/pubmed.ts';
import { searxng } from '../../src/web/providers/searxng.ts';
import { serper } from '../../src/web/providers/serper.ts';
import { tavily } from '../../src/web/providers/tavily.ts';
import { wikiLanguage } from '../../src/web/providers/wiki-language.ts';
import type { Engine } from '../support/servers/search-engines.ts';
import { startWebServer, type WebServer } from '../support/servers/web-server.ts';

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
  exa: () => exa({ key, baseUrl: `${web.url}/exa` }),
  firecrawl: () => firecrawl({ key, baseUrl: `${web.url}/firecrawl` }),
  jina: () => jina({ key, baseUrl: `${web.url}/jina` }),
  serper: () => serper({ key, baseUrl: `${web.url}/serper` }),
  kagi: () => kagi({ key, baseUrl: `${web.url}/kagi/` }),
  arxiv: () => arxiv({ baseUrl: `${web.url}/arxiv`, intervalMs: 0 }),
  pubmed: () => pubmed({ baseUrl: `${web.url}/pubmed`, key, intervalMs: 0 }),
  github: () => github({ baseUrl: `${web.url}/github`, token: key }),
  mediawiki: () => mediawiki(web.url),
};
/** Where the pages are that a provider finds; those of the others are on the server itself. */
const pageOf = (engine: Engine, path: '/a' | '/b') =>
  engine === 'pubmed' ? `https://pubmed.ncbi.nlm.nih.gov/${path === '/a' ? 1 : 2}/` : web.url + path;
/** Requests of one search. */
const requestsOf = (engine: Engine) => (engine === 'pubmed' ? 2 : 1);
/** These do not state dates of publication. */
const undated: readonly Engine[] = ['mediawiki', 'github'];
const engines = Object.keys(adapters) as Engine[];
const query: WebQuery = { text: 'Who designed the lighthouse?', limit: 10, rules: everySource };
const { signal } = new AbortController();

const open = (engine: Engine, options = {}) =>
  createSearchProvider(adapters[engine](), { fetch: trusted.fetch, ...options });

describe.each(engines)('the provider %s', (engine) => {
  it('returns the pages that a provider finds', async () => {
    const hits = await open(engine).search(query, signal);
    expect(hits.map(({ url }) => url)).toEqual([pageOf(engine, '/a'), pageOf(engine, '/b')]);
    expect(hits[0]!.snippet).toMatch(
      /^from (SearXNG|Brave|Tavily|… Exa|Firecrawl|Jina|Serper|Kagi|arXiv|PubMed|GitHub|a wiki)$/,
    );
  });

  it.skipIf(undated.includes(engine))(
    'returns dates of publication in ISO 8601, and leaves out invalid dates',
    async () => {
      const hit = { title: 'A', content: 'a' };
      web.found = () => [
        { ...hit, url: '/a', publishedDate: '2024-03-05' },
        { ...hit, url: '/b', publishedDate: 'page 2' },
      ];
      const hits = await open(engine).search(query, signal);
      expect(hits.map(({ published_at }) => published_at)).toEqual(['2024-03-05T00:00:00.000Z', undefined]);
    },
  );

  it('returns nothing for a response without results, and fails for one of another shape', async () => {
    web.found = () => [];
    expect(await open(engine).search(query, signal)).toEqual([]);
    const other = (async () => new Response('[{"odd": true}]')) as typeof fetch;
    const failure = open(engine, { fetch: other }).search(query, signal);
    await expect(failure).rejects.toThrow('it answered in an unexpected format.');
  });

  it('sends ill-formed and overlong text, and all rules of a long list, as a well-formed request of bounded size', async () => {
    const hosts = Array.from({ length: 60 }, (_, at) => `host-${at}.example.org/a/long/path`);
    const rules = sourceRules({ source_blacklist: hosts });
    await open(engine).search({ ...query, text: `half \ud83d${' lighthouse'.repeat(10_000)}`, rules }, signal);
    const [asked] = web.requests;
    expect(asked!.body.length + asked!.query.toString().length).toBeLessThan(8_000);
    expect(asked!.body).not.toContain('\\ud83d');
  });

  it('returns no page that the source rules exclude, and no more than the limit', async () => {
    const rules = sourceRules({
      source_blacklist: [
        pageOf(engine, '/a')
          .replace(/^https?:\/\//, '')
          .replace(/:\d+/, ''),
      ],
    });
    const hits = await open(engine).search({ ...query, rules }, signal);
    expect(hits.map(({ url }) => url)).toEqual([pageOf(engine, '/b')]);
    expect((await open(engine).search({ ...query, limit: 1 }, signal)).length).toBe(1);
  });

  it.each(['error', 'limited', 'garbage', 'stall'] as const)(
    'fails with one sentence without the API key when the service has %s',
    async (trouble) => {
      web.trouble[engine] = trouble;
      const failure = await open(engine, trouble === 'stall' ? { timeoutMs: 200 } : {})
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

  it.each([400, 422])(
    'does not pause a provider that refuses queries with %i, which says nothing of others',
    async (status) => {
      const refusing = (async () => new Response('{}', { status })) as typeof fetch;
      const provider = createSearchProvider({ ...adapters[engine](), emptyStatus: 204 }, { fetch: refusing });
      for (let n = 0; n < 4; n += 1)
        await expect(provider.search(query, signal)).rejects.toThrow(`it answered ${status}.`);
    },
  );

  it('pauses a provider for as long as its Retry-After says', async () => {
    web.trouble[engine] = 'limited';
    const provider = open(engine);
    await provider.search(query, signal).catch(() => {});
    delete web.trouble[engine];
    await expect(provider.search(query, signal)).rejects.toThrow(/is not called for (59|60) s/);
    expect(web.requests.length).toBe(1);
  });

  it('sends a provider no more searches than its quota, which is no failure of the provider', async () => {
    const provider = open(engine, { perMinute: 2 });
    const calls = await Promise.allSettled([1, 2, 3].map(() => provider.search(query, signal)));
    expect(calls.filter(({ status }) => status === 'fulfilled').length).toBe(2);
    expect(web.requests.length).toBe(2 * requestsOf(engine));
    for (let n = 0; n < 4; n += 1) await expect(provider.search(query, signal)).rejects.toThrow('its quota of 2 calls');
  });

  it('waits no longer than its search does for a provider whose last call took too long', async () => {
    const provider = open(engine, { timeoutMs: 200 });
    const late = AbortSignal.abort();
    web.trouble[engine] = 'stall';
    await expect(provider.search({ ...query, late }, signal)).rejects.toThrow('it did not answer within 0.2 s.');
    await expect(provider.search({ ...query, late }, signal)).rejects.toThrow('it did not answer in time.');
    delete web.trouble[engine];
    expect(await provider.search(query, signal)).toHaveLength(2);
    expect(await provider.search({ ...query, late }, signal)).toHaveLength(2);
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

  it('sends source lists and timeframe to the services with keys in the words of each', async () => {
    const rules = sourceRules({ source_whitelist: ['who.int'], source_blacklist: ['who.int/old', 'spam.example'] });
    const asked = { ...query, rules, from: '2024-01-31', to: '2024-06-30', language: 'de' };
    const services = ['exa', 'firecrawl', 'jina', 'serper', 'kagi'] as const;
    await Promise.all(services.map((engine) => open(engine).search(asked, signal)));
    const sent = (path: string) => web.asked(path)[0]!;
    const operators = 'site:who.int -site:who.int/old -site:spam.example';
    expect(sent('/exa/search').headers['x-api-key']).toBe(key);
    expect(JSON.parse(sent('/exa/search').body)).toMatchObject({
      query: query.text,
      numResults: 10,
      includeDomains: ['who.int'],
      excludeDomains: ['spam.example'],
      startPublishedDate: '2024-01-31T00:00:00.000Z',
      endPublishedDate: '2024-06-30T23:59:59.999Z',
    });
    expect(sent('/firecrawl/v2/search').headers.authorization).toBe(`Bearer ${key}`);
    const toFirecrawl: unknown = JSON.parse(sent('/firecrawl/v2/search').body);
    expect(toFirecrawl).toMatchObject({ includeDomains: ['who.int'], tbs: 'cdr:1,cd_min:1/31/2024,cd_max:6/30/2024' });
    expect(toFirecrawl).not.toHaveProperty('excludeDomains');
    expect(sent('/jina/').headers).toMatchObject({ authorization: `Bearer ${key}`, 'x-respond-with': 'no-content' });
    expect(sent('/jina/').query.get('q')).toBe(`${query.text} ${operators}`);
    expect(sent('/jina/').query.get('hl')).toBe('de');
    expect(sent('/serper/search').headers['x-api-key']).toBe(key);
    expect(JSON.parse(sent('/serper/search').body)).toEqual({
      q: `${query.text} ${operators}`,
      num: 10,
      hl: 'de',
      tbs: 'cdr:1,cd_min:1/31/2024,cd_max:6/30/2024',
    });
    expect(sent('/kagi/api/v1/search').headers.authorization).toBe(`Bearer ${key}`);
    expect(JSON.parse(sent('/kagi/api/v1/search').body)).toMatchObject({ filters: { after: '2024-01-31' } });
  });

  it('sends timeframe and keywords to arXiv, PubMed and GitHub in the words of each, no operators of a question among them', async () => {
    const asked = {
      ...query,
      text: 'What do (ti:dark OR cat:x) "matter" halos AND NOT galaxies do?',
      from: '2024-01-31',
    };
    for (const engine of ['arxiv', 'pubmed', 'github'] as const) await open(engine).search(asked, signal);
    const sent = (path: string) => web.asked(path)[0]!.query;
    const words = ['ti', 'dark', 'cat', 'x', 'matter', 'halos', 'not', 'galaxies'];
    expect(sent('/arxiv/api/query').get('search_query')).toBe(
      `(${words.map((word) => `all:"${word}"`).join(' OR ')}) AND submittedDate:[202401310000 TO 299912312359]`,
    );
    expect(Object.fromEntries(sent('/pubmed/esearch.fcgi'))).toMatchObject({
      term: words.join(' '),
      datetype: 'pdat',
      mindate: '2024/01/31',
      maxdate: '2999/12/31',
      api_key: key,
    });
    expect(sent('/pubmed/esummary.fcgi').get('id')).toBe('1,2');
    expect(sent('/github/search/repositories').get('q')).toBe('ti dark cat x matter halos in:name,description,readme');
    expect(web.asked('/github/search/repositories')[0]!.headers.authorization).toBe(`Bearer ${key}`);
  });

  it.each(['arxiv', 'pubmed', 'github'] as const)('sends %s nothing when the whitelist excludes it', async (engine) => {
    const rules = sourceRules({ source_whitelist: ['who.int'] });
    expect(await open(engine).search({ ...query, rules }, signal)).toEqual([]);
    expect(web.requests.length).toBe(0);
  });

  it('fails when arXiv or PubMed reject the query in a response that is otherwise fine', async () => {
    const saying = (body: string) => ({ fetch: (async () => new Response(body)) as typeof fetch });
    const atom = '<feed><entry><id>http://arxiv.org/api/errors#bad</id><title>Error</title></entry></feed>';
    await expect(open('arxiv', saying(atom)).search(query, signal)).rejects.toThrow('it rejected the query.');
    const json = '{"esearchresult":{"idlist":[],"ERROR":"Empty term"}}';
    await expect(open('pubmed', saying(json)).search(query, signal)).rejects.toThrow('it rejected the query.');
  });

  it('pauses GitHub until its limit is reset, which it reports with 403', async () => {
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Math.round(Date.now() / 1000) + 50) };
    const refused = (async () => new Response('{}', { status: 403, headers })) as typeof fetch;
    const provider = open('github', { fetch: refused });
    await expect(provider.search(query, signal)).rejects.toThrow('its rate limit is reached.');
    await expect(provider.search(query, signal)).rejects.toThrow(/is not called for (4\d|5[01]) s/);
  });

  it('treats the status with which Jina reports no results as no results', async () => {
    const none = (async () => new Response('{"code":422}', { status: 422 })) as typeof fetch;
    expect(await open('jina', { fetch: none }).search(query, signal)).toEqual([]);
  });

  it('sends no key to a Firecrawl that has none', async () => {
    const own = createSearchProvider(firecrawl({ baseUrl: `${web.url}/firecrawl` }), { fetch: trusted.fetch });
    await own.search(query, signal);
    expect(web.requests[0]!.headers.authorization).toBeUndefined();
  });

  it('says that the credit of an account is used up', async () => {
    const spent = (async () => new Response('{}', { status: 402 })) as typeof fetch;
    const failure = open('exa', { fetch: spent }).search(query, signal);
    await expect(failure).rejects.toThrow('the credit of its account is used up.');
  });

  it.each([
    ['ja', 'jp'],
    ['zh', 'zh-hans'],
    ['zh-CN', 'zh-hans'],
    ['zh-TW', 'zh-hant'],
    ['zh-Hant-HK', 'zh-hant'],
    ['zh-Hans-HK', 'zh-hans'],
    ['pt', 'pt-br'],
    ['pt-BR', 'pt-br'],
    ['pt-PT', 'pt-pt'],
    ['no', 'nb'],
    ['nb-NO', 'nb'],
    ['en-GB', 'en-gb'],
    ['en-US', 'en'],
    ['de-AT', 'de'],
    ['fil', null],
    ['tlh', null],
    ['hy', null],
    ['constructor', null],
  ])('sends Brave the language %s by its own code, and none that it does not know: %s', async (language, expected) => {
    await open('brave').search({ ...query, language }, signal);
    expect(web.asked('/res/v1/web/search')[0]!.query.get('search_lang')).toBe(expected);
  });

  it('sends Jina the code of a language whole, however long', async () => {
    for (const language of ['fil', 'pt-BR']) await open('jina').search({ ...query, language }, signal);
    expect(web.asked('/jina/').map((asked) => asked.query.get('hl'))).toEqual(['fil', 'pt']);
  });

  it('sends Brave no more than the 50 words that it takes, with all operators', async () => {
    const hosts = Array.from({ length: 8 }, (_, at) => `${at}.org`);
    const rules = sourceRules({ source_whitelist: hosts });
    const text = Array.from({ length: 60 }, (_, at) => `w${at}`).join(' ');
    await open('brave').search({ ...query, text }, signal);
    await open('brave').search({ ...query, text, rules }, signal);
    const [free, within] = web.asked('/res/v1/web/search').map((asked) => asked.query.get('q')!);
    expect(free).toBe(text.split(' ').slice(0, 50).join(' '));
    expect(within!.split(' ')).toHaveLength(50);
    expect(within).toMatch(/^w0 .* w34 \(site:0\.org OR .* OR site:7\.org\)$/);
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

  it('sends the user and the password in the URL of a SearXNG to the proxy before it, as a header', async () => {
    const withUser = searxng(web.url.replace('://', '://ana:100%%20of%20the%20proxy@'));
    const provider = createSearchProvider(withUser, { fetch: trusted.fetch });
    expect(await provider.search(query, signal)).toHaveLength(2);
    const { authorization } = web.requests.at(-1)!.headers;
    expect(authorization).toBe(`Basic ${Buffer.from('ana:100% of the proxy').toString('base64')}`);
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

describe('Wikipedia in the language of a query', () => {
  it.each([
    ['Who designed the lighthouse?', 'en'],
    ['Wer hat den Leuchtturm gebaut?', 'de'],
    ['Wann wurde das Rathaus eröffnet?', 'de'],
    ['Qui a construit le phare de la Jument ?', 'fr'],
    ['¿Quién diseñó el faro?', 'es'],
    ['Chi ha progettato il faro?', 'it'],
    ['Quem construiu o farol?', 'pt'],
    ['Wie heeft de vuurtoren gebouwd?', 'nl'],
    ['Кто построил маяк?', 'ru'],
    ['Хто збудував маяк у Києві?', 'uk'],
    ['灯台を設計したのは誰ですか', 'ja'],
    ['谁设计了灯塔', 'zh'],
    ['Los Angeles population', 'en'],
    ['Die Hard film', 'en'],
    ['come together album', 'en'],
    ['What does Москва mean in English texts of the time?', 'en'],
    ['', 'en'],
  ])('finds the language of "%s": %s', (text, expected) => {
    expect(wikiLanguage({ text })).toBe(expected);
  });

  it.each([
    ['de-AT', 'de'],
    ['nb', 'no'],
    ['PT-br', 'pt'],
    ['tlh', 'en'],
    ['evil.example/x', 'en'],
  ])('takes the language %s of a request from the list of editions: %s', (language, expected) => {
    expect(wikiLanguage({ text: 'Wer?', language })).toBe(expected);
  });

  it('asks the wiki of the language, for the words that matter', async () => {
    const answer = { query: { search: [{ title: 'Leuchtturm', snippet: 's' }], general: { server: '//de.example' } } };
    for (const code of ['de', 'en']) {
      web.pages.set(`/${code}/api.php`, { type: 'application/json', body: JSON.stringify(answer) });
    }
    const provider = createSearchProvider(mediawiki(`${web.url}/{language}/api.php`), { fetch: trusted.fetch });
    const hits = await provider.search({ ...query, text: 'Wer hat den Leuchtturm gebaut?' }, signal);
    expect(hits.map(({ url }) => url)).toEqual(['http://de.example/wiki/Leuchtturm']);
    expect(web.asked('/de/api.php')[0]!.query.get('srsearch')).toBe('Leuchtturm gebaut');
    await provider.search(query, signal);
    expect(web.asked('/en/api.php').length).toBe(1);
  });

  it('asks the English Wikipedia where the rules exclude that of the language', () => {
    const adapter = mediawiki('https://{language}.wikipedia.org');
    const host = (source_whitelist: string[]) => {
      const rules = sourceRules({ source_whitelist });
      const request = adapter.request({ ...query, text: 'Wer hat den Leuchtturm gebaut?', rules });
      return request && new URL(request.url).host;
    };
    expect(host(['wikipedia.org'])).toBe('de.wikipedia.org');
    expect(host(['en.wikipedia.org'])).toBe('en.wikipedia.org');
    expect(host(['who.int'])).toBeUndefined();
  });
});

describe('createPace', () => {
  it('starts work one after the other, no earlier than its interval allows', async () => {
    const inTurn = createPace({ intervalMs: 30, maxWaiting: 5 });
    const starts: number[] = [];
    const work = async () => void starts.push(performance.now());
    await Promise.all([1, 2, 3].map(() => inTurn(work, signal)));
    const gaps = starts.slice(1).map((at, index) => at - starts[index]!);
    // A lower bound holds on a slow machine too.
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(30);
  });

  it('refuses work when too much is waiting, and forgets what was aborted or failed', async () => {
    const inTurn = createPace({ intervalMs: 0, maxWaiting: 1 });
    let finish = () => {};
    const running = inTurn(() => new Promise<void>((resolve) => (finish = resolve)), signal);
    const stop = new AbortController();
    const waiting = inTurn(async () => 'never', stop.signal);
    await expect(inTurn(async () => 'never', signal)).rejects.toThrow(
      'it takes one request at a time, and 1 are waiting.',
    );
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    const failing = inTurn(() => Promise.reject(new Error('broken')), signal);
    finish();
    await running;
    await expect(failing).rejects.toThrow('broken');
    expect(await inTurn(async () => 'served', signal)).toBe('served');
  });
});

describe('parseHitDate', () => {
  const now = Date.UTC(2026, 10, 22, 12);
  it.each([
    ['2024-03-05', '2024-03-05T00:00:00.000Z'],
    ['2024-03-05T10:20:30+02:00', '2024-03-05T08:20:30.000Z'],
    ['2024-03-05T10:20:30.123456', '2024-03-05T10:20:30.123Z'],
    ['2012/12/04 00:00', '2012-12-04T00:00:00.000Z'],
    ['Mar 5, 2024', '2024-03-05T00:00:00.000Z'],
    ['5 March 2024', '2024-03-05T00:00:00.000Z'],
    ['Tue, 05 Mar 2024 10:20:30 GMT', '2024-03-05T10:20:30.000Z'],
    ['2024年3月5日', '2024-03-05T00:00:00.000Z'],
    ['3 days ago', '2026-11-19T12:00:00.000Z'],
    ['an hour ago', '2026-11-22T11:00:00.000Z'],
  ])('reads %s', (text, expected) => {
    expect(parseHitDate(text, now)).toBe(expected);
  });

  it.each([
    '',
    '2024',
    '7',
    'page 2',
    'Mar 2024',
    'yesterday, 2024',
    'vor 3 Tagen',
    '2024-13-45',
    '2093-01-01',
    20240305,
    null,
  ])('reads no date from %j', (value) => {
    expect(parseHitDate(value, now)).toBeUndefined();
  });
});

describe('the settings of providers', () => {
  const names = (env: Record<string, string>) => {
    const { providers } = readConfig(env);
    const opened = openProviders(providers, () => trusted.fetch).map(({ name }) => name);
    expect(hasProvider(providers)).toBe(opened.length > 0);
    return opened;
  };

  it.each([
    ['EXA_API_KEY', key, 'exa'],
    ['FIRECRAWL_API_KEY', key, 'firecrawl'],
    ['FIRECRAWL_URL', 'http://127.0.0.1:3002', 'firecrawl'],
    ['JINA_API_KEY', key, 'jina'],
    ['SERPER_API_KEY', key, 'serper'],
    ['KAGI_API_KEY', key, 'kagi'],
    ['ARXIV_URL', 'on', 'arxiv'],
    ['PUBMED_URL', 'on', 'pubmed'],
    ['GITHUB_SEARCH_URL', 'on', 'github'],
    ['MEDIAWIKI_URL', 'https://{language}.wikipedia.org', 'mediawiki'],
  ])('opens a provider for %s=%s: %s', (name, value, provider) => {
    expect(names({ [name]: value })).toEqual([provider]);
  });

  it('opens none for what is only a URL of a service with a key, a token or off', () => {
    expect(names({ EXA_URL: web.url, NCBI_API_KEY: key, GITHUB_SEARCH_TOKEN: key, MEDIAWIKI_URL: 'off' })).toEqual([]);
  });

  it('sends the search to the base URL in the settings', async () => {
    const { providers } = readConfig({ SERPER_API_KEY: key, SERPER_URL: `${web.url}/serper` });
    const [provider] = openProviders(providers, () => trusted.fetch);
    expect((await provider!.search(query, signal)).length).toBe(2);
    expect(web.asked('/serper/search')[0]!.headers['x-api-key']).toBe(key);
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
