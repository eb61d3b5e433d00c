/** POST /mcp with the real clients in every mode, and what they never send. Runs over both servers. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plans } from '../../../src/access/plans.ts';
import { connectMcp, type McpClient, mcpModes, type Progress } from '../../support/clients/mcp-clients.ts';
import { createDesign, expectedAnswer, publish } from '../../support/design.ts';
import { keyOf } from '../../support/requests.ts';
import { type HeldSearch, startHeldSearch } from '../../support/servers/held-search.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';

const builtIn = ['answer', 'search', 'fetch', 'read_page', 'research_start', 'research_result'];
const question = { prompt: 'Who designed the Heron Point Lighthouse?' };
let app: TestApp;
let held: HeldSearch;
/** Its searches wait for `held`. */
let slow: TestApp;

beforeAll(async () => {
  app = await startTestApp({ ALLOWED_ORIGINS: 'https://chat.example.org' });
  held = await startHeldSearch();
  slow = await startTestApp({ SEARXNG_URL: held.url });
  const { api_id } = await createDesign(app);
  await publish(app, api_id);
});
afterAll(async () => {
  await held.close();
  await slow[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
});

const connect = (mode: (typeof mcpModes)[number], to = app, key = to.key) =>
  connectMcp(mode, { url: `${to.url}/mcp`, headers: { authorization: `Bearer ${key}` } });

/** The states of the searches that came in through MCP, newest first. */
async function recorded(to: TestApp, key = to.key): Promise<string[]> {
  const response = await to.get('/v1/search', { 'x-api-key': key });
  const { items } = (await response.json()) as { items: { door: string; state: string }[] };
  return items.filter(({ door }) => door === 'mcp').map(({ state }) => state);
}

describe.each(mcpModes)('a client, %s', (mode) => {
  let client: McpClient;
  beforeAll(async () => {
    client = await connect(mode);
  });
  afterAll(() => client.close());

  it('lists the tools and gets results that fit their schemas', async () => {
    expect(await client.listTools()).toEqual(expect.arrayContaining([...builtIn, 'api_who-designed']));
    const { structuredContent, content } = await client.callTool('answer', question);
    expect(structuredContent).toMatchObject({ state: 'completed', status: 'answered' });
    expect(JSON.parse(content[0]!.text!)).toEqual(structuredContent);
    const links = content.filter(({ type }) => type === 'resource_link');
    const { sources, citations } = structuredContent as { sources: unknown[]; citations: Record<string, never>[] };
    expect(links.length).toBe(sources.length);
    const { snapshot, quote, source_start, source_end } = citations[0]!;
    // biome-ignore lint/suspicious/noExplicitAny: both SDKs have this call, under types of their own.
    const resource = await (client.client as any).readResource({ uri: `citewire://snapshots/${snapshot}` });
    expect(resource.contents[0].text.slice(source_start, source_end)).toBe(quote);
  });

  it('asks about an image by its URL, with a warning if no model could look at it', async () => {
    const asked = await client.callTool('answer', { ...question, image: 'https://pictures.example/lighthouse.png' });
    const warnings = [{ code: 'image_not_used', message: 'No model with vision is configured.' }];
    expect(asked.structuredContent).toMatchObject({ state: 'completed', warnings });
    const { search_id } = asked.structuredContent as { search_id: string };
    expect((await client.callTool('research_result', { search_id })).structuredContent).toMatchObject({ warnings });
    expect(await client.callTool('answer', { ...question, image: 'AAAA' })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('expected an http or https URL') }],
    });
  });

  it('names what a tool takes where its value is wrong', async () => {
    const textOf = async (name: string, args: object) =>
      (await client.callTool(name, args as Record<string, unknown>)).content.map(({ text }) => text).join('\n');
    for (const id of ['no address', 'ftp://a.example/', 'http://127.0.0.1:1/'])
      expect(await textOf('fetch', { id })).not.toMatch(/\b(?:url|body)[.:]/);
    expect(await textOf('fetch', { id: 'no address' })).toMatch(/^validation_error: id: /);
    const both = { source_whitelist: ['a.example'], source_blacklist: ['b.example'] };
    expect(await textOf('answer', { ...question, ...both })).toMatch(/^validation_error: expected source_whitelist or/);
  });

  it('may send null or an empty string for what it does not set', async () => {
    const unset = { effort: null, from: '', output_format: null, source_whitelist: null, previous_search_id: '' };
    const { structuredContent } = await client.callTool('answer', { ...question, ...unset });
    expect(structuredContent).toMatchObject({ state: 'completed', status: 'answered' });
    const { isError, content } = await client.callTool('answer', { prompt: '' });
    expect(isError).toBe(true);
    expect(JSON.stringify(content)).not.toContain('body.');
  });

  it('finds sources and fetches them in the shape of connectors', async () => {
    const found = await client.callTool('search', { query: 'Heron Point Lighthouse' });
    const { results } = JSON.parse(found.content[0]!.text!) as { results: Record<string, string>[] };
    expect(found.content.length).toBe(1);
    expect(results.length).toBeGreaterThan(0);
    for (const result of results) {
      expect(Object.keys(result).sort()).toEqual(['id', 'title', 'url']);
      expect(Object.values(result)).not.toContain('');
    }
    const fetched = await client.callTool('fetch', { id: results[0]!.id });
    const page = JSON.parse(fetched.content[0]!.text!) as Record<string, unknown>;
    expect(Object.keys(page).sort()).toEqual(['id', 'metadata', 'text', 'title', 'url']);
    expect(page).toMatchObject({ id: results[0]!.id, url: results[0]!.url, text: expect.stringContaining('Heron') });
  });

  it('runs a published API as a tool', async () => {
    const { structuredContent } = await client.callTool('api_who-designed', { building: 'Heron Point Lighthouse' });
    expect(structuredContent).toEqual(expectedAnswer);
    const refused = await client.callTool('api_who-designed', { building: 7 });
    expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('building') }] });
    expect(refused.structuredContent).toBeUndefined();
  });

  it('fills a template with its evidence', async () => {
    const output_format = { designer: 'string', year: 'number' };
    const { structuredContent } = await client.callTool('answer', { ...question, output_format });
    expect(structuredContent).toMatchObject({ output: { designer: 'Ingrid Solvay' }, evidence: expect.any(Array) });
  });

  it('receives rising progress', async () => {
    const seen: Progress[] = [];
    await client.callTool('answer', question, { onprogress: (progress) => seen.push(progress) });
    const counts = seen.map(({ progress }) => progress);
    expect(counts.length).toBeGreaterThanOrEqual(2);
    expect(counts).toEqual([...new Set(counts)].sort((a, b) => a - b));
    for (const { message } of seen) expect(message).not.toBe('');
  });

  it('cancels a search by aborting its call', async () => {
    const { plaintext } = await slow.accounts.createKey({ plan: 'pro', name: mode });
    const waiting = await connect(mode, slow, plaintext);
    const abort = new AbortController();
    const call = waiting
      .callTool('answer', { prompt: 'What is held?' }, { signal: abort.signal, onprogress: () => abort.abort() })
      .catch((error: Error) => error);
    expect(await call).toBeInstanceOf(Error);
    await expect.poll(() => recorded(slow, plaintext)).toEqual(['cancelled']);
    await waiting.close();
  });

  it('starts a research that survives a reconnect and is read by its id', async () => {
    const { plaintext } = await slow.accounts.createKey({ plan: 'pro', name: mode });
    const first = await connect(mode, slow, plaintext);
    const { structuredContent } = await first.callTool('research_start', { prompt: 'What is held?' });
    const { search_id } = structuredContent as { search_id: string };
    await first.close();
    const second = await connect(mode, slow, plaintext);
    const running = await second.callTool('research_result', { search_id, wait_seconds: 0.2 });
    expect(running.structuredContent).toMatchObject({ search_id, state: 'running' });
    const gone = new AbortController();
    const left = second.callTool('research_result', { search_id }, { signal: gone.signal }).catch(() => 'left');
    gone.abort();
    expect(await left).toBe('left');
    const again = await second.callTool('research_result', { search_id, wait_seconds: 0.2 });
    expect(again.structuredContent).toMatchObject({ state: 'running' });
    const record = await slow.get(`/v1/search/${search_id}`, { 'x-api-key': plaintext });
    expect(await record.json()).toMatchObject({ state: 'running', attempt: 1 });
    const metrics = await (await fetch(`${slow.url}/metrics`)).text();
    expect(metrics).toMatch(/^citewire_searches_in_background [1-9]/m);
    await fetch(`${slow.url}/v1/search/${search_id}`, { method: 'DELETE', headers: { 'x-api-key': plaintext } });
    const ended = await second.callTool('research_result', { search_id });
    expect(ended).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('cancelled') }] });
    await second.close();
  });
});

describe('limits and scopes', () => {
  it('says in a result when a key may call again', async () => {
    const headers = await keyOf(app, 'starter', 'limited');
    const client = await connect('pinned', app, headers['x-api-key']);
    for (let n = 0; n < 10; n += 1) await client.callTool('search', { query: 'Heron' });
    const { isError, content, structuredContent, _meta } = await client.callTool('answer', question);
    expect([isError, structuredContent]).toEqual([true, undefined]);
    expect(content[0]!.text).toMatch(/^rate_limited: [^\n]*try again in [\d.]+ s\.$/);
    expect(_meta).toMatchObject({ retry_after_ms: expect.any(Number) });
    await client.close();
  });

  it('lists only what a key may use, and refuses the rest', async () => {
    const key = async (scopes: ('search' | 'run' | 'design')[]) =>
      (await app.accounts.createKey({ plan: 'pro', name: 'scoped', scopes })).plaintext;
    const searching = await connect('legacy', app, await key(['search']));
    expect(await searching.listTools()).toEqual(builtIn);
    const refused = await searching.callTool('api_who-designed', { building: 'x' });
    expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('forbidden') }] });
    const running = await connect('legacy', app, await key(['run']));
    expect(await running.listTools()).toEqual(['fetch', 'research_result', 'api_who-designed']);
    expect(await running.callTool('answer', question)).toMatchObject({ isError: true });
    await Promise.all([searching.close(), running.close()]);
  });

  it('does not show one account the searches of another', async () => {
    const { search_id } = (await (await app.post('/v1/search', question)).json()) as { search_id: string };
    const other = await connect('pinned', app, (await keyOf(app))['x-api-key']);
    const result = await other.callTool('research_result', { search_id });
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('not_found') }] });
    await other.close();
  });
});

describe('calls that wait for a search', () => {
  it('are counted with the connections of their key, as readers of its events are', async () => {
    const headers = await keyOf(slow, 'starter', 'waiting');
    const started = await slow.post('/mcp', call('research_start', { prompt: 'What is held?' }), headers);
    const { search_id } = (await resultOf(started)).structuredContent as { search_id: string };
    const leave = new AbortController();
    const wait = (wait_seconds: number, signal?: AbortSignal) =>
      fetch(`${slow.url}/mcp`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(call('research_result', { search_id, wait_seconds })),
        ...(signal === undefined ? {} : { signal }),
      });
    const limit = plans.starter.connections_per_key;
    const asked = 3 * limit;
    const waiting = Array.from({ length: asked }, () => wait(45, leave.signal).then(resultOf));
    const refused: Awaited<ReturnType<typeof resultOf>>[] = [];
    for (const each of waiting) each.then((result) => refused.push(result)).catch(() => {});
    await expect.poll(() => refused.length).toBe(asked - limit);
    for (const { isError, content } of refused) {
      expect([isError, content[0]!.text]).toEqual([true, expect.stringContaining('too_many_searches')]);
    }
    leave.abort();
    await Promise.allSettled(waiting);
    await expect
      .poll(async () => (await resultOf(await wait(0.1))).structuredContent)
      .toMatchObject({ state: 'running' });
    await fetch(`${slow.url}/v1/search/${search_id}`, { method: 'DELETE', headers });
  });
});

describe('the tool of an API', () => {
  it('says who published it, and hides nothing in its descriptions', async () => {
    const hidden = '\u{e0049}\u{e0067}\u202e\u200b';
    const inputs = { building: { type: 'string', description: `A building${hidden}` } };
    const design = { api_stub: 'hiding', name: 'Hiding', description: `Harmless${hidden}`, inputs };
    const { api_id } = await createDesign(app, design);
    await publish(app, api_id);
    const response = await app.post('/mcp', message('tools/list'));
    const { result } = (await response.json()) as { result: { tools: { name: string; description: string }[] } };
    const tool = result.tools.find(({ name }) => name === 'api_hiding')!;
    expect(tool.description).toMatch(/^An API published by "development", version 1: Harmless/);
    expect(JSON.stringify(tool)).not.toMatch(/[\p{Cf}\p{Co}]/u);
  });

  it('with a long stub has a short name, as models refuse names above 64 characters that clients put their own before', async () => {
    const api_stub = `${'long-'.repeat(12)}stub`;
    expect(api_stub).toHaveLength(64);
    await publish(app, (await createDesign(app, { api_stub })).api_id);
    const client = await connect('pinned');
    const name = (await client.listTools()).find((each) => each.startsWith('api_long'))!;
    expect(name).toMatch(/^api_[a-z-]+[a-z]__[0-9a-f]{8}$/);
    expect(name.length).toBeLessThanOrEqual(48);
    for (const tool of [name, `api_${api_stub}`]) {
      const { structuredContent } = await client.callTool(tool, { building: 'Heron Point Lighthouse' });
      expect(structuredContent).toMatchObject(expectedAnswer);
    }
    await expect(client.callTool('api_long__01234567', {})).rejects.toThrow('There is no tool');
    await client.close();
  });
});

describe('changes of the list of tools', () => {
  it('are announced over a stream only, as their announcements have no end', async () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: {} };
    const response = await app.post('/mcp', message, { accept: 'application/json' });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('expected text/event-stream');
  });

  it('are announced to clients that listen', async () => {
    const client = await connect('pinned');
    // biome-ignore lint/suspicious/noExplicitAny: only the second SDK listens.
    const second = client.client as any;
    const changed = new Promise<void>((resolve) => {
      second.setNotificationHandler('notifications/tools/list_changed', () => resolve());
    });
    const listening = await second.listen({ toolsListChanged: true });
    const { api_id } = await createDesign(app, { api_stub: 'announced', name: 'Announced' });
    await publish(app, api_id);
    await changed;
    expect(await client.listTools()).toContain('api_announced');
    await listening.close();
    await client.close();
  });
});

describe('connections', () => {
  it('cancels the search of a client that closes its connection', async () => {
    const { plaintext } = await slow.accounts.createKey({ plan: 'pro', name: 'leaving' });
    const gone = new AbortController();
    const response = await fetch(`${slow.url}/mcp`, {
      method: 'POST',
      headers: { 'x-api-key': plaintext, 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify(call('answer', { prompt: 'What is held?' }, { progressToken: 'p' })),
      signal: gone.signal,
    });
    const { value } = await response.body!.getReader().read();
    expect(new TextDecoder().decode(value)).toContain('"progressToken":"p","progress":1');
    gone.abort();
    await expect.poll(() => recorded(slow, plaintext)).toEqual(['cancelled']);
  });

  it('closes the streams of clients that wait for changes when the server stops', async () => {
    await using stopping = await startTestApp();
    const client = await connect('pinned', stopping);
    // biome-ignore lint/suspicious/noExplicitAny: only the second SDK listens.
    await (client.client as any).listen({ toolsListChanged: true });
    // It would wait for as long as a client stays.
    await stopping.close(600_000);
    await client.close().catch(() => {});
  });
});

const message = (method: string, params?: object, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params });
const initialize = message('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'x', version: '1' },
});
const resultOf = async (response: Response) => {
  const { result } = (await response.json()) as {
    result: { isError?: boolean; content: { text: string }[]; structuredContent?: object };
  };
  return result;
};
const call = (name: string, args: object, _meta?: object) => message('tools/call', { name, arguments: args, _meta });

describe('what reaches the door', () => {
  const post = (body: unknown, headers: Record<string, string> = {}) => app.post('/mcp', body, headers);

  it('answers with JSON to a client that takes no stream', async () => {
    const response = await post(call('search', { query: 'Heron Point Lighthouse' }));
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await response.json()).toMatchObject({
      id: 1,
      result: { structuredContent: { results: expect.any(Array) } },
    });
  });

  it('answers at its address with a slash at the end, too', async () => {
    const response = await app.post('/mcp/', message('ping'));
    expect([response.status, await response.json()]).toMatchObject([200, { id: 1, result: {} }]);
    expect((await app.post('/mcp/', message('ping'), { 'x-api-key': 'cw_none' })).status).toBe(401);
    expect((await app.post('/mcp//', message('ping'))).status).toBe(404);
  });

  it('takes a key by X-API-Key as well, and challenges a caller without one', async () => {
    expect((await post(message('ping'))).status).toBe(200);
    const refused = await post(message('ping'), { 'x-api-key': 'cw_none' });
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="citewire"']);
    expect(await refused.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { data: { code: 'unauthorized' } } });
  });

  it('refuses a foreign origin or host before it asks for a key', async () => {
    const { port } = new URL(app.url);
    const send = (headers: Record<string, string>) => rawPost(app.url, { 'x-api-key': 'cw_none', ...headers });
    expect(await send({ origin: 'https://evil.example' })).toBe(403);
    expect(await send({ host: `evil.example:${port}` })).toBe(403);
    // DNS rebinding: the page's own name leads here.
    expect(await send({ host: `evil.example:${port}`, origin: `http://evil.example:${port}` })).toBe(403);
    expect(await send({ origin: 'null' })).toBe(403);
    expect(await send({ host: 'host.docker.internal:8080' })).toBe(401);
    for (const origin of [app.url, `http://localhost:${port}`, 'https://chat.example.org']) {
      const host = origin.startsWith('http://') ? new URL(origin).host : new URL(app.url).host;
      expect(await send({ origin, host })).toBe(401);
    }
  });

  it.each(['GET', 'DELETE', 'PUT'])('answers %s with 405', async (method) => {
    const response = await fetch(`${app.url}/mcp`, {
      method,
      headers: { 'x-api-key': app.key, accept: 'text/event-stream' },
    });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('refuses headers that do not match the message, and revisions that it does not know', async () => {
    const meta = (version: string) => ({
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    });
    const list = (version: string) => message('tools/list', { _meta: meta(version) });
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' };
    const mismatch = await post(list('2026-07-28'), headers);
    expect(mismatch.status).toBe(400);
    expect(await mismatch.json()).toMatchObject({ error: { code: -32020 } });
    const unknown = await post(list('2031-01-01'), {
      'mcp-protocol-version': '2031-01-01',
      'mcp-method': 'tools/list',
    });
    expect(unknown.status).toBe(400);
    expect(await unknown.json()).toMatchObject({ error: { code: -32022 } });
  });
});

describe('hostile messages', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  it.each<[string, unknown, number]>([
    ['no JSON', 'nothing', 400],
    ['an empty body', '', 400],
    ['a batch', [initialize, message('ping')], 400],
    ['an empty batch', [], 400],
    ['null', 'null', 400],
    ['a string', '"ping"', 400],
    ['another version', { ...message('ping'), jsonrpc: '1.0' }, 400],
    ['an id that is an object', message('ping', {}, { a: 1 }), 400],
    ['an id that is null', message('ping', {}, null), 400],
    ['no method', { jsonrpc: '2.0', id: 1 }, 400],
    ['deep params', `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":${nested(100_000)}}}`, 400],
    ['many keys', message('ping', Object.fromEntries(Array.from({ length: 9_000 }, (_, n) => [`k${n}`, n]))), 400],
    ['10 MB', message('ping', { x: 'a'.repeat(10_000_000) }), 413],
    ['10 MB as an image', message('ping', { image: 'a'.repeat(10_000_000) }), 413],
  ])('end in an error: %s', async (_, body, status) => {
    const response = await app.post('/mcp', body);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code: expect.any(Number) } });
  });

  it.each<[string, object]>([
    ['an unknown method', message('no/such')],
    ['a method of the prototype', message('__proto__')],
    ['an unknown tool', call('no_such', {})],
    ['a tool of the prototype', call('constructor', {})],
    ['an unknown resource', message('resources/read', { uri: 'file:///etc/passwd' })],
    ['a path that leaves the documents', message('resources/read', { uri: 'citewire://docs/%2e%2e/package.json' })],
    ['an unknown prompt', message('prompts/get', { name: 'no' })],
    ['params of another type', message('tools/call', ['answer'])],
    ['tool arguments of another type', message('tools/call', { name: 'answer', arguments: 'x' })],
  ])('are answered with an error of the protocol: %s', async (_, body) => {
    const response = await app.post('/mcp', body);
    expect(await response.json()).toMatchObject({ error: { code: expect.any(Number) } });
  });

  it.each<[string, string, object]>([
    ['an empty prompt', 'answer', { prompt: ' ' }],
    ['a field that is unknown', 'answer', { prompt: 'x', temperature: 1 }],
    ['both lists', 'answer', { prompt: 'x', source_whitelist: ['a.org'], source_blacklist: ['b.org'] }],
    ['a private address', 'read_page', { url: 'http://169.254.169.254/latest/meta-data' }],
    ['no URL and no id', 'fetch', { id: '../../etc/passwd' }],
    ['an id with a null', 'research_result', { search_id: 's_\u0000' }],
    ['a cursor', 'search', { query: 'x', cursor: 'y' }],
  ])('are answered with an error of the tool: %s', async (_, name, args) => {
    const response = await app.post('/mcp', call(name, args));
    const { result } = (await response.json()) as { result: { isError?: boolean; structuredContent?: object } };
    expect([result.isError, result.structuredContent]).toEqual([true, undefined]);
  });

  it('leave the server up, with nothing in its log', async () => {
    expect((await fetch(`${app.url}/healthz`)).status).toBe(200);
    expect(app.faults).toEqual([]);
  });
});

/** With headers that fetch does not let a caller set. */
async function rawPost(url: string, headers: Record<string, string>): Promise<number> {
  const { request } = await import('node:http');
  const body = JSON.stringify(message('ping'));
  return new Promise((resolve, reject) => {
    const all = { 'content-type': 'application/json', 'content-length': body.length, ...headers };
    const sent = request(`${url}/mcp`, { method: 'POST', headers: all }, (response) => {
      response.resume();
      resolve(response.statusCode!);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
