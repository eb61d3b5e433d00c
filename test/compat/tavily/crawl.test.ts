/** The crawl and the map of Tavily's own client, over a small web whose pages link to each other. */
import { tavily } from '@tavily/core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TavilyCrawlResponse, TavilyMapResponse } from '../../../protocol/index.ts';
import { startWebServer, type WebServer } from '../../support/servers/web-server.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';

let web: WebServer;
let app: TestApp;
beforeAll(async () => {
  web = await startWebServer({}, ['127.0.0.1']);
  app = await startTestApp({ FETCH_ALLOW_HOSTS: web.host, READ_DELAY_MS: '0' });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await web.close();
});

const page = (title: string, text: string, ...links: string[]) => {
  const linked = links.map((to) => `<li><a href="${to}">${to}</a></li>`).join('');
  return {
    body: `<html><head><title>${title}</title></head><body><main><h1>${title}</h1><p>${text}</p><ul>${linked}</ul></main></body></html>`,
  };
};
beforeEach(() => {
  web.pages.clear();
  web.requests.length = 0;
  const pages = {
    '/': page(
      'Quay',
      'The quay has two cranes.',
      '/docs/one#top',
      '/docs/one',
      '/blog/a',
      '/missing',
      'https://example.org/x',
    ),
    '/docs/one': page('One', 'Crane one lifts forty tonnes.', '/docs/two', '/', 'mailto:a@example.org'),
    '/docs/two': page('Two', 'Crane two lifts nine tonnes.', '/docs/one', '/docs/three'),
    '/docs/three': page('Three', 'There is no third crane.'),
    '/blog/a': page('A', 'A letter from the quay.', '/blog/b'),
  };
  for (const [path, each] of Object.entries(pages)) web.pages.set(path, each);
});

const client = () => tavily({ apiKey: app.key, apiBaseURL: `${app.url}/tavily` });
const paths = (urls: readonly string[]) => urls.map((url) => url.replace(web.url, '') || '/');
const crawled = async (options?: Parameters<ReturnType<typeof client>['crawl']>[1]) =>
  paths((await client().crawl(web.url, options)).results.map(({ url }) => url));
const mapped = async (options?: Parameters<ReturnType<typeof client>['map']>[1]) =>
  paths((await client().map(web.url, options)).results);
const send = (path: string, body: object, key = app.key) =>
  fetch(`${app.url}/tavily${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  });

describe('a crawl', () => {
  it('has the texts of the page and of those that it links to, each once, without those that cannot be read', async () => {
    const { results, baseUrl } = await client().crawl(web.url);
    expect([baseUrl, paths(results.map(({ url }) => url))]).toEqual([web.url, ['/', '/docs/one', '/blog/a']]);
    expect(results[1]!.rawContent).toContain('Crane one lifts forty tonnes.');
  });

  it('follows menus after the links of the text', async () => {
    const menu = '<nav><ul><li><a href="/docs/two">Two</a></li><li><a href="/docs/one">One</a></li></ul></nav>';
    const text =
      '<p>The quay has two cranes, of which <a href="/docs/one">one</a> lifts forty tonnes in any weather.</p>';
    const body = `<html><head><title>Menu</title></head><body>${menu}<main><h1>Menu</h1>${text.repeat(3)}</main></body></html>`;
    web.pages.set('/menu', { body });
    const { results } = await client().map(`${web.url}/menu`);
    expect(paths(results)).toEqual(['/menu', '/docs/one', '/docs/two']);
  });

  it('goes as deep as it is asked for, and reads no page twice', async () => {
    expect(await crawled({ maxDepth: 2 })).toEqual(['/', '/docs/one', '/blog/a', '/docs/two']);
    expect(await crawled({ maxDepth: 3 })).toEqual(['/', '/docs/one', '/blog/a', '/docs/two', '/docs/three']);
    expect(web.asked('/docs/one').length).toBeLessThanOrEqual(1);
  });

  it('is bounded by links of a page and by pages', async () => {
    expect(await crawled({ maxBreadth: 1, maxDepth: 2 })).toEqual(['/', '/docs/one', '/docs/two']);
    expect(await crawled({ limit: 2, maxDepth: 5 })).toEqual(['/', '/docs/one']);
  });

  it('follows the paths that its patterns allow', async () => {
    expect(await crawled({ selectPaths: ['/docs/.*'], maxDepth: 5 })).toEqual([
      '/',
      '/docs/one',
      '/docs/two',
      '/docs/three',
    ]);
    expect(await crawled({ excludePaths: ['^/docs/(one|two)$'], maxDepth: 5 })).toEqual(['/', '/blog/a']);
    expect(await crawled({ selectDomains: [String.raw`^example\.org$`] })).toEqual(['/']);
  });

  it('has the passages that answer its instructions', async () => {
    const { results } = await client().crawl(`${web.url}/docs/one`, { instructions: 'How much does crane two lift?' });
    expect(results.find(({ url }) => url.endsWith('/two'))!.rawContent).toContain('nine tonnes');
  });

  it('costs a unit a page, and ends with what the caller may read', async () => {
    const { plaintext } = await app.accounts.createKey({ plan: 'starter', name: 'counted' });
    for (let at = 0; at < 20; at += 1) web.pages.set(`/many/${at}`, page(`Many ${at}`, 'A page of many.'));
    web.pages.set('/many', page('Many', 'Many pages.', ...Array.from({ length: 20 }, (_, at) => `/many/${at}`)));
    const response = await send('/crawl', { url: `${web.url}/many` }, plaintext);
    expect(response.status).toBe(200);
    const { results } = TavilyCrawlResponse.strict().parse(await response.json());
    expect(results).toHaveLength(10);
    expect((await send('/crawl', { url: `${web.url}/many` }, plaintext)).status).toBe(429);
  });

  it.each<[string, object, number, string]>([
    ['a page that cannot be read', { url: '/missing' }, 502, '404'],
    ['an invalid address', { url: 'https://' }, 400, 'body.url'],
    ['an invalid expression', { url: '/', select_paths: ['('] }, 400, 'body.select_paths.0'],
    ['long repetitions', { url: '/', exclude_paths: ['(a{50}){50}'] }, 400, 'its repetitions are too long'],
    ['too deep a level', { url: '/', max_depth: 6 }, 400, 'body.max_depth'],
  ])('is refused with %s', async (_, { url, ...body }: { url?: string }, status, why) => {
    const response = await send('/crawl', { url: url!.startsWith('/') ? web.url + url : url, ...body });
    expect(response.status).toBe(status);
    expect(JSON.stringify(await response.json())).toContain(why);
  });

  it('is over at once with an expression that takes others exponential time', async () => {
    web.pages.set('/long', page('Long', 'A page.', `/${'a'.repeat(900)}`));
    for (const pattern of ['^/(a+)+b$', '^/(a|aa)+b$', '(.*a.*)(.*a.*)(.*a.*)(.*a.*)b']) {
      const { results } = await client().map(`${web.url}/long`, { selectPaths: [pattern] });
      expect(paths(results)).toEqual(['/long']);
    }
  });
});

describe('a map', () => {
  it('has what the pages link to, and does not read those at the end', async () => {
    expect(await mapped()).toEqual(['/', '/docs/one', '/blog/a', '/missing']);
    expect(web.asked('/docs/one')).toEqual([]);
    expect(await mapped({ maxDepth: 2 })).toEqual(['/', '/docs/one', '/blog/a', '/missing', '/docs/two', '/blog/b']);
  });

  it('has the links to other hosts where it is asked for them', async () => {
    expect(await mapped({ allowExternal: true })).toContain('https://example.org/x');
    expect(await mapped({ limit: 2 })).toEqual(['/', '/docs/one']);
  });

  it('answers in the documented form', async () => {
    TavilyMapResponse.strict().parse(await (await send('/map', { url: web.url })).json());
  });
});
