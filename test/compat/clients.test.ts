/** The clients that people use, unchanged, against the real app over real sockets. */
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  evidenceIn,
  goodModel,
  type ModelServer,
  type Script,
  sentenceOf,
  startModelServer,
} from '../support/servers/model-server.ts';
import { article, startWebServer, type WebServer } from '../support/servers/web-server.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

let app: TestApp;
let model: ModelServer;
let web: WebServer;
let openai: OpenAI;

/** Cites every piece of evidence, a word at a time. */
const cites: Script = (call, count) => {
  if (call.kind !== 'write') return goodModel(call, count);
  const sentences = evidenceIn(call).map(({ n, text }) => `${sentenceOf(text)} [${n}]`);
  return { text: `STATUS: answered\n\n${sentences.join('\n\n')}`, ms: 2 };
};

beforeAll(async () => {
  web = await startWebServer({
    '/heron': article('Heron Point', 'The Heron Point Lighthouse was designed by the engineer Ingrid Solvay in 1886.'),
    '/almanac': article('Coast almanac', 'The Heron Point Lighthouse was first lit in March 1887 by its keeper.'),
  });
  model = await startModelServer(cites);
  app = await startTestApp({
    MODEL: 'scripted',
    OPENAI_BASE_URL: model.url,
    SEARXNG_URL: web.url,
    FETCH_ALLOW_HOSTS: web.host,
  });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await Promise.all([model.close(), web.close()]);
});
beforeEach(async () => {
  // A key has a hundred calls in a minute.
  const { plaintext } = await app.accounts.createKey({ name: 'client', plan: 'pro' });
  openai = new OpenAI({ baseURL: `${app.url}/v1`, apiKey: plaintext });
  model.script = cites;
  model.calls.length = 0;
  web.requests.length = 0;
});

const question = 'Who designed the Heron Point Lighthouse?';
const messages = [{ role: 'user' as const, content: question }];
const doorsOf = async () => {
  const { items } = (await (
    await fetch(`${app.url}/v1/search`, { headers: { authorization: `Bearer ${openai.apiKey}` } })
  ).json()) as {
    items: { door: string; state: string }[];
  };
  return items.map(({ door }) => door);
};

describe('openai', () => {
  it('lists the models, and finds one', async () => {
    const { data } = await openai.models.list();
    expect(data.map(({ id }) => id)).toEqual(['citewire', 'citewire-fast', 'citewire-deep']);
    expect(await openai.models.retrieve('citewire-fast')).toMatchObject({ object: 'model', owned_by: 'citewire' });
  });

  it('gets a chat completion whose annotations span the markers', async () => {
    const completion = await openai.chat.completions.create({ model: 'citewire', messages });
    const { content, annotations } = completion.choices[0]!.message;
    const { citations } = completion as unknown as { citations: string[] };
    expect(annotations!.length).toBeGreaterThan(2);
    for (const { url_citation: each } of annotations!) {
      const marker = content!.slice(each.start_index, each.end_index);
      expect(marker).toMatch(/^\[\d+\]$/);
      expect(citations[Number(marker.slice(1, -1)) - 1]).toBe(each.url);
    }
    expect(completion.usage!.total_tokens).toBeGreaterThan(0);
    expect(await doorsOf()).toEqual(['openai']);
  });

  it('gets the same message from a stream, with the same annotations', async () => {
    const whole = await openai.chat.completions.create({ model: 'citewire', messages });
    const stream = openai.chat.completions.stream({
      model: 'citewire',
      messages,
      stream_options: { include_usage: true },
    });
    const final = await stream.finalChatCompletion();
    const { content, annotations } = whole.choices[0]!.message;
    expect(final.choices[0]!.message).toMatchObject({ content, annotations });
    expect(final.usage).toMatchObject({ total_tokens: expect.any(Number) });
  });

  it('gets the values of a JSON Schema', async () => {
    model.script = () => ({ status: 500 });
    const schema = { type: 'object', properties: { designer: { type: 'string' } }, required: ['designer'] };
    const completion = await openai.chat.completions.create({
      model: 'citewire',
      messages,
      response_format: { type: 'json_schema', json_schema: { name: 'lighthouse', schema } },
    });
    expect(Object.keys(JSON.parse(completion.choices[0]!.message.content!))).toEqual(['designer']);
  });

  it('asks on: the model is shown the turns before', async () => {
    const turns = [...messages, { role: 'assistant' as const, content: 'Ingrid Solvay did. [1]' }];
    await openai.chat.completions.create({
      model: 'citewire',
      messages: [...turns, { role: 'user', content: 'When?' }],
    });
    const { prompt } = model.calls.find(({ kind }) => kind === 'write')!;
    expect(prompt).toContain(question);
    expect(prompt).toContain('Ingrid Solvay did.');
    expect(prompt).not.toContain('did. [1]');
  });

  it('throws its own errors for a bad key, an invalid request and an unknown model', async () => {
    const other = new OpenAI({ baseURL: `${app.url}/v1`, apiKey: 'cw_none' });
    await expect(other.models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
    const invalid = openai.chat.completions.create({ model: 'citewire', messages: [] });
    await expect(invalid).rejects.toMatchObject({ status: 400, param: 'messages', code: 'validation_error' });
    const unknown = openai.chat.completions.create({ model: 'gpt-5', messages });
    await expect(unknown).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });

  it('does not try a search again that was started: a 504 leaves one run', async () => {
    const api_stub = `late-${Date.now()}`;
    const design = { name: 'Late', api_stub, prompt: question, inputs: {}, effort: 'fast', max: { seconds: 0.001 } };
    const headers = { authorization: `Bearer ${openai.apiKey}`, 'content-type': 'application/json' };
    const post = (path: string, body: object) =>
      fetch(app.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    const { api_id } = (await (await post('/v1/design-api', design)).json()) as { api_id: string };
    expect((await post(`/v1/design-api/${api_id}/publish`, {})).status).toBe(201);
    expect((await openai.models.list()).data.map(({ id }) => id)).toContain(`api/${api_stub}`);
    const failed = openai.chat.completions.create({
      model: `api/${api_stub}`,
      messages: [{ role: 'user', content: '{}' }],
    });
    await expect(failed).rejects.toMatchObject({ status: 504, code: 'deadline_exceeded' });
    expect(await doorsOf()).toEqual(['openai']);
  });
});
