/** Each row of the interface's table of endpoints, and each of its rules, checked against the running server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Contents, type DesignList, routes, type TextResult } from '../../protocol/index.ts';
import type { Route } from '../../protocol/route.ts';
import { connect } from '../support/clients/ws-client.ts';
import { createDesign, expectedAnswer, publish, whoDesigned } from '../support/design.ts';
import { expectDocumented } from '../support/documented-answers.ts';
import { issuesIn, keyOf, request } from '../support/requests.ts';
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
  it('returns 200 with a JSON object in the shape of output_format', async () => {
    const output_format = {
      facts: [{ designer: 'string', year: 'number', place: 'string' }],
      tower: 'string',
      automatic: 'boolean',
    } as const;
    const response = await app.post('/v1/search', { prompt, output_format });
    expect(response.status).toBe(200);
    expectShape(output_format as never, (await response.json()) as never);
  });

  it('returns 200 with an answer and in-line citations if there is no output_format', async () => {
    const { answer, citations } = (await (await app.post('/v1/search', { prompt })).json()) as TextResult;
    expect(answer).toMatch(/Ingrid Solvay.*\[1\]/s);
    expect(citations.length).toBeGreaterThan(0);
  });

  it('refuses an invalid search request with 422 and HTTPValidationError', async () => {
    expect(await issuesIn(await app.post('/v1/search', {}))).toEqual([['body.prompt', 'missing']]);
    const both = { prompt, source_whitelist: ['a.org'], source_blacklist: ['b.org'] };
    expect(await issuesIn(await app.post('/v1/search', both))).toEqual([['body', 'mutually_exclusive']]);
  });
});

describe('POST /v1/contents', () => {
  it('returns 200 with the response and info of a page, as searches read it', async () => {
    const url = `${web.url}/heron`;
    const response = await app.post('/v1/contents', { url, query: 'Who designed it?' });
    const contents = (await response.json()) as Contents;
    expect(response.status, JSON.stringify(contents)).toBe(200);
    expect(Object.keys(contents)).toEqual(['response', 'info']);
    const stored = await app.get(`/v1/contents/${contents.info.snapshot}`);
    expect(await stored.json()).toMatchObject({ response: contents.response });
  });

  it('refuses an invalid contents request with 422 and HTTPValidationError', async () => {
    expect(await issuesIn(await app.post('/v1/contents', { query: 'x' }))).toEqual([['body.url', 'missing']]);
  });
});

describe('POST /v1/user-defined-service/{api_stub}', () => {
  it('runs a draft with 200 and its answer', async () => {
    const response = await app.post('/v1/user-defined-service/who-designed', inputs);
    expect(response.status).toBe(200);
    expect(await expectDocumented('POST /v1/user-defined-service/{api_stub}', response)).toEqual(expectedAnswer);
  });

  it('runs a draft without a body, which the reference does not define', async () => {
    await createDesign(app, { api_stub: 'no-body', prompt, inputs: {}, examples: [] });
    const response = await request(app, 'POST', '/v1/user-defined-service/no-body');
    expect([response.status, await response.json()]).toEqual([200, expectedAnswer]);
  });

  it('refuses a draft run with missing inputs with 422 and HTTPValidationError', async () => {
    const response = await app.post('/v1/user-defined-service/who-designed', {});
    expect(await issuesIn(response)).toEqual([['body.building', 'missing']]);
  });
});

describe('POST /v1/published-service/{api_stub}/v{version}', () => {
  const path = '/v1/published-service/who-designed';

  it('runs exactly the given version, even after the owner has published a newer one', async () => {
    await request(app, 'PATCH', `/v1/design-api/${api_id}`, { output_format: { engineer: 'string' } });
    await publish(app, api_id);
    const response = await app.post(`${path}/v1`, inputs, await keyOf(app));
    expect(response.status).toBe(200);
    expect(await expectDocumented('POST /v1/published-service/{api_stub}/v{version}', response)).toEqual(
      expectedAnswer,
    );
  });

  it('runs the newest published version on the unversioned path', async () => {
    const response = await app.post(path, inputs, await keyOf(app));
    expect(await expectDocumented('POST /v1/published-service/{api_stub}', response)).toEqual({
      engineer: expectedAnswer.designer,
    });
  });

  it.each(['v3', 'v0', 'v-1'])('refuses with 404 a version that does not exist: %s', async (version) => {
    const response = await app.post(`${path}/${version}`, inputs);
    expect(response.status).toBe(404);
    expect(await expectDocumented('POST /v1/published-service/{api_stub}/v{version}', response)).toMatchObject({
      detail: expect.any(String),
    });
  });

  it.each(['vx', 'v1.5', 'v'])(
    'refuses with 422 and HTTPValidationError a version that is not an integer: %s',
    async (version) => {
      const response = await app.post(`${path}/${version}`, inputs);
      expect(await issuesIn(response)).toEqual([['path.version', 'int_parsing']]);
    },
  );

  it('checks the inputs of a versioned run against that version', async () => {
    expect(await issuesIn(await app.post(`${path}/v1`, { building: 1 }))).toEqual([['body.building', 'string_type']]);
  });
});

describe('DELETE /v1/design-api/{api_id}', () => {
  it('deletes a design with 200', async () => {
    const made = await createDesign(app, { api_stub: 'to-delete' });
    const response = await request(app, 'DELETE', `/v1/design-api/${made.api_id}`);
    expect(response.status).toBe(200);
    await expectDocumented('DELETE /v1/design-api/{api_id}', response);
    expect((await app.get(`/v1/design-api/${made.api_id}`)).status).toBe(404);
  });

  it('refuses to delete an invalid api_id with 422 and HTTPValidationError', async () => {
    const response = await request(app, 'DELETE', '/v1/design-api/no-id');
    expect(await issuesIn(response)).toEqual([['path.api_id', 'string_pattern_mismatch']]);
  });
});

describe('GET /v1/design-api', () => {
  it("lists the designed APIs of the caller's account with 200", async () => {
    const headers = await keyOf(app);
    await createDesign(app, {}, headers);
    const response = await app.get('/v1/design-api', headers);
    expect(response.status).toBe(200);
    const { items } = (await expectDocumented('GET /v1/design-api', response)) as DesignList;
    expect(items.map(({ api_stub, name }) => [api_stub, name])).toEqual([['who-designed', whoDesigned.name]]);
  });
});

describe('GET /v1/ws/search', () => {
  it('searches over a WebSocket, and counts that towards the same limit', async () => {
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

describe('lists', () => {
  // Administrators alone list accounts.
  const lists = Object.values<Route>(routes).filter(
    ({ key, path, query }) => key && path !== '/v1/accounts' && query?.includes('cursor'),
  );

  it.each(lists.map(({ path }) => path))('refuse a cursor that they did not give: %s', async (path) => {
    const url = path.replace('{api_id}', api_id).replace('{api_stub}', 'who-designed');
    for (const cursor of ['zzz', 'WyJhIl0', '%00']) {
      const response = await app.get(`${url}?cursor=${cursor}`);
      expect(response.status).toBe(422);
      expect(await issuesIn(response)).toEqual([['query.cursor', 'value_error']]);
    }
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
  ])('requires X-API-Key: %s %s', async (method, path) => {
    const response = await fetch(app.url + path, { method });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ detail: expect.any(String) });
  });
});
