/** The calls that Open WebUI makes to an external search engine and an external loader, over both servers. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SearchList, WebuiDocuments, WebuiSearchResults } from '../../../protocol/index.ts';
import { article, startWebServer, type WebServer } from '../../support/servers/web-server.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';

let web: WebServer;
let app: TestApp;
beforeAll(async () => {
  web = await startWebServer({ '/quay': article('Heron Quay', 'Heron Quay was built in 1871 by Ingrid Solvay.') });
  app = await startTestApp({ FETCH_ALLOW_HOSTS: web.host });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await web.close();
});

/** As its requests are. */
const send = (path: string, body: object, key = app.key) =>
  fetch(`${app.url}/open-webui${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'user-agent': 'Open WebUI' },
    body: JSON.stringify(body),
  });

it('returns results with link, title and what the page says about the question', async () => {
  const response = await send('/search', { query: 'Who designed the Heron Point Lighthouse?', count: 1 });
  expect(response.status).toBe(200);
  const results = (await response.json()) as WebuiSearchResults;
  expect(results).toEqual([
    {
      link: expect.stringContaining('heron'),
      title: 'Heron Point Lighthouse',
      snippet: expect.stringMatching(/Solvay/),
    },
  ]);
  const { items } = (await (await app.get('/v1/search')).json()) as SearchList;
  expect(items[0]).toMatchObject({ door: 'open-webui' });
});

it('returns the pages that could be read, and no text of its own for the others', async () => {
  const response = await send('/load', { urls: [`${web.url}/none`, `${web.url}/quay`, 'no url'] });
  expect(response.status).toBe(200);
  const documents = (await response.json()) as WebuiDocuments;
  expect(documents).toEqual([
    {
      page_content: expect.stringContaining('built in 1871'),
      metadata: expect.objectContaining({ source: `${web.url}/quay`, title: 'Heron Quay' }),
    },
  ]);
});

it('refuses a bad key and a body that is not what Open WebUI sends', async () => {
  expect((await send('/search', { query: 'What?' }, 'cw_none')).status).toBe(401);
  expect((await send('/load', { urls: [web.url] }, 'cw_none')).status).toBe(401);
  expect((await send('/search', { queries: ['What?'] })).status).toBe(422);
  expect((await send('/load', { urls: [] })).status).toBe(422);
});
