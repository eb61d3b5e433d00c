/** The responses and frames of the real server match the generated documents. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Route, requestLimits, routes } from '../../protocol/index.ts';
import { readEvents } from '../support/clients/sse-client.ts';
import { connect } from '../support/clients/ws-client.ts';
import { expectDocumented, expectDocumentedFrame } from '../support/documented-answers.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const prompt = 'Who designed the Heron Point Lighthouse?';
const output_format = { designer: 'string', year: 'number' };

describe('POST /v1/search', () => {
  const search = 'POST /v1/search';
  const tooLong = 'x'.repeat(requestLimits.body_bytes);

  it.each<[string, object, string[]]>([
    [
      'text',
      { prompt },
      ['answer', 'citations', 'search_id', 'sources', 'status', 'timings', 'uncited_share', 'usage'],
    ],
    ['a template', { prompt, output_format }, ['designer', 'year']],
    [
      'a template with evidence',
      { prompt, output_format, include: ['evidence'] },
      ['citations', 'evidence', 'output', 'search_id', 'sources', 'status', 'timings', 'usage'],
    ],
  ])('returns a search result as documented: %s', async (_, body, fields) => {
    const response = await app.post('/v1/search', body);
    expect(response.status).toBe(200);
    expect(Object.keys((await expectDocumented(search, response)) as object).sort()).toEqual(fields);
  });

  it.each<[string, number, unknown, Record<string, string>]>([
    ['an invalid key', 401, { prompt }, { 'x-api-key': 'cw_none' }],
    ['invalid JSON', 422, '{"prompt": ', {}],
    ['an invalid request', 422, { prompt: '', extra: 1 }, {}],
    ['both source lists', 422, { prompt, source_whitelist: ['a.org'], source_blacklist: ['b.org'] }, {}],
    ['another content type', 415, 'prompt=a', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['a body over the limit', 413, { prompt: tooLong }, {}],
  ])('refuses a search with a documented error: %s', async (_, status, body, headers) => {
    const response = await app.post('/v1/search', body, headers);
    expect(response.status).toBe(status);
    const { detail } = (await expectDocumented(search, response)) as { detail: unknown };
    expect(Array.isArray(detail)).toBe(status === 422);
  });

  it('reports two source lists at the body', async () => {
    const response = await app.post('/v1/search', { prompt, source_whitelist: ['a.org'], source_blacklist: ['b.org'] });
    expect(await response.json()).toMatchObject({ detail: [{ loc: ['body'], type: 'mutually_exclusive' }] });
  });

  it('streams documented events', async () => {
    const response = await app.post('/v1/search', { prompt }, { accept: 'text/event-stream' });
    const events = await readEvents(response);
    expect(events.length).toBeGreaterThan(5);
    events.forEach(expectDocumentedFrame);
  });
});

describe('the other calls', () => {
  it.each<[string, string, number]>([
    ['GET /healthz', '/healthz', 200],
    ['GET /readyz', '/readyz', 200],
    ['GET /openapi.json', '/openapi.json', 200],
    ['GET /asyncapi.json', '/asyncapi.json', 200],
    ['GET /v1/ws/search', '/v1/ws/search', 426],
    ['GET /v1/contents/{snapshot}', '/v1/contents/none', 404],
    ['GET /v1/usage', '/v1/usage', 200],
    ['GET /v1/suggestions', '/v1/suggestions', 200],
    ['GET /v1/capabilities', '/v1/capabilities', 200],
    ['GET /v1/search', '/v1/search', 200],
    ['GET /v1/search', '/v1/search?limit=0', 422],
    ['GET /v1/search/{search_id}', '/v1/search/s_none', 404],
    ['GET /v1/search/{search_id}/events', '/v1/search/s_none/events', 404],
    ['GET /v1/search/{search_id}/follow-ups', '/v1/search/s_none/follow-ups', 404],
    ['POST /v1/contents', '/v1/contents', 405],
  ])('answers other calls as documented: %s', async (operation, path, status) => {
    const response = await app.get(path);
    expect(response.status).toBe(status);
    await expectDocumented(operation, response);
  });

  it('serves the committed documents', async () => {
    for (const name of ['openapi.json', 'asyncapi.json']) {
      const file = readFileSync(new URL(`../../protocol/${name}`, import.meta.url), 'utf8');
      expect(await (await app.get(`/${name}`)).json()).toEqual(JSON.parse(file));
    }
  });

  it('returns the page that a citation points into, as documented', async () => {
    const { citations } = (await (await app.post('/v1/search', { prompt })).json()) as {
      citations: { snapshot: string }[];
    };
    const response = await app.get(`/v1/contents/${citations[0]!.snapshot}`);
    expect(response.status).toBe(200);
    await expectDocumented('GET /v1/contents/{snapshot}', response);
  });

  it('requires a key or a session wherever the documents say so', async () => {
    for (const { method, path, key, browser } of Object.values<Route>(routes)) {
      const options = {
        method,
        headers: { 'content-type': 'application/json' },
        ...(method === 'GET' ? {} : { body: '{}' }),
      };
      const response = await fetch(app.url + path.replace(/\{\w+\}/g, 'x'), options);
      if (path === routes.search_socket.path) expect(response.status).toBe(426);
      // 429 after too many failed sign-ins from this address.
      else expect([401, 429].includes(response.status), `${method} ${path}`).toBe(key || browser === true);
    }
  });
});

describe('GET /v1/ws/search', () => {
  it('sends only documented frames over the WebSocket', async () => {
    const client = await connect(app.url, { 'x-api-key': app.key });
    await client.search(await client.start({ prompt }));
    const searchId = await client.start({ prompt, output_format });
    client.send({ type: 'search.cancel', ref: '1', search_id: searchId });
    await client.search(searchId);
    client.send({ type: 'search.resume', ref: '2', search_id: searchId, after_seq: 0 });
    client.send({ type: 'search.resume', ref: '3', search_id: 'none', after_seq: 0 });
    client.send({ type: 'search.start', ref: '4', request: { prompt: 5 } });
    client.send({ type: 'unheard.of', ref: '5' });
    client.send('no message');
    client.send({ type: 'ping', ref: '6' });
    // A search that is not in memory is looked up in the store, so its answer may come last.
    for (const ref of ['3', '4', '5', '6']) await client.next((frame) => frame.ref === ref);
    client.close();
    await client.closed;
    const types = new Set(client.received.map(({ type }) => type));
    for (const type of ['session.ready', 'rate_limit', 'search.attached', 'resume.failed', 'error', 'pong']) {
      expect(types).toContain(type);
    }
    client.received.forEach(expectDocumentedFrame);
  });
});
