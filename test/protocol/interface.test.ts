/** Each row of the interface's table of endpoints, and each of its rules, as the running server keeps it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Contents, DesignList, TextResult } from '../../protocol/index.ts';
import { connect } from '../support/clients/ws-client.ts';
import { createDesign, itsAnswer, keyOf, placesIn, publish, request, whoDesigned } from '../support/design.ts';
import { expectDocumented } from '../support/documented-answers.ts';
import { article, startWebServer, type WebServer } from '../support/servers/web-server.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';
import { expectShape } from '../support/templates.ts';

const prompt = 'Who designed the Heron Point Lighthouse?';
const inputs = { building: 'Heron Point Lighthouse' };
let app: TestApp;
let web: WebServer;
let api_id: string;
beforeAll(async () => {
  web = await startWebServer();
  web.pages.set('/heron', { body: article('Heron Point', 'The lighthouse was designed by Ingrid Solvay in 1886.') });
  app = await startTestApp({ FETCH_ALLOW_HOSTS: web.host });
  api_id = (await createDesign(app)).api_id;
  await publish(app, api_id);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await web.close();
});

describe('POST /v1/search', () => {
  it('200: JSON object shaped by output_format', async () => {
    const output_format = {
      facts: [{ designer: 'string', year: 'number', place: 'string' }],
      tower: 'string',
      automatic: 'boolean',
    } as const;
    const response = await app.post('/v1/search', { prompt, output_format });
    expect(response.status).toBe(200);
    expectShape(output_format as never, (await response.json()) as never);
  });

  it('200 without output_format: an answer with in-line citations', async () => {
    const { answer, citations } = (await (await app.post('/v1/search', { prompt })).json()) as TextResult;
    expect(answer).toMatch(/Ingrid Solvay.*\[1\]/s);
    expect(citations.length).toBeGreaterThan(0);
  });

  it('422: HTTPValidationError', async () => {
    expect(await placesIn(await app.post('/v1/search', {}))).toEqual([['body.prompt', 'missing']]);
    const both = { prompt, source_whitelist: ['a.org'], source_blacklist: ['b.org'] };
    expect(await placesIn(await app.post('/v1/search', both))).toEqual([['body', 'mutually_exclusive']]);
  });
});

describe('POST /v1/contents', () => {
  it('200: JSON object with response and info, in the form in which searches read the page', async () => {
    const url = `${web.url}/heron`;
    const response = await app.post('/v1/contents', { url, query: 'Who designed it?' });
    const contents = (await response.json()) as Contents;
    expect(response.status, JSON.stringify(contents)).toBe(200);
    expect(Object.keys(contents)).toEqual(['response', 'info']);
    const stored = await app.get(`/v1/contents/${contents.info.snapshot}`);
    expect(await stored.json()).toMatchObject({ response: contents.response });
  });

  it('422: HTTPValidationError', async () => {
    expect(await placesIn(await app.post('/v1/contents', { query: 'x' }))).toEqual([['body.url', 'missing']]);
  });
});

describe('POST /v1/user-defined-service/{api_stub}', () => {
  it('200: successful response', async () => {
    const response = await app.post('/v1/user-defined-service/who-designed', inputs);
    expect(response.status).toBe(200);
    expect(await expectDocumented('POST /v1/user-defined-service/{api_stub}', response)).toEqual(itsAnswer);
  });

  it('200 without a body, which the reference does not define', async () => {
    await createDesign(app, { api_stub: 'no-body', prompt, inputs: {}, examples: [] });
    const response = await request(app, 'POST', '/v1/user-defined-service/no-body');
    expect([response.status, await response.json()]).toEqual([200, itsAnswer]);
  });

  it('422: HTTPValidationError', async () => {
    const response = await app.post('/v1/user-defined-service/who-designed', {});
    expect(await placesIn(response)).toEqual([['body.building', 'missing']]);
  });
});

describe('POST /v1/published-service/{api_stub}/v{version}', () => {
  const path = '/v1/published-service/who-designed';

  it('200: JSON, exactly of the given version, even after the owner publishes a newer one', async () => {
    await request(app, 'PATCH', `/v1/design-api/${api_id}`, { output_format: { engineer: 'string' } });
    await publish(app, api_id);
    const response = await app.post(`${path}/v1`, inputs, await keyOf(app));
    expect(response.status).toBe(200);
    expect(await expectDocumented('POST /v1/published-service/{api_stub}/v{version}', response)).toEqual(itsAnswer);
  });

  it('the unversioned path runs the newest published version', async () => {
    const response = await app.post(path, inputs, await keyOf(app));
    expect(await expectDocumented('POST /v1/published-service/{api_stub}', response)).toEqual({
      engineer: itsAnswer.designer,
    });
  });

  it.each(['v3', 'v0', 'v-1'])('404: that version does not exist: %s', async (version) => {
    const response = await app.post(`${path}/${version}`, inputs);
    expect(response.status).toBe(404);
    expect(await expectDocumented('POST /v1/published-service/{api_stub}/v{version}', response)).toMatchObject({
      detail: expect.any(String),
    });
  });

  it.each(['vx', 'v1.5', 'v'])('422: HTTPValidationError, for a version that is no integer: %s', async (version) => {
    const response = await app.post(`${path}/${version}`, inputs);
    expect(await placesIn(response)).toEqual([['path.version', 'int_parsing']]);
  });

  it('422: HTTPValidationError, by the inputs of that version', async () => {
    expect(await placesIn(await app.post(`${path}/v1`, { building: 1 }))).toEqual([['body.building', 'string_type']]);
  });
});

describe('DELETE /v1/design-api/{api_id}', () => {
  it('200: successful response, and the design is gone', async () => {
    const made = await createDesign(app, { api_stub: 'to-delete' });
    const response = await request(app, 'DELETE', `/v1/design-api/${made.api_id}`);
    expect(response.status).toBe(200);
    await expectDocumented('DELETE /v1/design-api/{api_id}', response);
    expect((await app.get(`/v1/design-api/${made.api_id}`)).status).toBe(404);
  });

  it('422: HTTPValidationError', async () => {
    const response = await request(app, 'DELETE', '/v1/design-api/no-id');
    expect(await placesIn(response)).toEqual([['path.api_id', 'string_pattern_mismatch']]);
  });
});

describe('GET /v1/design-api', () => {
  it("200: JSON, the designed APIs of the caller's key", async () => {
    const headers = await keyOf(app);
    await createDesign(app, {}, headers);
    const response = await app.get('/v1/design-api', headers);
    expect(response.status).toBe(200);
    const { items } = (await expectDocumented('GET /v1/design-api', response)) as DesignList;
    expect(items.map(({ api_stub, name }) => [api_stub, name])).toEqual([['who-designed', whoDesigned.name]]);
  });
});

describe('GET /v1/ws/search', () => {
  it('searches over a WebSocket, and counts against the same limit', async () => {
    const headers = await keyOf(app, 'starter');
    const client = await connect(app.url, headers);
    const frames = await client.search(await client.start({ prompt }));
    expect(frames.at(-1)).toMatchObject({ type: 'search.completed' });
    client.close();
    for (let i = 0; i < 9; i++) expect((await app.post('/v1/search', {}, headers)).status).toBe(422);
    const over = await app.post('/v1/search', { prompt }, headers);
    expect([over.status, Number(over.headers.get('retry-after')) > 0]).toEqual([429, true]);
  });
});

describe('X-API-Key', () => {
  it.each([
    ['POST', '/v1/search'],
    ['POST', '/v1/contents'],
    ['POST', '/v1/user-defined-service/who-designed'],
    ['POST', '/v1/published-service/who-designed'],
    ['POST', '/v1/published-service/who-designed/v1'],
    ['DELETE', '/v1/design-api/any'],
    ['GET', '/v1/design-api'],
  ])('is required: %s %s', async (method, path) => {
    const response = await fetch(app.url + path, { method });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ detail: expect.any(String) });
  });
});
