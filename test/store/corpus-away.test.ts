/** What searches get while the Postgres with the corpus is stopped or frozen: the web alone where there is a provider, else 503. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchFrame, TextResult } from '../../protocol/index.ts';
import { expectLawful } from '../contracts/search-laws.ts';
import { readEvents } from '../support/clients/sse-client.ts';
import { hasOwnPostgres, type OwnPostgres, startPostgres } from '../support/servers/postgres.ts';
import { article, startWebServer, type WebServer } from '../support/servers/web-server.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

const question = { prompt: 'Who painted the Millbrook Chapel ceiling?' };
/** How long Postgres is frozen, s. */
const frozenS = 10;

const troubles = [
  ['stopped', (server: OwnPostgres) => server.kill(), (server: OwnPostgres) => server.start()],
  ['frozen', async (server: OwnPostgres) => server.pause(), async (server: OwnPostgres) => server.resume()],
] as const;

describe.skipIf(!hasOwnPostgres).each(troubles)('a corpus whose Postgres is %s', (_, end, mend) => {
  let server: OwnPostgres;
  let web: WebServer;
  let withWeb: TestApp;
  let alone: TestApp;
  beforeAll(async () => {
    server = await startPostgres();
    web = await startWebServer();
    const body = article('Millbrook Chapel', 'The ceiling of the Millbrook Chapel was painted by Ida Castell in 1894.');
    web.pages.set('/chapel', { body });
    withWeb = await startTestApp({
      DATABASE_URL: await server.fresh(),
      SEARXNG_URL: web.url,
      FETCH_ALLOW_HOSTS: web.host,
    });
    alone = await startTestApp({ DATABASE_URL: await server.fresh(), MEDIAWIKI_URL: 'off' });
    // Keys are known from now on.
    for (const app of [withWeb, alone]) expect((await app.post('/v1/search', question)).status).toBe(200);
    await end(server);
  });
  afterAll(async () => {
    server?.resume();
    await server?.start();
    await withWeb?.[Symbol.asyncDispose]();
    await alone?.[Symbol.asyncDispose]();
    await web?.close();
    await server?.stop();
  });

  it('is replaced by the web, with status partial and a warning, where there is a provider', async () => {
    const ask = async () => {
      const response = await withWeb.post('/v1/search', question, { accept: 'text/event-stream' });
      const frames: SearchFrame[] = await readEvents(response);
      expectLawful(frames);
      return frames;
    };
    const until = Date.now() + frozenS * 1_000;
    do {
      for (const frames of await Promise.all([ask(), ask(), ask()])) {
        expect(frames.at(-1)).toMatchObject({ type: 'search.completed', status: 'partial' });
        const result = (frames.at(-1) as unknown as { result: TextResult }).result;
        expect(result.answer).toContain('Ida Castell');
        const warnings = frames.flatMap((frame) => (frame.type === 'warning' ? [frame.code] : []));
        expect(warnings).toContain('index_unavailable');
      }
    } while (Date.now() < until);
  });

  it('fails searches that the web cannot answer, and those of a server without a provider, as ones to try again', async () => {
    web.pages.clear();
    const answers = await Promise.all([
      withWeb.post('/v1/search', { prompt: 'Who designed the Heron Point Lighthouse?' }),
      alone.post('/v1/search', { prompt: 'Who designed the Heron Point Lighthouse?' }),
    ]);
    for (const response of answers) {
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
      expect(await response.json()).toMatchObject({ error: { code: 'overloaded' } });
    }
  });

  it('answers again once Postgres does', async () => {
    await mend(server);
    const ask = async () => {
      const response = await alone.post('/v1/search', { prompt: 'Who designed the Heron Point Lighthouse?' });
      return [response.status, ((await response.json()) as TextResult).status];
    };
    await expect.poll(ask).toEqual([200, 'answered']);
    for (const app of [withWeb, alone]) expect(app.faults).toEqual([]);
  });
});
