/** Models as people run them, in the real app: Ollama as the README shows it, hosted ones, two at a time, and broken ones. */
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TextResult } from '../../protocol/index.ts';
import { anthropic } from '../support/dialects/anthropic.ts';
import { chat } from '../support/dialects/chat.ts';
import { gemini } from '../support/dialects/gemini.ts';
import { ollama } from '../support/dialects/ollama.ts';
import { research, stageOf } from '../support/dialects/researcher.ts';
import { responses } from '../support/dialects/responses.ts';
import { largeImage } from '../support/image.ts';
import { type ProtocolServer, startProtocolServer } from '../support/servers/protocol-server.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

const prompt = 'Who designed the Heron Point Lighthouse?';
const thinking = {
  model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': 40_960 },
  capabilities: ['completion', 'tools', 'thinking'],
};

async function ask(app: TestApp, more: object = {}): Promise<TextResult> {
  const response = await app.post('/v1/search', { prompt, ...more });
  expect(response.status).toBe(200);
  return (await response.json()) as TextResult;
}

describe('Ollama, as the README shows it', () => {
  let server: ProtocolServer;
  let app: TestApp;
  beforeAll(async () => {
    server = await startProtocolServer(ollama);
    server.script = (call) => research(call);
    server.models = ['qwen3:latest'];
    server.shown = thinking;
    app = await startTestApp({ MODEL: 'qwen3', OPENAI_BASE_URL: `${server.origin}/v1`, LOG_LEVEL: 'warn' });
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await server.close();
  });

  it('is found out, and answers over its native API without a warning', async () => {
    const result = await ask(app);
    expect(result).toMatchObject({ status: 'answered', usage: { models: ['qwen3'], model_calls: 3 } });
    expect(result.citations.length).toBe(1);
    expect(server.calls.map(stageOf)).toEqual(['plan', 'reflect', 'write']);
    expect(app.faults).toEqual([]);
  });

  it('is asked for a context that holds the evidence, always the same, and to think only when it writes', () => {
    expect(server.calls.map(({ context }) => context)).toEqual([16_384, 16_384, 16_384]);
    expect(server.calls.map(({ reasoning }) => reasoning)).toEqual([false, false, undefined]);
  });

  it('reads the same instructions and evidence in each call of a search, before the task, so that it can reuse them', () => {
    const [, reflect, write] = server.calls as [
      unknown,
      ProtocolServer['calls'][number],
      ProtocolServer['calls'][number],
    ];
    expect(write.system).toBe(reflect.system);
    const shared = reflect.user.slice(0, reflect.user.indexOf('Searched for already'));
    expect(shared).toContain('evidence [1]');
    expect(shared).toContain(`Question:\n${prompt}`);
    expect(write.user.startsWith(shared)).toBe(true);
  });

  it('is not sent images that its model cannot see', async () => {
    server.calls.length = 0;
    await ask(app, { image: largeImage(400) });
    expect(server.calls.map(stageOf)).not.toContain('describe');
  });

  it('names the command that fixes a model that was not pulled, in the log at startup and in the warning', async () => {
    await using empty = await startProtocolServer(ollama);
    empty.models = ['llama3:latest'];
    empty.script = () => ({ status: 404, message: "model 'qwen3' not found, try pulling it first" });
    const settings = { MODEL: 'qwen3', OPENAI_BASE_URL: `${empty.origin}/v1`, LOG_LEVEL: 'warn' };
    await using other = await startTestApp(settings);
    await expect.poll(() => other.faults.join()).toContain('run \\"ollama pull qwen3\\"');
    const response = await other.post('/v1/search', { prompt }, { accept: 'text/event-stream' });
    const events = await response.text();
    expect(events).toContain('ollama pull qwen3');
    expect(events).toContain('"status":"answered"');
  });

  it('takes the length of the context, the time in memory and the effort from the settings', async () => {
    server.calls.length = 0;
    await using other = await startTestApp({
      MODEL: 'qwen3',
      MODEL_PROVIDER: 'ollama',
      MODEL_BASE_URL: server.origin,
      MODEL_CONTEXT: '8192',
      MODEL_KEEP_ALIVE: '30m',
      MODEL_REASONING: 'high',
      MODEL_SEED: '7',
      MODEL_TEMPERATURE: '0.9',
    });
    await ask(other);
    expect(server.calls.length).toBe(3);
    for (const { body } of server.calls) {
      expect(body).toMatchObject({
        keep_alive: '30m',
        think: true,
        options: { num_ctx: 8192, seed: 7, temperature: 0.9 },
      });
    }
  });
});

describe('a hosted model', () => {
  it.each([chat, responses, anthropic, gemini])(
    'answers with citations over the protocol of $provider',
    async (dialect) => {
      await using server = await startProtocolServer(dialect);
      server.script = (call) => research(call);
      await using app = await startTestApp({
        MODEL: 'scripted',
        MODEL_PROVIDER: dialect.provider,
        MODEL_BASE_URL: dialect.baseUrl(server.origin),
        MODEL_API_KEY: 'secret-key',
      });
      const result = await ask(app, { image: largeImage(400) });
      expect(result).toMatchObject({ status: 'answered', usage: { models: ['scripted'], model_calls: 4 } });
      expect(result.citations.length).toBe(1);
      expect(server.calls.map(stageOf)).toEqual(['describe', 'plan', 'reflect', 'write']);
    },
  );
});

describe('several models', () => {
  it('plans with one and writes with another', async () => {
    await using server = await startProtocolServer(chat);
    server.script = (call) => research(call);
    server.models = ['large', 'small'];
    const OPENAI_BASE_URL = chat.baseUrl(server.origin);
    await using app = await startTestApp({ MODEL: 'large', PLANNING_MODEL: 'small', OPENAI_BASE_URL });
    const { usage } = await ask(app);
    expect(usage.models).toEqual(['small', 'large']);
    const used = server.calls.map((call) => [stageOf(call), call.model]);
    expect(used).toEqual([
      ['plan', 'small'],
      ['reflect', 'small'],
      ['write', 'large'],
    ]);
  });

  it('takes the fallback model when the other fails, before the extractive one', async () => {
    await using server = await startProtocolServer(chat);
    await using other = await startProtocolServer(gemini);
    server.script = () => ({ status: 503, message: 'overloaded', headers: { 'retry-after': '60' } });
    other.script = (call) => research(call);
    await using app = await startTestApp({
      MODEL: 'scripted',
      OPENAI_BASE_URL: chat.baseUrl(server.origin),
      FALLBACK_MODEL: 'standby',
      FALLBACK_PROVIDER: 'gemini',
      FALLBACK_BASE_URL: gemini.baseUrl(other.origin),
      FALLBACK_API_KEY: 'its-key',
    });
    const { usage, status } = await ask(app);
    expect(status).toBe('answered');
    expect(usage.models).toEqual(['scripted', 'standby']);
    expect(other.calls.map(stageOf)).toEqual(['plan', 'reflect', 'write']);
    expect(other.calls[0]!.headers['x-goog-api-key']).toBe('its-key');
  });

  it('sends an endpoint no more calls at the same time than the settings allow', async () => {
    await using server = await startProtocolServer(chat);
    let open = 0;
    let most = 0;
    server.script = async (call) => {
      open += 1;
      most = Math.max(most, open);
      await new Promise((resolve) => setTimeout(resolve, 20));
      open -= 1;
      return research(call);
    };
    const OPENAI_BASE_URL = chat.baseUrl(server.origin);
    await using app = await startTestApp({ MODEL: 'scripted', MODEL_CONCURRENCY: '2', OPENAI_BASE_URL });
    const results = await Promise.all(Array.from({ length: 6 }, () => ask(app)));
    expect(results.map(({ status }) => status)).toEqual(Array(6).fill('answered'));
    expect(most).toBe(2);
  });
});

describe('what operators set', () => {
  it('adds headers and fields to each request', async () => {
    await using server = await startProtocolServer(chat);
    server.script = (call) => research(call);
    await using app = await startTestApp({
      MODEL: 'scripted',
      OPENAI_BASE_URL: chat.baseUrl(server.origin),
      MODEL_HEADERS: '{"x-title": "citewire"}',
      MODEL_BODY: '{"top_p": 0.9}',
    });
    await ask(app);
    expect(server.calls.length).toBe(3);
    for (const { headers, body } of server.calls) {
      expect(headers['x-title']).toBe('citewire');
      expect(body.top_p).toBe(0.9);
    }
  });

  it('reaches the model through a proxy', async () => {
    await using server = await startProtocolServer(chat);
    server.script = (call) => research(call);
    const tunnels: string[] = [];
    const sockets = new Set<Socket>();
    const proxy = createServer().on('connect', (request, near: Socket) => {
      tunnels.push(request.url ?? '');
      const far = connect(Number(new URL(server.origin).port), '127.0.0.1', () => {
        near.write('HTTP/1.1 200 Connection established\r\n\r\n');
        near.pipe(far).pipe(near);
      });
      for (const socket of [near, far]) sockets.add(socket.on('error', () => {}));
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    try {
      await using app = await startTestApp({
        MODEL: 'scripted',
        OPENAI_BASE_URL: 'http://models.example/openai/v1',
        MODEL_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      });
      expect((await ask(app)).usage.models).toEqual(['scripted']);
      expect(tunnels[0]).toBe('models.example:80');
    } finally {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    }
  });
});

describe('what operators see', () => {
  const keyRefused = 'its endpoint refused the key (status 401).';

  it('warns at startup, before any search, that the key is wrong, with no list of models to ask for', async () => {
    await using server = await startProtocolServer({ ...chat, modelsPath: '/none' });
    server.script = () => ({ status: 401, message: 'Incorrect API key provided: sk-1234.' });
    const settings = { MODEL: 'scripted', OPENAI_BASE_URL: chat.baseUrl(server.origin), LOG_LEVEL: 'warn' };
    await using app = await startTestApp(settings);
    await expect.poll(() => app.faults.join()).toContain(keyRefused);
    expect(app.faults.join()).not.toContain('sk-1234');
  });

  it('warns at startup that there is no such model, and names those that there are', async () => {
    await using server = await startProtocolServer(chat);
    server.models = ['gpt-9', 'gpt-9-mini'];
    const settings = { MODEL: 'gtp-9', OPENAI_BASE_URL: chat.baseUrl(server.origin), LOG_LEVEL: 'warn' };
    await using app = await startTestApp(settings);
    await expect.poll(() => app.faults.join()).toContain('no model named \\"gtp-9\\"; it has gpt-9, gpt-9-mini.');
  });

  it('logs a failure that comes with every search once a minute', async () => {
    await using server = await startProtocolServer(chat);
    server.script = () => ({ status: 401, message: 'Incorrect API key provided: sk-1234.' });
    const settings = { MODEL: 'scripted', OPENAI_BASE_URL: chat.baseUrl(server.origin), LOG_LEVEL: 'warn' };
    await using app = await startTestApp(settings);
    for (let i = 0; i < 3; i += 1) expect((await ask(app)).usage.models).toEqual(['scripted', 'extractive']);
    expect(app.faults.filter((line) => line.includes(keyRefused)).length).toBe(1);
  });

  it('measures stages, dropped markers, lessons and the whole time of a stream', async () => {
    await using server = await startProtocolServer(chat);
    server.script = (call) => {
      if ('temperature' in call.body) return { status: 400, message: "'temperature' is not supported" };
      if (stageOf(call) !== 'write') return research(call);
      return { text: 'The moon is made of 17 cheeses. [1]', usage: { in: 1, out: 1 } };
    };
    await using app = await startTestApp({ MODEL: 'scripted', OPENAI_BASE_URL: chat.baseUrl(server.origin) });
    await ask(app);
    const text = await (await fetch(`${app.url}/metrics`)).text();
    for (const stage of ['plan', 'search', 'rank', 'write', 'verify']) {
      expect(text).toContain(`citewire_stage_seconds_count{stage="${stage}"} 1`);
    }
    expect(text).toContain('citewire_dropped_citations_total 1');
    expect(text).toContain('citewire_model_lessons_total{lesson="temperature"} 1');
    expect(text).toContain('citewire_upstream_calls_total{kind="model",name="openai",outcome="ok"}');
    expect(text).toContain('citewire_model_calls_waiting 0');
  });
});
