/** Which protocol is spoken where nothing says so: a key never goes to another company than its own. And what is found out about Ollama. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type ModelOptions, openModel } from '../../src/model/open-model.ts';
import { createTrustedFetch } from '../../src/web/fetch/trusted-fetch.ts';
import { freePort } from '../support/servers/free-port.ts';

/** The addresses that are asked at startup. */
async function askedBy(options: Partial<ModelOptions>): Promise<string[]> {
  const asked: string[] = [];
  const fetched = async (input: unknown) => {
    asked.push(String(input));
    return Response.json({ data: [], models: [] });
  };
  await openModel({
    models: { writer: 'some-model' },
    provider: 'auto',
    fetchFor: () => fetched as typeof fetch,
    ...options,
  }).check();
  return asked;
}

describe('the protocol of an endpoint', () => {
  it.each([
    ['a key of OpenAI', { apiKey: 'sk-proj-1' }, 'https://api.openai.com/v1/models'],
    ['a key of Anthropic', { apiKey: 'sk-ant-1' }, 'https://api.anthropic.com/v1/models?limit=1000'],
    ['a key of Google', { apiKey: 'AIza1' }, 'https://generativelanguage.googleapis.com/v1beta/models?pageSize=1000'],
    [
      'the address of Anthropic',
      { baseUrl: 'https://api.anthropic.com' },
      'https://api.anthropic.com/v1/models?limit=1000',
    ],
    [
      'the address of Gemini in the words of OpenAI',
      { baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai/' },
      'https://generativelanguage.googleapis.com/v1beta/openai/models',
    ],
    [
      'an address with a query, which stays at the end',
      { baseUrl: 'https://gpt.openai.azure.example/openai/deployments/gpt/?api-version=2024-10-21' },
      'https://gpt.openai.azure.example/openai/deployments/gpt/models?api-version=2024-10-21',
    ],
    [
      'the address of Gemini with a query',
      { baseUrl: 'https://generativelanguage.googleapis.com/?a=b' },
      'https://generativelanguage.googleapis.com/v1beta/models?pageSize=1000&a=b',
    ],
    [
      'a local server with a query',
      { baseUrl: 'http://127.0.0.1:8000/v1?a=b' },
      'http://127.0.0.1:8000/api/version?a=b',
    ],
    ['any other address', { baseUrl: 'https://openrouter.ai/api/v1/' }, 'https://openrouter.ai/api/v1/models'],
    ['an encrypted port of Ollama', { baseUrl: 'https://gpu.example:11434' }, 'https://gpu.example:11434/api/show'],
    ['a local server', { baseUrl: 'http://127.0.0.1:8000/v1' }, 'http://127.0.0.1:8000/api/version'],
  ])('follows from %s', async (_, options, url) => {
    expect((await askedBy(options))[0]).toBe(url);
  });
});

const closers: (() => unknown)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const close of closers.splice(0)) await close();
});

const plan = '{"queries":["lighthouse builder"]}';

/** A server of Ollama with a model that thinks, over a real socket. `version` and `tags` answer in its place, while they are set. */
async function startOllama({ port = 0, isPulled = true } = {}) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const path = request.url ?? '';
    self.paths.push(path);
    const json = (body: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (path === '/api/version')
      return self.version === undefined ? json({ version: '0.30.1' }) : self.version(response);
    if (path === '/api/tags' && self.tags !== undefined) return self.tags(response);
    if (path === '/api/tags') return json({ models: self.isPulled ? [{ name: 'qwen3:latest' }] : [] });
    if (!self.isPulled) return json({ error: 'model "qwen3" not found, try pulling it first' }, 404);
    if (path === '/api/show') {
      const model_info = { 'general.architecture': 'qwen3', 'qwen3.context_length': 8_192 };
      return json({ model_info, capabilities: ['completion', 'thinking'] });
    }
    if (path === '/v1/chat/completions') return json({ choices: [{ message: { content: plan } }] });
    if (path === '/api/chat') self.bodies.push(JSON.parse(Buffer.concat(chunks).toString()));
    return json({ message: { content: plan }, done: true, done_reason: 'stop', eval_count: 5 });
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const self = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    paths: [] as string[],
    /** Of its calls. */
    bodies: [] as { think?: unknown; options: { num_ctx?: number } }[],
    isPulled,
    version: undefined as ((response: ServerResponse) => unknown) | undefined,
    tags: undefined as ((response: ServerResponse) => unknown) | undefined,
  };
  return self;
}

function open(options: Partial<ModelOptions>) {
  const trusted = createTrustedFetch();
  closers.push(() => trusted.close());
  const model = openModel({
    models: { writer: 'qwen3' },
    provider: 'auto',
    fetchFor: () => trusted.fetch,
    retryMs: 1,
    ...options,
  });
  const meter = { admit: () => {}, left: () => 100_000, record: () => {} };
  const brief = { prompt: 'Who?', question: 'Who?', previous: [], today: '2026-11-22' };
  return { ...model, plan: () => model.writer.plan(brief, { signal: new AbortController().signal, meter }) };
}

/** Lets the time pass after which the server is asked again. */
const pass = () => vi.advanceTimersByTime(60_000);
const known = { think: false, options: { num_ctx: 8_192 } };

describe('what Ollama says of a model', () => {
  it('is used by later calls where Ollama is started after this server', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const port = await freePort();
    const model = open({ provider: 'ollama', baseUrl: `http://127.0.0.1:${port}` });
    expect(await model.check()).toEqual([{ model: 'qwen3', trouble: 'its endpoint could not be reached.' }]);
    const ollama = await startOllama({ port });
    pass();
    await model.plan();
    await model.plan();
    expect(ollama.bodies).toMatchObject([known, known]);
    expect(ollama.paths.filter((path) => path === '/api/show')).toHaveLength(1);
  });

  it('is used by later calls where the model is pulled after the first one', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const ollama = await startOllama({ isPulled: false });
    const model = open({ provider: 'ollama', baseUrl: ollama.origin });
    await expect(model.plan()).rejects.toThrow('ollama pull qwen3');
    await expect(model.plan()).rejects.toThrow('ollama pull qwen3');
    // Not with each call.
    expect(ollama.paths.filter((path) => path === '/api/show')).toHaveLength(1);
    ollama.isPulled = true;
    pass();
    await model.plan();
    expect(ollama.bodies).toMatchObject([known]);
  });
});

describe('a server at another port than that of Ollama', () => {
  const troubles: [string, (response: ServerResponse) => unknown, string][] = [
    ['does not answer in time', () => {}, 'it did not answer in time.'],
    ['resets the connection', (response) => response.destroy(), 'its connection was lost.'],
    ['has a proxy that answers 502', (response) => response.writeHead(502).end(), 'its endpoint returned status 502.'],
  ];
  it.each(troubles)('is asked again what it is if it %s', async (_, version, trouble) => {
    const ollama = await startOllama();
    ollama.version = version;
    const model = open({ baseUrl: `${ollama.origin}/v1` });
    expect(await model.check()).toEqual([{ model: 'qwen3', trouble }]);
    ollama.version = undefined;
    await model.plan();
    expect(ollama.bodies).toMatchObject([known]);
    expect(ollama.paths).not.toContain('/v1/chat/completions');
  });

  it.each([404, 401, 501])(
    'speaks chat completions if it answers %i to the question whether it is Ollama',
    async (status) => {
      const server = await startOllama();
      server.version = (response) => response.writeHead(status).end();
      await open({ baseUrl: `${server.origin}/v1` }).plan();
      expect(server.paths).toEqual(['/api/version', '/v1/chat/completions']);
    },
  );

  it.each<[string, (response: ServerResponse) => unknown]>([
    ['has none', (response) => response.writeHead(404).end('404 page not found')],
    ['has a page in its place', (response) => response.end('<html></html>')],
    ['has another one', (response) => response.end('{"object":"list","data":[{"id":"qwen3"}]}')],
  ])(
    'speaks chat completions if it has a version, as llama-swap has, but %s of the models of Ollama',
    async (_, tags) => {
      const server = await startOllama();
      server.version = (response) => response.end('{"version":"170","commit":"abc","build_date":"2026-01-01"}');
      server.tags = tags;
      await open({ baseUrl: `${server.origin}/v1` }).plan();
      expect(server.paths).toEqual(['/api/version', '/api/tags', '/v1/chat/completions']);
    },
  );
});

describe('fields that are added to the body of each call', () => {
  it('are merged with the objects that it has, unless they are of another type', async () => {
    const bodies: Record<string, unknown>[] = [];
    const fetched = async (_: unknown, { body }: RequestInit) => {
      bodies.push(JSON.parse(String(body)));
      return Response.json({
        message: { content: plan },
        candidates: [{ content: { parts: [{ text: plan }] } }],
        choices: [{ message: { content: plan } }],
        done: true,
      });
    };
    const planBy = (provider: ModelOptions['provider'], body: Record<string, unknown>) =>
      open({ provider, apiKey: 'k', body, temperature: 0.5, fetchFor: () => fetched as typeof fetch }).plan();
    await planBy('ollama', { options: { top_k: 20, temperature: 1 } });
    expect(bodies.at(-1)).toMatchObject({ options: { top_k: 20, temperature: 1, num_ctx: 16_384 } });
    await planBy('gemini', { generationConfig: { topK: 20 }, safetySettings: [1] });
    expect(bodies.at(-1)).toMatchObject({
      generationConfig: { topK: 20, maxOutputTokens: expect.any(Number), responseMimeType: 'application/json' },
      safetySettings: [1],
    });
    await planBy('openai', { response_format: { type: 'json_object' }, max_completion_tokens: 7 });
    expect(bodies.at(-1)).toMatchObject({ max_completion_tokens: 7 });
    expect(bodies.at(-1)!.response_format).toEqual({ type: 'json_object' });
  });
});

describe('an address with a query', () => {
  it('has the path of each call before it', async () => {
    const asked: string[] = [];
    const fetched = async (url: unknown) => {
      asked.push(String(url));
      return Response.json({
        choices: [{ message: { content: plan } }],
        candidates: [{ content: { parts: [{ text: plan }] } }],
      });
    };
    const fetchFor = () => fetched as typeof fetch;
    const azure = 'https://gpt.openai.azure.example/openai/deployments/gpt?api-version=2024-10-21';
    await open({ provider: 'openai', baseUrl: azure, apiKey: 'k', fetchFor }).plan();
    await open({ provider: 'gemini', baseUrl: 'https://proxy.example/v1beta/?key=a/', apiKey: 'k', fetchFor }).plan();
    expect(asked).toEqual([
      'https://gpt.openai.azure.example/openai/deployments/gpt/chat/completions?api-version=2024-10-21',
      'https://proxy.example/v1beta/models/qwen3:generateContent?key=a/',
    ]);
  });
});
