/** The calls of programs that search with SearXNG, over both servers. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SearchList, SearxngResults } from '../../../protocol/index.ts';
import { createTrustedFetch } from '../../../src/web/fetch/trusted-fetch.ts';
import { createSearchProvider } from '../../../src/web/providers/provider.ts';
import { searxng } from '../../../src/web/providers/searxng.ts';
import { fromPageOf, signIn } from '../../support/browser/browser-session.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';

const question = 'Who built the Tern slip?';
const pages = ['https://harbour.example/tern', 'https://news.example/2024/tern'];
const texts = [
  'The Tern slip was built by Odile Fenn in 1902. Boats of up to nine metres use it.',
  'Divers repaired the Tern slip this spring. Odile Fenn built it, as a plaque beside the road says.',
];

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  const reader = {
    read: async (url: string) => ({
      id: url.length.toString(16).padStart(32, '0'),
      url,
      title: 'The Tern slip',
      text: texts[pages.indexOf(url)]!,
      ...(url.includes('/2024/') ? { published_at: '2024-05-01T00:00:00Z' } : {}),
    }),
    listPages: async (url: string) => [url],
    crawlDelay: async () => 0,
  };
  for (const url of pages) await app.corpus.index({ kind: 'url', url }, { reader });
});
afterAll(() => app[Symbol.asyncDispose]());

const address = (parameters: Record<string, string>) => `${app.url}/searxng/search?${new URLSearchParams(parameters)}`;
const search = (parameters: Record<string, string>, init: RequestInit = {}) =>
  fetch(address(parameters), { headers: { 'x-api-key': app.key }, ...init });
const resultsOf = async (response: Response) => {
  expect(response.status).toBe(200);
  return SearxngResults.parse(await response.json());
};
const urlsOf = async (parameters: Record<string, string>) =>
  (await resultsOf(await search(parameters))).results.map(({ url }) => url);

it('returns the sources of a search as results of one engine', async () => {
  const response = await search({ q: question, format: 'json', language: 'all', safesearch: '1', theme: 'simple' });
  const { query, number_of_results, results, ...lists } = await resultsOf(response);
  expect(query).toBe(question);
  expect(number_of_results).toBe(results.length);
  expect(Object.values(lists).flat()).toEqual([]);
  expect(results.map(({ url }) => url)).toEqual(expect.arrayContaining(pages));
  const dated = results.find(({ url }) => url === pages[1]);
  expect(dated).toMatchObject({
    title: 'The Tern slip',
    content: expect.stringContaining('Odile Fenn'),
    publishedDate: '2024-05-01T00:00:00Z',
    parsed_url: ['https', 'news.example', '/2024/tern', '', '', ''],
  });
  const { items } = (await (await app.get('/v1/search')).json()) as SearchList;
  expect(items[0]).toMatchObject({ door: 'searxng' });
});

it('is what our own provider of SearXNG reads', async () => {
  const trusted = createTrustedFetch();
  const provider = createSearchProvider(searxng(`${app.url.replace('://', `://citewire:${app.key}@`)}/searxng`), {
    fetch: trusted.fetch,
  });
  const rules = { only: [{ host: 'news.example', path: '' }], never: [] };
  const hits = await provider.search({ text: question, limit: 10, rules }, new AbortController().signal);
  await trusted.close();
  expect(hits).toEqual([expect.objectContaining({ url: pages[1], snippet: expect.stringContaining('Odile Fenn') })]);
});

it.each([
  ['the query of a POST', (query: string) => [`?${query}`, undefined] as const],
  ['a form', (query: string) => ['', query] as const],
])('takes the parameters from %s', async (_, divide) => {
  const [query, body] = divide(`${new URLSearchParams({ q: question, format: 'json' })}`);
  const response = await fetch(`${app.url}/searxng/search${query}`, {
    method: 'POST',
    headers: { 'x-api-key': app.key, 'content-type': 'application/x-www-form-urlencoded' },
    ...(body === undefined ? {} : { body }),
  });
  expect((await resultsOf(response)).query).toBe(question);
});

describe('the sources', () => {
  it.each<[string, string[]]>([
    ['site:news.example', [pages[1]!]],
    ['site:news.example OR site:harbour.example', pages],
    ['site:harbour.example/tern -site:news.example', [pages[0]!]],
  ])('are restricted by %s in the query', async (operators, expected) => {
    expect((await urlsOf({ q: `${question} ${operators}` })).sort()).toEqual(expected.toSorted());
  });

  it('are without those of -site: alone', async () => {
    const urls = await urlsOf({ q: `-site:harbour.example ${question}` });
    expect(urls).toContain(pages[1]);
    expect(urls).not.toContain(pages[0]);
  });

  it('are those since the range of time began', async () => {
    expect(await urlsOf({ q: question, time_range: 'year' })).not.toContain(pages[1]);
    expect(await urlsOf({ q: question, time_range: '' })).toContain(pages[1]);
  });

  it('are ten a page, and none after the last', async () => {
    const first = await urlsOf({ q: question, pageno: '1' });
    expect(first.length).toBeLessThanOrEqual(10);
    for (const url of await urlsOf({ q: question, pageno: '2' })) expect(first).not.toContain(url);
    expect(await urlsOf({ q: question, pageno: '99' })).toEqual([]);
  });

  it('are searched for the whole query where it has nothing but operators', async () => {
    expect((await search({ q: 'site:news.example' })).status).toBe(200);
  });
});

describe('a key', () => {
  const basic = (credentials: string) => `Basic ${Buffer.from(credentials).toString('base64')}`;

  it.each<[string, (key: string) => Record<string, string>]>([
    ['in X-API-Key', (key) => ({ 'x-api-key': key })],
    ['as a bearer token', (key) => ({ authorization: `Bearer ${key}` })],
    ['as the password of a URL', (key) => ({ authorization: basic(`citewire:${key}`) })],
    ['as the user of a URL', (key) => ({ authorization: basic(`${key}:`) })],
  ])('is taken %s', async (_, headers) => {
    const statuses = [app.key, `${app.key}x`].map(
      async (key) => (await fetch(address({ q: question }), { headers: headers(key) })).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 401]);
  });

  it('is needed in a browser that is signed in, too: a link must not start a search', async () => {
    const session = await signIn(app);
    expect((await session.call('GET', '/v1/usage')).status).toBe(200);
    expect((await session.call('GET', `/searxng/search?q=lighthouse`)).status).toBe(401);
  });

  it('is not the password that a proxy asks browsers for', async () => {
    const { cookie } = await signIn(app);
    const headers = { cookie, ...fromPageOf(app), authorization: basic('ana:of the proxy') };
    expect((await fetch(`${app.url}/v1/usage`, { headers })).status).toBe(200);
  });
});

describe('an invalid call', () => {
  it.each<[string, Record<string, string>, string]>([
    ['no query', { format: 'json' }, 'q'],
    ['another format', { q: question, format: 'rss' }, 'format'],
    ['another range of time', { q: question, time_range: 'decade' }, 'time_range'],
    ['a page before the first', { q: question, pageno: '0' }, 'pageno'],
  ])('is refused with the parameter: %s', async (_, parameters, name) => {
    const response = await search(parameters);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ detail: [{ loc: ['query', name] }] });
  });

  it('is refused with what a body should be', async () => {
    const headers = { 'x-api-key': app.key, 'content-type': 'application/json' };
    const response = await fetch(`${app.url}/searxng/search`, { method: 'POST', headers, body: '{"q":"lighthouse"}' });
    expect(response.status).toBe(415);
    expect(await response.json()).toMatchObject({ detail: expect.stringContaining('x-www-form-urlencoded') });
  });
});
