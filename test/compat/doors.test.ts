/** What every door shares: the key as a bearer token, CORS, the form of errors, and the record of where a search came in. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startTestApp, type TestApp } from '../support/start-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ ALLOWED_ORIGINS: 'https://chat.example.org' });
});
afterAll(() => app[Symbol.asyncDispose]());

const prompt = 'Who designed the Heron Point Lighthouse?';
const json = { 'content-type': 'application/json' };
const openSocket = (headers: Record<string, string>) =>
  new Promise<number>((resolve) => {
    const socket = new WebSocket(`${app.url.replace('http', 'ws')}/v1/ws/search`, { headers });
    socket.on('upgrade', () => {
      resolve(101);
      socket.close();
    });
    socket.on('unexpected-response', (request, response) => {
      resolve(response.headers['www-authenticate'] === 'Bearer realm="citewire"' ? response.statusCode! : 0);
      request.destroy();
    });
    socket.on('error', () => {});
  });

describe('a key as a bearer token', () => {
  it('answers a search as with X-API-Key', async () => {
    const headers = { ...json, authorization: `Bearer ${app.key}` };
    const response = await fetch(`${app.url}/v1/search`, { method: 'POST', headers, body: JSON.stringify({ prompt }) });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-should-retry')).toBe('false');
  });

  it('opens a WebSocket, and is refused with a challenge where it is wrong', async () => {
    expect(await openSocket({ authorization: `bearer ${app.key}` })).toBe(101);
    expect(await openSocket({ authorization: 'Bearer cw_none' })).toBe(401);
  });

  it('is ignored beside X-API-Key', async () => {
    const get = (headers: Record<string, string>) => fetch(`${app.url}/v1/usage`, { headers });
    expect((await get({ 'x-api-key': app.key, authorization: 'Bearer cw_none' })).status).toBe(200);
    const refused = await get({ 'x-api-key': 'cw_none', authorization: `Bearer ${app.key}` });
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="citewire"']);
  });

  it.each(['Basic abc', 'Bearer', 'Bearer ', 'cw_none'])('refuses another authorization: %s', async (authorization) => {
    const response = await fetch(`${app.url}/v1/usage`, { headers: { authorization } });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="citewire"']);
  });
});

describe('pages of other origins', () => {
  it('may send the headers of the clients of OpenAI and of MCP', async () => {
    const asked = 'authorization, X-Stainless-Lang, x-stainless-retry-count, traceparent, mcp-protocol-version, cookie';
    const response = await fetch(`${app.url}/v1/models`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://chat.example.org',
        'access-control-request-method': 'GET',
        'access-control-request-headers': asked,
      },
    });
    const allowed = response.headers.get('access-control-allow-headers')!.split(', ');
    expect(response.status).toBe(204);
    expect(allowed).toEqual(expect.arrayContaining(asked.toLowerCase().split(', ').slice(0, 5)));
    expect(allowed).not.toContain('cookie');
  });
});

describe('paths below /.well-known', () => {
  it.each(['oauth-protected-resource', 'oauth-authorization-server/v1', 'openid-configuration'])(
    'answers 404 as JSON: %s',
    async (name) => {
      const response = await fetch(`${app.url}/.well-known/${name}`, { headers: { accept: 'text/html' } });
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ error: { code: 'not_found' } });
    },
  );
});

describe('errors at a door', () => {
  const openai = (code: string, type: string) => ({ error: { message: expect.any(String), type, param: null, code } });

  it.each<[string, string, string, Record<string, string>, number, object]>([
    [
      'a bad key',
      'GET',
      '/v1/models',
      { authorization: 'Bearer no' },
      401,
      openai('unauthorized', 'authentication_error'),
    ],
    ['another method', 'DELETE', '/v1/models', {}, 405, openai('method_not_allowed', 'invalid_request_error')],
    ['an unknown model', 'GET', '/v1/models/gpt-5', {}, 404, openai('not_found', 'invalid_request_error')],
  ])('have the shape of its protocol: %s', async (_, method, path, headers, status, body) => {
    const authorization = `Bearer ${app.key}`;
    const response = await fetch(app.url + path, { method, headers: { authorization, ...headers } });
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual(body);
  });
});

describe('the list of searches', () => {
  it('names the door of each search', async () => {
    const { items } = (await (await app.get('/v1/search')).json()) as { items: { door: string }[] };
    expect(items.map(({ door }) => door)).toContain('native');
  });
});
