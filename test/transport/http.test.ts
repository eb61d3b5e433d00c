/** Each status of an HTTP call, with its headers and body. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HTTPError, HTTPValidationError, type PageContents, type TextResult } from '../../protocol/index.ts';
import { connectRaw, statusesIn } from '../support/clients/raw-client.ts';
import { largeImage } from '../support/image.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

const page = 'https://chat.example.org';
const question = { prompt: 'Who designed the Heron Point Lighthouse?' };

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ ALLOWED_ORIGINS: `${page},http://localhost:5173` });
});
afterAll(async () => {
  expect(app.faults).toEqual([]);
  await app[Symbol.asyncDispose]();
});

/** The error of an answer, whose body is checked against the contract. */
async function expectError(response: Response, status: number, code: string) {
  const body: unknown = await response.json();
  expect(response.status, JSON.stringify(body)).toBe(status);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const { detail, error } = (status === 422 ? HTTPValidationError : HTTPError).strict().parse(body);
  expect(error.code).toBe(code);
  expect(error.request_id).toBe(response.headers.get('x-request-id'));
  if (status === 422) expect(error.issues).toEqual(detail);
  else expect(detail).toBe(error.message);
  return { detail, error };
}

const call = (method: string, path: string, headers: Record<string, string> = {}) =>
  fetch(app.url + path, { method, headers });

async function newKey(plan: 'starter' | 'pro') {
  return app.accounts.createKey({ name: 'http', plan });
}

describe('authentication', () => {
  it.each([{}, { 'x-api-key': '' }, { 'x-api-key': 'cw_nobody' }, { 'x-api-key': 'k'.repeat(8_000) }])(
    'answers 401 to a missing or wrong key (%#)',
    async (key) => {
      const headers = { 'content-type': 'application/json', ...key } as Record<string, string>;
      const response = await fetch(`${app.url}/v1/search`, { method: 'POST', headers, body: JSON.stringify(question) });
      await expectError(response, 401, 'unauthorized');
      expect(response.headers.has('ratelimit')).toBe(false);
    },
  );

  it('answers 401 to two keys, even if both are valid', async () => {
    const client = await connectRaw(app.url);
    const key = `X-API-Key: ${app.key}\r\n`;
    client.send(`GET /v1/contents/x HTTP/1.1\r\nHost: a\r\n${key}${key}Connection: close\r\n\r\n`);
    expect(statusesIn(await client.ended)).toEqual([401]);
  });

  it('answers 403 to a suspended account, with the reason', async () => {
    const { plaintext, account } = await newKey('pro');
    await app.accounts.setStatus(account.id, 'suspended', 'unpaid');
    const response = await app.post('/v1/search', question, { 'x-api-key': plaintext });
    const { error } = await expectError(response, 403, 'forbidden');
    expect(error.message).toContain('unpaid');
  });

  it('answers 401 before it reads the body', async () => {
    const response = await app.post('/v1/search', '{"prompt"', { 'x-api-key': 'cw_nobody' });
    await expectError(response, 401, 'unauthorized');
  });
});

describe('routing', () => {
  it.each([
    '/index.html',
    '/dashboards',
    '/assets/',
    '/assets/none.js',
    '/assets/../src/app.ts',
    '/v1',
    '/v1/search/',
    '/V1/SEARCH',
    '//v1/search',
    '/v1/search%00',
    '/v1/%73earch',
    '/v1/contents/',
    '/v1/contents/a/b',
    '/%',
    '/%ff',
    '/..%2f..%2fetc/passwd',
    `/${'a'.repeat(12_000)}`,
  ])('answers 404 for %s', async (path) => {
    await expectError(await app.get(path), 404, 'not_found');
  });

  it.each(['%', '%ff', '%00', '%2e%2e%2f', 'snap', 'a'.repeat(10_000), '__proto__', "'--", '%F0%9F%90%99'])(
    'answers 404 for a snapshot called %s',
    async (id) => {
      await expectError(await app.get(`/v1/contents/${id}`), 404, 'not_found');
    },
  );

  it.each([
    ['GET', '/v1/contents', 'POST'],
    ['PUT', '/v1/contents', 'POST'],
    ['OPTIONS', '/v1/contents', 'POST'],
    ['PROPFIND', '/healthz', 'GET, HEAD'],
    ['DELETE', '/v1/contents/a', 'GET, HEAD'],
    ['POST', '/v1/ws/search', 'GET, HEAD'],
  ])('answers 405 to %s %s and names the allowed methods', async (method, path, allowed) => {
    const response = await call(method, path);
    await expectError(response, 405, 'method_not_allowed');
    expect(response.headers.get('allow')).toBe(allowed);
  });

  it('answers 426 to a GET of the WebSocket without an upgrade, and names the alternative', async () => {
    const response = await app.get('/v1/ws/search');
    const { error } = await expectError(response, 426, 'upgrade_required');
    expect(response.headers.get('upgrade')).toBe('websocket');
    expect(response.headers.get('sec-websocket-version')).toBe('13');
    expect(error.message).toContain('text/event-stream');
  });

  it('accepts a query string of 12,000 characters', async () => {
    expect((await app.get(`/healthz?${'a'.repeat(12_000)}`)).status).toBe(200);
  });
});

describe('request bodies', () => {
  const bom = '\uFEFF';
  it.each<[string, unknown, (string | number)[]]>([
    ['no JSON', '{"prompt": ', ['body']],
    ['nothing', '', ['body']],
    ['a list', [], ['body']],
    ['null', 'null', ['body']],
    ['a number', '1', ['body']],
    ['NaN', '{"prompt": NaN}', ['body']],
    ['a trailing comma', '{"prompt": "a",}', ['body']],
    ['two byte order marks', `${bom}${bom}{"prompt": "a"}`, ['body']],
    ['100,000 open brackets', '['.repeat(100_000), ['body']],
    ['100,000 nested lists', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, ['body']],
    ['no prompt', {}, ['body', 'prompt']],
    ['a prompt of the wrong type', { prompt: 1 }, ['body', 'prompt']],
    ['an empty prompt', { prompt: '' }, ['body', 'prompt']],
    ['a nested prompt', `{"prompt": ${'['.repeat(50_000)}${']'.repeat(50_000)}}`, ['body']],
    ['a nested template', `{"prompt": "a", "output_format": ${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`, ['body']],
    ['a field that nobody knows', { ...question, colour: 'red' }, ['body', 'colour']],
    ['__proto__', '{"prompt": "a", "__proto__": {"x": 1}}', ['body', '__proto__']],
    ['constructor', '{"prompt": "a", "constructor": {"prototype": {}}}', ['body', 'constructor']],
    [
      '50,000 keys, in no JSON',
      `{"prompt": "a", "output_format": {${'"a":1,'.repeat(50_000)}`,
      ['body', 'output_format'],
    ],
    ['200,000 entries, in no JSON', `{"source_whitelist": [${'1,'.repeat(200_000)}`, ['body', 'source_whitelist']],
    ['a name of 50,000 characters, in no JSON', `{"${'a'.repeat(50_000)}"`, ['body']],
  ])('answers 422 to %s', async (_, body, loc) => {
    const { plaintext } = await newKey('pro');
    const response = await app.post('/v1/search', body, { 'x-api-key': plaintext });
    const { detail } = await expectError(response, 422, 'validation_error');
    if (loc.length > 0) expect(detail).toMatchObject([{ loc }]);
    expect(response.headers.get('ratelimit')).toMatch(/^"pro";r=99;t=6[01]$/);
  });

  it.each([
    ['None, as in Python', '{"prompt": None}', 'it breaks at "N"'],
    ['single quotes around it, as a shell of Windows leaves them', "'{", 'it breaks at "\'"'],
    ['an object that was not serialised', '[object Object]', 'it has no JSON value'],
    ['a comma before the end of a list', '{"source_whitelist": ["a",], "prompt": "b"}', 'it breaks at "]"'],
    ['single quotes', "{'prompt': 'a'}", 'it breaks at position 1'],
    ['a missing end', '{"prompt": ', 'it ends too early'],
    ['a missing end of a string', '{"prompt": "a', 'it breaks at position 13'],
  ])('says where JSON breaks: %s', async (_, body, where) => {
    const { error } = await expectError(await app.post('/v1/search', body), 422, 'validation_error');
    // Newer versions of Node also name the line.
    expect(error.message).toContain(`expected JSON; ${where}`);
  });

  it('answers 422 to a body that is not UTF-8, with the location', async () => {
    const body = Buffer.from('{"prompt": "caf\xe9"}', 'latin1');
    const headers = { 'x-api-key': app.key, 'content-type': 'application/json' };
    const response = await fetch(`${app.url}/v1/search`, { method: 'POST', headers, body });
    const { detail } = await expectError(response, 422, 'validation_error');
    expect(detail).toMatchObject([{ loc: ['body'], type: 'json_invalid' }]);
  });

  it('ignores one byte order mark', async () => {
    expect((await app.post('/v1/search', `${bom}${JSON.stringify(question)}`)).status).toBe(200);
  });

  it('never quotes a body that does not parse', async () => {
    const response = await app.post('/v1/search', '{"prompt": "my secret" oops}');
    expect(await response.text()).not.toContain('secret');
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', '', 'json'])(
    'answers 415 to a body of type %j',
    async (type) => {
      const response = await app.post('/v1/search', question, { 'content-type': type });
      await expectError(response, 415, 'unsupported_media_type');
      expect(response.headers.has('ratelimit')).toBe(true);
    },
  );

  it.each(['application/json; charset=utf-8', 'Application/JSON', 'application/vnd.api+json'])(
    'accepts a body of type %s',
    async (type) => {
      expect((await app.post('/v1/search', question, { 'content-type': type })).status).toBe(200);
    },
  );

  it.each(['gzip', 'br', 'identity, gzip'])('answers 415 to a body coded as %s', async (coding) => {
    const response = await app.post('/v1/search', question, { 'content-encoding': coding });
    await expectError(response, 415, 'unsupported_media_type');
  });

  it('answers 413 to a body over 1 MiB, and accepts 13 MB with an image', async () => {
    const large = { ...question, prompt: 'x'.repeat(1024 * 1024) };
    const response = await app.post('/v1/search', large);
    await expectError(response, 413, 'payload_too_large');
    expect(response.headers.has('ratelimit')).toBe(true);
    expect((await app.post('/v1/search', { ...question, image: largeImage(13_000_000) })).status).toBe(200);
  });
});

describe('rate limits', () => {
  it('counts each call, sends RateLimit headers with every answer, and answers 429 with Retry-After', async () => {
    const { plaintext } = await newKey('starter');
    const headers = { 'x-api-key': plaintext };
    for (let left = 9; left >= 0; left--) {
      const response = await app.post('/v1/search', left % 2 === 0 ? {} : { prompt: 1 }, headers);
      expect(response.status).toBe(422);
      expect(response.headers.get('ratelimit-policy')).toBe('"starter";q=10;w=60');
      expect(response.headers.get('ratelimit')).toMatch(new RegExp(`^"starter";r=${left};t=\\d+$`));
      expect(response.headers.has('retry-after')).toBe(false);
    }
    const refused = await app.post('/v1/search', question, headers);
    const { error } = await expectError(refused, 429, 'rate_limited');
    expect(refused.headers.get('ratelimit')).toMatch(/^"starter";r=0;t=\d+$/);
    expect(Number(refused.headers.get('retry-after'))).toBe(Math.ceil(error.retry_after_ms! / 1000));
  });

  it('sends RateLimit headers with a stream of events', async () => {
    const response = await app.post('/v1/search', question, { accept: 'text/event-stream' });
    expect(response.headers.get('ratelimit')).toMatch(/^"pro";r=\d+;t=\d+$/);
    await response.body?.cancel();
  });

  it('charges nothing for reading a snapshot or a document', async () => {
    const answer = (await (await app.post('/v1/search', question)).json()) as TextResult;
    for (const path of [`/v1/contents/${answer.sources[0]!.snapshot}`, '/openapi.json', '/healthz']) {
      const response = await app.get(path);
      expect(response.status).toBe(200);
      expect(response.headers.has('ratelimit')).toBe(false);
    }
  });
});

describe('documents and snapshots', () => {
  it('answers health checks without a key', async () => {
    expect(await (await call('GET', '/healthz')).json()).toEqual({ status: 'ok' });
    expect(await (await call('GET', '/readyz')).json()).toEqual({ status: 'ready' });
  });

  it.each([
    ['/openapi.json', 'openapi'],
    ['/asyncapi.json', 'asyncapi'],
  ])('serves %s without a key', async (path, field) => {
    const response = await call('GET', path);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toHaveProperty(field);
  });

  it.each(['/', '/dashboard', '/metrics', '/healthz', '/nothing'])(
    'sends X-Request-Id with its answer to GET %s',
    async (path) => {
      expect((await call('GET', path)).headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
    },
  );

  it('lets the client cache a snapshot', async () => {
    const answer = (await (await app.post('/v1/search', question)).json()) as TextResult;
    const { snapshot, quote, source_start, source_end } = answer.citations[0]!;
    const response = await app.get(`/v1/contents/${encodeURIComponent(snapshot)}`);
    const contents = (await response.json()) as PageContents;
    expect(contents.response.slice(source_start, source_end)).toBe(quote);
    expect(response.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
  });

  it('lets nothing but snapshots be cached', async () => {
    for (const path of ['/healthz', '/nothing']) {
      expect((await app.get(path)).headers.get('cache-control')).toBe('no-store');
    }
  });

  it.each(['/healthz', '/openapi.json', '/nothing'])(
    'answers HEAD %s with the headers of GET and no body',
    async (path) => {
      const [head, get] = await Promise.all([call('HEAD', path), call('GET', path)]);
      expect(head.status).toBe(get.status);
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
      expect(Number(head.headers.get('content-length'))).toBe((await get.arrayBuffer()).byteLength);
      expect(await head.text()).toBe('');
    },
  );

  it('answers the next request on the same connection after a HEAD', async () => {
    const client = await connectRaw(app.url);
    client.send('HEAD /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
    await client.until((text) => text.endsWith('\r\n\r\n'));
    client.send('GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(statusesIn(await client.ended)).toEqual([200, 200]);
  });

  it('answers HEAD of the events of a search with their headers, then the next request on the connection', async () => {
    const { search_id } = (await (await app.post('/v1/search', question)).json()) as { search_id: string };
    const client = await connectRaw(app.url);
    const events = `/v1/search/${search_id}/events`;
    client.send(`HEAD ${events} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${app.key}\r\n\r\n`);
    const head = await client.until((text) => text.includes('\r\n\r\n'));
    expect(head.toLowerCase()).toContain('content-type: text/event-stream');
    expect(head.toLowerCase()).not.toContain('content-length');
    client.send('GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    const text = await client.ended;
    expect(statusesIn(text)).toEqual([200, 200]);
    expect(text).not.toContain('search.accepted');
  });
});

describe('Expect: 100-continue', () => {
  it.each([
    ['2 MB', 2_000_000, 413],
    ['13 MB with an image', 13_000_000, 200],
    ['20 MB', 20_000_000, 413],
  ])('sends 100 immediately and then the answer to curl with %s', async (_, size, status) => {
    const folder = await mkdtemp(join(tmpdir(), 'citewire-'));
    const file = join(folder, 'body.json');
    await writeFile(file, JSON.stringify(status === 200 ? { ...question, image: largeImage(size) } : 'x'.repeat(size)));
    // curl waits as long as this for "100 Continue"; the server would have cut it off by then.
    const args = ['-sS', '--expect100-timeout', '60', '-o', join(folder, 'answer'), '-w', '%{http_code}'];
    const headers = [`X-API-Key: ${app.key}`, 'Content-Type: application/json', 'Expect: 100-continue'];
    const sent = [...headers.flatMap((header) => ['-H', header]), '--data-binary', `@${file}`];
    const { stdout } = await promisify(execFile)('curl', [...args, ...sent, `${app.url}/v1/search`]);
    await rm(folder, { recursive: true });
    expect(Number(stdout)).toBe(status);
  });
});

describe('a page in a browser', () => {
  const asks = { origin: page, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-api-key' };
  const corsOf = ({ headers }: Response) => [...headers.keys()].filter((name) => name.startsWith('access-control-'));

  it('allows a page of an allowed origin the headers and methods that the API needs', async () => {
    const response = await call('OPTIONS', '/v1/search', asks);
    expect(response.status).toBe(204);
    expect(await response.text()).toBe('');
    expect(response.headers.has('content-length')).toBe(false);
    expect(response.headers.get('access-control-allow-origin')).toBe(page);
    expect(response.headers.get('access-control-allow-methods')).toContain('POST');
    for (const name of [
      'x-api-key',
      'content-type',
      'idempotency-key',
      'last-event-id',
      'user-agent',
      'x-client-source',
    ]) {
      expect(response.headers.get('access-control-allow-headers')).toContain(name);
    }
    expect(response.headers.has('access-control-allow-credentials')).toBe(false);
  });

  it.each(['https://evil.example', 'null', `${page}.evil.example`, page.toUpperCase(), 'http://chat.example.org', ''])(
    'sends no CORS headers to origin %s',
    async (origin) => {
      const refused = await call('OPTIONS', '/v1/search', { ...asks, origin });
      expect(refused.status).toBe(405);
      expect(corsOf(refused)).toEqual([]);
      expect(corsOf(await call('GET', '/healthz', { origin }))).toEqual([]);
    },
  );

  it('lets a page of an allowed origin read answers, errors and their headers', async () => {
    const origin = { origin: 'http://localhost:5173' };
    const answers = [
      await app.post('/v1/search', question, origin),
      await app.post('/v1/search', {}, origin),
      await app.post('/v1/search', question, { ...origin, 'x-api-key': 'cw_nobody' }),
      await app.get('/nothing', origin),
      await app.post('/v1/search', question, { ...origin, accept: 'text/event-stream' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 422, 401, 404, 200]);
    for (const answer of answers) {
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin.origin);
      for (const name of ['retry-after', 'ratelimit', 'ratelimit-policy', 'x-search-id', 'x-request-id']) {
        expect(answer.headers.get('access-control-expose-headers')).toContain(name);
      }
      await answer.arrayBuffer();
    }
  });

  it('sends Vary, so that no cache reuses the answer for another page', async () => {
    for (const path of ['/healthz', '/nothing']) expect((await app.get(path)).headers.get('vary')).toBe('origin');
  });
});
