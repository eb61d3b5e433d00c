/** The calls other than searches: waiting as the server asks, bounded retries, cached answers. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sourceLimits } from '../../protocol/index.ts';
import { type CitewireError, type Client, stateOfRecord } from '../../src/client/client.ts';
import { newWebhookSecret } from '../../src/webhooks/sign.ts';
import { quickClient, readAll } from '../support/clients/client-search.ts';
import { type ChaosProxy, startChaosProxy } from '../support/servers/chaos-proxy.ts';
import { article, startWebServer, type WebServer } from '../support/servers/web-server.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

const question = { prompt: 'Who designed the Heron Point Lighthouse?' };

describe('a client of the real server', () => {
  let app: TestApp;
  let web: WebServer;
  let proxy: ChaosProxy;
  let client: Client;
  beforeAll(async () => {
    web = await startWebServer();
    web.pages.set('/heron', { body: article('Heron Point', 'The lighthouse was designed by Ingrid Solvay in 1886.') });
    app = await startTestApp({ MEDIAWIKI_URL: 'off', FETCH_ALLOW_HOSTS: web.host });
    proxy = await startChaosProxy(app.url);
  });
  afterAll(async () => {
    await proxy.close();
    await app[Symbol.asyncDispose]();
    await web.close();
  });
  beforeEach(() => {
    client = quickClient({ baseUrl: `${proxy.url}/`, apiKey: app.key, cache: { ttlMs: 60_000, entries: 2 } });
  });
  afterEach(() => client.close());

  it('reads pages, snapshots, searches and the list of searches', async () => {
    const { citations, search_id } = await client.search(question).result;
    const [citation] = citations;
    const { response } = await client.snapshot(citation!.snapshot);
    expect(response.slice(citation!.source_start, citation!.source_end)).toBe(citation!.quote);
    expect(await client.getSearch(search_id)).toMatchObject({ state: 'completed', prompt: question.prompt });
    await client.search({ prompt: 'How high is the tower?' }).result;
    const page = await client.listSearches({ limit: 1 });
    expect(page.items).toMatchObject([{ prompt: 'How high is the tower?' }]);
    const next = await client.listSearches({ limit: 1, cursor: page.cursor! });
    expect(next.items).toMatchObject([{ search_id }]);
    expect(await client.removeSearch(search_id)).toEqual({ search_id, deleted: true });
    await expect(client.getSearch(search_id)).rejects.toMatchObject({ code: 'not_found' });
    const contents = await client.contents({ url: `${web.url}/heron`, query: 'Who designed it?' });
    expect(contents.response).toContain('Ingrid Solvay');
  });

  it('keeps a conversation as a thread, changes it, and shares it with those who have the link', async () => {
    const { search_id } = await client.search({ ...question, thread: true }).result;
    await client.search({ prompt: 'How high is it?', thread: search_id, previous_search_id: search_id }).result;
    expect((await client.threads.get(search_id)).turns).toHaveLength(2);
    await client.threads.change(search_id, { title: 'A lighthouse' });
    expect((await client.threads.list({ query: 'lighthouse high', limit: 1 })).items).toMatchObject([
      { thread_id: search_id },
    ]);
    const { token } = await client.threads.share(search_id, { days: 1 });
    const reader = quickClient({ baseUrl: `${proxy.url}/` });
    const { turns } = await reader.shared.get(token);
    const state = stateOfRecord(turns[0]!);
    expect(state).toMatchObject({ search_id, state: 'completed', mode: 'text' });
    const [citation] = state.citations;
    const { response } = await reader.shared.snapshot(token, citation!.snapshot);
    expect(response.slice(citation!.source_start, citation!.source_end)).toBe(citation!.quote);
    await client.threads.unshare(search_id);
    await expect(reader.shared.get(token)).rejects.toMatchObject({ code: 'not_found' });
    await client.threads.remove(search_id);
    await expect(client.threads.get(search_id)).rejects.toMatchObject({ code: 'not_found' });
    reader.close();
  });

  it('answers from its cache with copies, which callers may change', async () => {
    const { citations, ...first } = await client.search(question).result;
    const cited = citations.length;
    expect(cited).toBeGreaterThan(0);
    for (let times = 0; times < 3; times += 1) {
      const again = (await client.search(question).result) as {
        citations: unknown[];
        answer: string;
        search_id: string;
      };
      expect([again.search_id, again.citations.length]).toEqual([first.search_id, cited]);
      again.citations.length = 0;
    }
    citations.length = 0;
    const page = { url: `${web.url}/heron` };
    const before = (await client.contents(page)) as { response: string };
    const { response } = before;
    before.response = 'changed';
    const second = (await client.contents(page)) as { response: string };
    expect(second.response).toBe(response);
    second.response = 'changed';
    expect((await client.contents(page)).response).toBe(response);
  });

  it('refuses a file that is too large before it sends it', async () => {
    const before = proxy.requests.length;
    for (const content of [
      new Uint8Array(sourceLimits.upload_bytes + 1),
      new Blob(['x'.repeat(sourceLimits.upload_bytes + 1)]),
    ]) {
      await expect(client.sources.upload('large.txt', content)).rejects.toMatchObject({
        code: 'payload_too_large',
        status: 413,
        retryable: false,
      });
    }
    expect(proxy.requests.length).toBe(before);
  });

  it('never answers a search of a thread from its cache', async () => {
    const { search_id: first } = await client.search({ ...question, thread: true }).result;
    const { search_id: second } = await client.search({ ...question, thread: true }).result;
    expect(second).not.toBe(first);
  });

  it('never answers a search in the background, or one that calls a webhook, from its cache', async () => {
    for (const effect of [
      { background: true },
      { webhook: { url: 'https://receiver.example/', secret: newWebhookSecret() } },
    ]) {
      const { search_id: first } = await client.search({ ...question, ...effect }).result;
      const { search_id: second } = await client.search({ ...question, ...effect }).result;
      expect(second).not.toBe(first);
    }
  });

  it('throws the error of the server with its fields', async () => {
    const error = (await client.contents({ url: 'nowhere' }).catch((thrown) => thrown)) as CitewireError;
    expect(error).toMatchObject({ name: 'CitewireError', code: 'validation_error', status: 422, retryable: false });
    expect(error.issues).toMatchObject([{ loc: ['body', 'url'], type: 'url_parsing' }]);
    expect(error.request_id).toBeTypeOf('string');
    await expect(client.snapshot('n_none')).rejects.toMatchObject({ code: 'not_found', status: 404 });
    await expect(client.contents({ url: 'http://10.0.0.1/' })).rejects.toMatchObject({ code: 'blocked_address' });
  });

  it('returns a cached answer with all its events', async () => {
    const first = client.search(question);
    const frames = await readAll(first);
    const again = client.search({ ...question });
    expect(await readAll(again)).toEqual(frames);
    expect(await again.result).toEqual(await first.result);
    expect(again.search_id).toBe(first.search_id);
    const other = await client.search(question, { idempotencyKey: crypto.randomUUID() }).result;
    expect(other.search_id).not.toBe(first.search_id);
    const url = `${web.url}/heron`;
    const before = proxy.requests.length;
    const [one, two] = [await client.contents({ url }), await client.contents({ url })];
    expect(two).toEqual(one);
    expect(proxy.requests.length).toBeLessThanOrEqual(before + 1);
  });

  it('caches a limited number of answers and drops the least recently used', async () => {
    const { search_id } = await client.search(question).result;
    const second = await client.search({ prompt: 'How high is the tower?' }).result;
    expect((await client.search(question).result).search_id).toBe(search_id);
    await client.search({ prompt: 'What did the lamps burn?' }).result;
    expect((await client.search(question).result).search_id).toBe(search_id);
    expect((await client.search({ prompt: 'How high is the tower?' }).result).search_id).not.toBe(second.search_id);
  });
});

describe('a client of an overloaded server', () => {
  let answers: ((response: ServerResponse) => void)[];
  let requests: { line: string; key: string | string[] | undefined; at: number }[];
  let client: Client;
  let baseUrl: string;
  const server = createServer((request: IncomingMessage, response) => {
    const key = request.headers['idempotency-key'];
    requests.push({ line: `${request.method} ${request.url}`, key, at: performance.now() });
    (answers.shift() ?? ((last) => last.end('{"items": []}')))(response);
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    baseUrl = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    answers = [];
    requests = [];
    client = quickClient({ baseUrl, apiKey: 'k', maxRetries: 3, requestTimeoutMs: 300 });
  });

  const full =
    (status: number, headers: Record<string, string> = {}, error?: object) =>
    (response: ServerResponse): void => {
      response.writeHead(status, headers).end(error === undefined ? '' : JSON.stringify({ detail: 'x', error }));
    };
  const limited = { code: 'rate_limited', message: 'Too many.', retryable: true, request_id: 'r' };

  it('retries after the time in Retry-After', async () => {
    answers = [full(429, { 'retry-after': '1' }, limited), full(503)];
    expect(await client.listSearches()).toEqual({ items: [] });
    expect(requests.length).toBe(3);
    expect(requests[1]!.at - requests[0]!.at).toBeGreaterThanOrEqual(990);
  });

  it('fails immediately when Retry-After is more than two minutes', async () => {
    answers = [full(429, { 'retry-after': '3600' }, limited)];
    await expect(client.listSearches()).rejects.toMatchObject({ code: 'rate_limited', retry_after_ms: 3_600_000 });
    expect(requests.length).toBe(1);
  });

  it('prefers the milliseconds in the body to Retry-After', async () => {
    answers = [full(429, { 'retry-after': '60' }, { ...limited, retry_after_ms: 20 })];
    expect(await client.listSearches()).toEqual({ items: [] });
    expect(requests.length).toBe(2);
  });

  it('retries a lost or silent connection a limited number of times', async () => {
    answers = [(response) => response.destroy(), () => {}, (response) => response.writeHead(200).write('{"ite')];
    expect(await client.listSearches()).toEqual({ items: [] });
    expect(requests.length).toBe(4);
    answers = Array.from({ length: 9 }, () => full(503, {}, { ...limited, code: 'overloaded' }));
    await expect(client.listSearches()).rejects.toMatchObject({ code: 'overloaded', status: 503, retryable: true });
    expect(requests.length).toBe(8);
  });

  it.each([
    [500, 'internal', true],
    [502, 'unreachable', true],
    [404, 'not_found', false],
  ])('does not retry after %i %s', async (status, code, retryable) => {
    answers = [full(status, {}, { ...limited, code, retryable })];
    await expect(client.listSearches()).rejects.toMatchObject({ code, status, retryable });
    expect(requests.length).toBe(1);
  });

  it('rejects with bad_answer when another kind of server responds', async () => {
    answers = [(response) => response.end('<html>')];
    await expect(client.listSearches()).rejects.toMatchObject({ code: 'bad_answer' });
    answers = [full(418), (response) => response.end('<html>')];
    await expect(client.listSearches()).rejects.toMatchObject({ code: 'bad_answer', status: 418 });
    await expect(client.search(question, { transport: 'sse' }).result).rejects.toMatchObject({ code: 'bad_answer' });
  });

  it('retries a search under the same idempotency key', async () => {
    answers = [full(503), full(429, {}, { ...limited, retry_after_ms: 1 })];
    await expect(client.search(question, { transport: 'sse' }).result).rejects.toMatchObject({ code: 'bad_answer' });
    expect(requests.map(({ line }) => line)).toEqual(Array(3).fill('POST /v1/search'));
    expect(requests[0]!.key).toBeTypeOf('string');
    expect(new Set(requests.map(({ key }) => key)).size).toBe(1);
  });

  it('rejects with the reason of its signal once that fires', async () => {
    const leave = new AbortController();
    answers = [full(503, { 'retry-after': '50' })];
    const asked = client.listSearches({ signal: leave.signal });
    await expect.poll(() => requests.length).toBe(1);
    leave.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
  });
});
