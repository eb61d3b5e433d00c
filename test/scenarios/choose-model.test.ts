/** A request chooses the model that answers it, from those in the settings, whichever way it comes in. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Capabilities, SearchRecord, TextResult, Thread } from '../../protocol/index.ts';
import { createClient } from '../../src/client/client.ts';
import { connect } from '../support/clients/ws-client.ts';
import { createDesign } from '../support/design.ts';
import { chat } from '../support/dialects/chat.ts';
import { ollama } from '../support/dialects/ollama.ts';
import { research } from '../support/dialects/researcher.ts';
import { type ProtocolServer, startProtocolServer } from '../support/servers/protocol-server.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

const prompt = 'Who designed the Heron Point Lighthouse?';
const capabilities = async (app: TestApp) => (await (await app.get('/v1/capabilities')).json()) as Capabilities;

describe('the models of a server', () => {
  let server: ProtocolServer;
  let app: TestApp;
  beforeAll(async () => {
    server = await startProtocolServer(chat);
    server.script = (call) => research(call);
    app = await startTestApp({
      MODEL: 'large',
      MODELS: 'small, large,tiny',
      OPENAI_BASE_URL: chat.baseUrl(server.origin),
      MEDIAWIKI_URL: 'off',
    });
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await server.close();
  });

  const search = async (more: object) => {
    const response = await app.post('/v1/search', { prompt, ...more });
    expect(response.status, await response.clone().text()).toBe(200);
    return (await response.json()) as TextResult;
  };
  const record = async (search_id: string) => (await (await app.get(`/v1/search/${search_id}`)).json()) as SearchRecord;

  it('are listed, the default first and the extractive one last', async () => {
    expect(await capabilities(app)).toEqual({
      models: [
        { name: 'large', kind: 'language', images: true },
        { name: 'small', kind: 'language', images: true },
        { name: 'tiny', kind: 'language', images: true },
        { name: 'extractive', kind: 'extractive', images: false },
      ],
    });
  });

  it('answer with the one that the request names, which is recorded with the search', async () => {
    server.calls.length = 0;
    const { search_id, usage } = await search({ model: 'small' });
    expect(usage.models).toEqual(['small']);
    expect([...new Set(server.calls.map(({ model }) => model))]).toEqual(['small']);
    const stored = await app.get(`/v1/search/${search_id}/events`, { accept: 'text/event-stream' });
    expect(await stored.text()).toContain('"engine":"small"');
    expect(await record(search_id)).toMatchObject({ state: 'completed' });
  });

  it('answer with the default where the request names none', async () => {
    expect((await search({})).usage.models).toEqual(['large']);
  });

  it('answer with quotes alone for the extractive one, without a call to a model', async () => {
    server.calls.length = 0;
    const { usage, citations } = await search({ model: 'extractive' });
    expect(usage).toMatchObject({ models: ['extractive'], model_calls: 0 });
    expect(citations.length).toBeGreaterThan(0);
    expect(server.calls).toEqual([]);
  });

  it('answer a designed API with the one that the design names; another name is refused when it runs', async () => {
    const { api_id, api_stub } = await createDesign(app, { output_format: undefined, model: 'extractive' });
    const run = () => app.post(`/v1/user-defined-service/${api_stub}`, { building: 'Heron Point Lighthouse' });
    expect(((await (await run()).json()) as TextResult).usage).toMatchObject({
      models: ['extractive'],
      model_calls: 0,
    });
    const change = (body: object) =>
      fetch(`${app.url}/v1/design-api/${api_id}`, {
        method: 'PATCH',
        headers: { 'x-api-key': app.key, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    expect((await change({ model: 'huge' })).status).toBe(200);
    const refused = await run();
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain('expected one of');
    expect((await change({ model: null })).status).toBe(200);
    expect(((await (await run()).json()) as TextResult).usage.models).toEqual(['large']);
  });

  it('refuse another name with a 422 that lists those that may be named', async () => {
    const response = await app.post('/v1/search', { prompt, model: 'huge' });
    expect(response.status).toBe(422);
    const { detail } = (await response.json()) as { detail: unknown };
    const msg = 'expected one of the models "large", "small", "tiny", "extractive"; got "huge"';
    expect(detail).toEqual([{ loc: ['body', 'model'], msg, type: 'value_error' }]);
  });

  it('are chosen over a WebSocket, and refused there, in the same way', async () => {
    const client = await connect(app.url, { 'x-api-key': app.key });
    const events = await client.search(await client.start({ prompt, model: 'tiny' }));
    expect(events[0]).toMatchObject({ type: 'search.accepted', engine: 'tiny' });
    client.send({ type: 'search.start', ref: 'x', request: { prompt, model: 'huge' } });
    const { error } = await client.next((frame) => frame.ref === 'x' && frame.type === 'error');
    expect(error).toMatchObject({ code: 'validation_error', issues: [{ loc: ['body', 'model'] }] });
    client.close();
  });

  it('are chosen over Server-Sent Events, and kept with the thread', async () => {
    const client = createClient({ baseUrl: app.url, apiKey: app.key });
    const stream = client.search({ prompt, model: 'small', thread: true }, { transport: 'sse' });
    const { search_id, usage } = await stream.result;
    expect(usage.models).toEqual(['small']);
    const { turns } = (await (await app.get(`/v1/threads/${search_id}`)).json()) as Thread;
    expect(turns[0]?.request).toMatchObject({ model: 'small' });
    client.close();
  });

  it('are models of clients of OpenAI under a prefix', async () => {
    const { data } = (await (await app.get('/v1/models')).json()) as { data: { id: string }[] };
    expect(data.map(({ id }) => id)).toEqual([
      'citewire',
      'citewire-fast',
      'citewire-deep',
      ...['large', 'small', 'tiny', 'extractive'].map((name) => `citewire/${name}`),
    ]);
    const messages = [{ role: 'user', content: prompt }];
    const ask = (model: string) => app.post('/v1/chat/completions', { model, messages });
    const { id, model } = (await (await ask('citewire/tiny')).json()) as { id: string; model: string };
    expect(model).toBe('citewire/tiny');
    expect((await record(id.replace('chatcmpl-', ''))).usage?.models).toEqual(['tiny']);
    const refused = await ask('citewire/huge');
    expect(refused.status).toBe(404);
    expect(await refused.text()).toContain('citewire/tiny');
  });
});

describe('what a server can do', () => {
  it('says that there is no model where none is set, and refuses to choose one', async () => {
    await using app = await startTestApp({ MEDIAWIKI_URL: 'off' });
    expect(await capabilities(app)).toEqual({ models: [{ name: 'extractive', kind: 'extractive', images: false }] });
    const refused = await app.post('/v1/search', { prompt, model: 'large' });
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain('expected the model \\"extractive\\"; got \\"large\\"');
    expect((await app.post('/v1/search', { prompt, model: 'extractive' })).status).toBe(200);
    const { data } = (await (await app.get('/v1/models')).json()) as { data: unknown[] };
    expect(data).toHaveLength(3);
  });

  it('says of a model without vision that it sees no images', async () => {
    await using server = await startProtocolServer(ollama);
    server.script = (call) => research(call);
    server.models = ['qwen3:latest'];
    server.shown = { model_info: {}, capabilities: ['completion'] };
    const OPENAI_BASE_URL = `${server.origin}/v1`;
    await using app = await startTestApp({ MODELS: 'qwen3', OPENAI_BASE_URL, MEDIAWIKI_URL: 'off' });
    expect((await capabilities(app)).models).toEqual([
      { name: 'qwen3', kind: 'language', images: false },
      { name: 'extractive', kind: 'extractive', images: false },
    ]);
  });
});
