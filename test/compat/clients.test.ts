/** The clients that people use, unchanged, against the real app over real sockets. */
import { readFileSync } from 'node:fs';
import { createOpenAI } from '@ai-sdk/openai';
import { createPerplexity } from '@ai-sdk/perplexity';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, type ModelMessage, streamText, type ToolSet, tool } from 'ai';
import OpenAI from 'openai';
import { zodFunction, zodResponseFormat, zodResponsesFunction } from 'openai/helpers/zod';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { startApp } from '../../src/app/app.ts';
import { readConfig } from '../../src/base/config.ts';
import { createLog } from '../../src/base/log.ts';
import { openStore } from '../../src/store/store.ts';
import { freePort } from '../support/servers/free-port.ts';
import { evidenceIn, goodModel, type ModelServer, type Script, sentenceOf } from '../support/servers/model-server.ts';
import { type ResearchApp, startResearchApp } from '../support/servers/research-app.ts';
import { article, type WebServer } from '../support/servers/web-server.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

let research: ResearchApp;
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
  const pages = {
    '/heron': article('Heron Point', 'The Heron Point Lighthouse was designed by the engineer Ingrid Solvay in 1886.'),
    '/almanac': article('Coast almanac', 'The Heron Point Lighthouse was first lit in March 1887 by its keeper.'),
  };
  research = await startResearchApp({ pages, script: cites });
  ({ app, model, web } = research);
});
afterAll(() => research[Symbol.asyncDispose]());
beforeEach(async () => {
  // A key has a hundred calls in a minute.
  const { plaintext } = await app.accounts.createKey({ name: 'client', plan: 'pro' });
  openai = new OpenAI({ baseURL: `${app.url}/v1`, apiKey: plaintext });
  model.script = cites;
  model.calls.length = 0;
  web.requests.length = 0;
});

const sidePrompts = JSON.parse(readFileSync(new URL('./openai/side-prompts.json', import.meta.url), 'utf8')) as {
  name: string;
  prompt: string;
}[];
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
    // What a request may name besides.
    for (const id of ['citewire/extractive', 'sonar-pro'])
      expect(await openai.models.retrieve(id)).toMatchObject({ id, object: 'model', owned_by: 'citewire' });
    await expect(openai.models.retrieve('citewire/nope')).rejects.toMatchObject({ status: 404 });
  });

  it('gets a chat completion whose annotations span the markers', async () => {
    const completion = await openai.chat.completions.create({ model: 'citewire', messages });
    const { content, annotations } = completion.choices[0]!.message;
    const { citations } = completion as unknown as { citations: string[] };
    expect(annotations!.length).toBeGreaterThan(0);
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

  it('parses an answer whose schema has enums and whole numbers', async () => {
    model.script = () => ({ status: 500 });
    const lighthouse = z.object({
      designer: z.enum(['INGRID_SOLVAY', 'ODO_BRANDT']).nullable(),
      year: z.int().min(1900).nullable(),
    });
    const completion = await openai.chat.completions.parse({
      model: 'citewire',
      messages,
      response_format: zodResponseFormat(lighthouse, 'lighthouse'),
    });
    expect(completion.choices[0]!.message.parsed).toEqual({ designer: 'INGRID_SOLVAY', year: null });
  });

  it('parses an answer whose schema has a constant', async () => {
    model.script = () => ({ status: 500 });
    const lighthouse = z.object({ kind: z.literal('lighthouse'), designer: z.string().nullable() });
    const completion = await openai.chat.completions.parse({
      model: 'citewire',
      messages,
      response_format: zodResponseFormat(lighthouse, 'lighthouse'),
    });
    const { parsed } = completion.choices[0]!.message;
    expect(parsed).toEqual({ kind: 'lighthouse', designer: expect.stringContaining('Ingrid Solvay') as string });
  });

  it('gets the values as the call of a function that it demands, in one piece and from a stream', async () => {
    model.script = () => ({ status: 500 });
    const lighthouse = z.object({ designer: z.enum(['INGRID_SOLVAY', 'ODO_BRANDT']).nullable() });
    const tool = zodFunction({ name: 'lighthouse', parameters: lighthouse });
    const body = {
      model: 'citewire',
      messages,
      tools: [tool],
      tool_choice: { type: 'function' as const, function: { name: 'lighthouse' } },
    };
    const whole = (await openai.chat.completions.parse(body)).choices[0]!.message;
    expect(whole.tool_calls![0]!.function.parsed_arguments).toEqual({ designer: 'INGRID_SOLVAY' });
    const final = (await openai.chat.completions.stream(body).finalChatCompletion()).choices[0]!.message;
    const [called, streamed] = [whole, final].map(({ tool_calls }) => tool_calls![0]!.function);
    expect(streamed).toEqual(called);
    const required = await openai.chat.completions.stream({ ...body, tool_choice: 'required' }).finalFunctionToolCall();
    expect(required).toMatchObject({ name: 'lighthouse', arguments: called!.arguments });
  });

  it('calls the function itself, once, where it runs the tools', async () => {
    model.script = () => ({ status: 500 });
    const calls: unknown[] = [];
    const properties = { designer: { type: 'string' as const, enum: ['INGRID_SOLVAY', 'ODO_BRANDT'] } };
    const runner = openai.chat.completions.runTools({
      model: 'citewire',
      messages,
      tool_choice: { type: 'function', function: { name: 'lighthouse' } },
      tools: [
        {
          type: 'function',
          function: {
            name: 'lighthouse',
            description: 'Takes down who designed it.',
            parameters: { type: 'object', properties },
            parse: JSON.parse as (text: string) => object,
            function: (given: object) => void calls.push(given),
          },
        },
      ],
    });
    await runner.done();
    expect(calls).toEqual([{ designer: 'INGRID_SOLVAY' }]);
  });

  it('asks on: the model is shown the turns before', async () => {
    const system = { role: 'system' as const, content: 'Answer in the tone of a lighthouse keeper.' };
    const turns = [system, ...messages, { role: 'assistant' as const, content: 'Ingrid Solvay did. [1]' }];
    await openai.chat.completions.create({
      model: 'citewire',
      messages: [...turns, { role: 'user', content: 'When?' }],
    });
    const { prompt } = model.calls.find(({ kind }) => kind === 'write')!;
    expect(prompt).toContain(question);
    expect(prompt).toContain('Ingrid Solvay did.');
    expect(prompt).not.toContain('did. [1]');
    expect(prompt).toContain(system.content);
    expect(web.requests.some(({ query }) => (query.get('q') ?? '').includes('keeper'))).toBe(false);
  });

  it('gets the tokens of a side prompt, in one piece and from a stream that asks for them', async () => {
    model.script = () => ({ text: 'A Lighthouse and Its Engineer' });
    const used = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };
    const body = { model: 'citewire', messages: [{ role: 'user' as const, content: sidePrompts[0]!.prompt }] };
    expect((await openai.chat.completions.create(body)).usage).toEqual(used);
    const chunksOf = async (options: { stream_options?: { include_usage: boolean } }) => {
      const chunks: OpenAI.ChatCompletionChunk[] = [];
      for await (const chunk of await openai.chat.completions.create({ ...body, ...options, stream: true })) {
        chunks.push(chunk);
      }
      return chunks;
    };
    const withUsage = { stream_options: { include_usage: true } };
    const { choices, usage } = (await chunksOf(withUsage)).at(-1)!;
    expect({ choices, usage }).toEqual({ choices: [], usage: used });
    for (const { usage: none } of await chunksOf({})) expect(none).toBeUndefined();

    model.script = () => ({ status: 500 });
    const unused = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
    expect((await chunksOf(withUsage)).at(-1)!.usage).toEqual(unused);
  });

  it.each(sidePrompts)('gets $name by the model alone: no query, no page, no search', async ({ prompt }) => {
    model.script = () => ({ text: 'A Lighthouse and Its Engineer' });
    const body = { model: 'citewire', messages: [{ role: 'user' as const, content: prompt }] };
    const whole = await openai.chat.completions.create(body);
    expect(whole.choices[0]!.message.content).toBe('A Lighthouse and Its Engineer');
    const streamed = await openai.chat.completions.stream(body).finalContent();
    expect(streamed).toBe('A Lighthouse and Its Engineer');
    expect(model.calls.map(({ kind }) => kind)).toEqual(['other', 'other']);
    expect(web.requests).toEqual([]);
    expect(await doorsOf()).toEqual([]);
  });

  it('throws its own errors for a bad key, an invalid request and an unknown model', async () => {
    const other = new OpenAI({ baseURL: `${app.url}/v1`, apiKey: 'cw_none' });
    await expect(other.models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
    const invalid = openai.chat.completions.create({ model: 'citewire', messages: [] });
    await expect(invalid).rejects.toMatchObject({ status: 400, param: 'messages', code: 'validation_error' });
    const unknown = openai.chat.completions.create({ model: 'gpt-5', messages });
    await expect(unknown).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });

  it('answers as a published API in the shape of a schema that fits its template, and refuses others', async () => {
    const post = async (path: string, body: object) => {
      const headers = { authorization: `Bearer ${openai.apiKey}`, 'content-type': 'application/json' };
      const answer = await fetch(app.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
      expect(answer.status).toBe(201);
      return (await answer.json()) as { api_id: string };
    };
    const publish = async (output_format?: object) => {
      const api_stub = `typed-${crypto.randomUUID().slice(0, 8)}`;
      const design = { name: 'Typed', api_stub, prompt: question, inputs: {}, effort: 'fast', output_format };
      const { api_id } = await post('/v1/design-api', design);
      await post(`/v1/design-api/${api_id}/publish`, {});
      return api_stub;
    };
    const typed = await publish({ designer: 'string', height: { metres: 'number' } });
    const ask = (api_stub: string, schema: Record<string, unknown>) =>
      openai.chat.completions.create({
        model: `api/${api_stub}`,
        messages: [{ role: 'user', content: '{}' }],
        response_format: { type: 'json_schema', json_schema: { name: 'x', schema } },
      });
    const designer = { type: ['string', 'null'], description: 'Who designed it.' };
    const height = (type: string) => ({ type: 'object', properties: { metres: { type } } });
    const fitting = await ask(typed, { type: 'object', properties: { height: height('integer'), designer } });
    expect(Object.keys(JSON.parse(fitting.choices[0]!.message.content!) as object)).toEqual(['designer', 'height']);
    const at = { status: 400, param: 'response_format.json_schema.schema' };
    for (const [properties, got] of [
      [{ designer }, 'none for "/height/metres": number'],
      [{ designer, height: height('string') }, '"/height/metres": string'],
      [{ designer, height: height('number'), year: { type: 'number' } }, '"/year": number'],
    ] as const) {
      const message = expect.stringContaining(got);
      await expect(ask(typed, { type: 'object', properties })).rejects.toMatchObject({ ...at, message });
    }
    const untyped = ask(await publish(), { type: 'object', properties: { designer } });
    await expect(untyped).rejects.toMatchObject({ ...at, message: expect.stringContaining('has no template') });
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

describe('openai at a server that shuts down', () => {
  it.each(['chat', 'responses'] as const)(
    'asks the next server again for a search that this one could not finish, .%s',
    async (kind) => {
      // Chosen before, because a port that the system chose cannot be listened on again at once.
      const settings = { PORT: `${await freePort()}`, MODEL: 'scripted', OPENAI_BASE_URL: model.url };
      await using own = await startTestApp(settings);
      let stalled = () => {};
      const isWriting = new Promise<void>((resolve) => {
        stalled = resolve;
      });
      model.script = (call, count) => {
        if (call.kind !== 'write') return goodModel(call, count);
        stalled();
        return { endless: true, ms: 20 };
      };
      const statuses: number[] = [];
      const counted: typeof fetch = async (...given) => {
        const response = await fetch(...given);
        statuses.push(response.status);
        return response;
      };
      // More than it needs: what is tried before the next server listens is counted, too.
      const client = new OpenAI({ baseURL: `${own.url}/v1`, apiKey: own.key, fetch: counted, maxRetries: 10 });
      const asked =
        kind === 'chat'
          ? client.chat.completions.create({ model: 'citewire', messages })
          : client.responses.create({ model: 'citewire', input: question });
      await isWriting;
      await own.close(0);
      model.script = cites;
      const config = readConfig({ ...settings, DATA_DIR: own.dataDir, LOG_LEVEL: 'error' });
      const next = await startApp(config, createLog(config.logLevel));
      const answer = await asked;
      await next.close(0);
      expect('choices' in answer ? answer.choices[0]?.message.content : answer.output_text).toContain('Ingrid Solvay');
      expect(statuses).toEqual([503, 200]);
      const store = await openStore({ dataDir: own.dataDir });
      const { items } = await store.runs.list('acc_development', { cursor: undefined, limit: 10 });
      await store.close();
      expect(items).toMatchObject([{ state: 'completed' }, { state: 'cancelled' }]);
    },
  );

  it('tries again a search that was not started, for as long as it is told to', async () => {
    await using own = await startTestApp({ MODEL: 'scripted', OPENAI_BASE_URL: model.url });
    model.script = (call, count) => (call.kind === 'write' ? { endless: true, ms: 20 } : goodModel(call, count));
    // A search in progress keeps the server from closing.
    const running = await own.post('/v1/search', { prompt: question }, { accept: 'text/event-stream' });
    const closed = own.close(30_000);
    let requests = 0;
    const counted: typeof fetch = (...given) => {
      requests += 1;
      return fetch(...given);
    };
    const client = new OpenAI({ baseURL: `${own.url}/v1`, apiKey: own.key, fetch: counted, maxRetries: 1 });
    const refused = client.chat.completions.create({ model: 'citewire', messages });
    await expect(refused).rejects.toMatchObject({ status: 503, code: 'server_shutdown' });
    expect(requests).toBe(2);
    await own.close(0);
    await running.body?.cancel();
    await closed;
  });
});

describe('an image that no model sees', () => {
  const image =
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const warned = { warnings: [{ code: 'image_not_used', message: 'No model with vision is configured.' }] };
  let own: TestApp;
  let client: OpenAI;
  beforeAll(async () => {
    own = await startTestApp();
    client = new OpenAI({ baseURL: `${own.url}/v1`, apiKey: own.key });
  });
  afterAll(() => own[Symbol.asyncDispose]());

  it('is named in a completion, and in the last chunk of one', async () => {
    const content = [
      { type: 'text' as const, text: question },
      { type: 'image_url' as const, image_url: { url: image } },
    ];
    const asked = { model: 'citewire', messages: [{ role: 'user' as const, content }] };
    expect(await client.chat.completions.create(asked)).toMatchObject(warned);
    const chunks: unknown[] = [];
    for await (const chunk of await client.chat.completions.create({ ...asked, stream: true })) chunks.push(chunk);
    expect(chunks.at(-1)).toMatchObject(warned);
    expect(await client.chat.completions.create({ model: 'citewire', messages })).not.toHaveProperty('warnings');
  });

  it('is named in a response, and at the end of its events', async () => {
    const content = [
      { type: 'input_text' as const, text: question },
      { type: 'input_image' as const, image_url: image, detail: 'auto' as const },
    ];
    const asked = { model: 'citewire', input: [{ role: 'user' as const, content }] };
    expect(await client.responses.create(asked)).toMatchObject(warned);
    const events: OpenAI.Responses.ResponseStreamEvent[] = [];
    for await (const event of await client.responses.create({ ...asked, stream: true })) events.push(event);
    expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: warned });
  });
});

describe('responses of openai', () => {
  const create = { model: 'citewire', input: question } as const;
  const textOf = ({ output_text }: { output_text: string }) => output_text;

  it('creates a response with annotations, and retrieves it again', async () => {
    const response = await openai.responses.create(create);
    const message = response.output.find((item) => item.type === 'message')!;
    const content = message.content[0] as OpenAI.Responses.ResponseOutputText;
    expect(content.annotations.length).toBeGreaterThan(0);
    for (const each of content.annotations as OpenAI.Responses.ResponseOutputText.URLCitation[]) {
      expect(response.output_text.slice(each.start_index, each.end_index)).toMatch(/^\[\d+\]$/);
    }
    expect(await openai.responses.retrieve(response.id)).toMatchObject({
      status: 'completed',
      output: response.output,
    });
    expect(await doorsOf()).toEqual(['responses']);
  });

  it('streams the response that it would have created', async () => {
    const whole = await openai.responses.create(create);
    const final = await openai.responses.stream(create).finalResponse();
    expect(textOf(final)).toBe(textOf(whole));
    const contents = [whole, final].map(
      ({ output }) => (output.at(-1) as OpenAI.Responses.ResponseOutputMessage).content,
    );
    expect(contents[1]).toMatchObject(contents[0]!);
  });

  it('gets the values as the call of a function, in one piece, from a stream and when it is retrieved', async () => {
    model.script = () => ({ status: 500 });
    const lighthouse = z.object({ designer: z.enum(['INGRID_SOLVAY', 'ODO_BRANDT']).nullable() });
    const tool = zodResponsesFunction({ name: 'lighthouse', parameters: lighthouse });
    const asked = { ...create, tools: [tool], tool_choice: { type: 'function' as const, name: 'lighthouse' } };
    const callIn = ({ output }: { output: readonly { type: string }[] }) =>
      output.find(({ type }) => type === 'function_call') as unknown as {
        parsed_arguments: unknown;
        arguments: string;
      };
    const whole = await openai.responses.parse(asked);
    expect(callIn(whole).parsed_arguments).toEqual({ designer: 'INGRID_SOLVAY' });
    const final = await openai.responses.stream(asked).finalResponse();
    expect(callIn(final).parsed_arguments).toEqual({ designer: 'INGRID_SOLVAY' });
    expect(callIn(await openai.responses.retrieve(final.id)).arguments).toBe(callIn(final).arguments);
  });

  it('reads on after the socket was cut: the same text', async () => {
    for (const cutAt of [0, 4, 12, 25]) {
      const texts: string[] = [];
      let id = '';
      let last = -1;
      const take = (event: OpenAI.Responses.ResponseStreamEvent) => {
        if (event.type === 'response.created') id = event.response.id;
        if (event.type === 'response.output_text.delta') texts.push(event.delta);
        expect(event.sequence_number).toBe(last + 1);
        last = event.sequence_number;
      };
      const stream = await openai.responses.create({ ...create, stream: true });
      for await (const event of stream) {
        take(event);
        if (last === cutAt) break;
      }
      stream.controller.abort();
      const rest = await openai.responses.retrieve(id, { stream: true, starting_after: last });
      let final: OpenAI.Responses.Response | undefined;
      for await (const event of rest) {
        take(event);
        if (event.type === 'response.completed') final = event.response;
      }
      expect(texts.join('')).toBe(
        (final!.output.at(-1) as OpenAI.Responses.ResponseOutputMessage).content
          .map((part) => (part as { text: string }).text)
          .join(''),
      );
      const replayed = await openai.responses.stream({ response_id: id, starting_after: cutAt }).finalResponse();
      expect(replayed.output).toMatchObject(final!.output);
    }
  });

  it('follows up on a response, and shows the model what it answered', async () => {
    const first = await openai.responses.create(create);
    await openai.responses.create({ model: 'citewire', input: 'When?', previous_response_id: first.id });
    const { prompt } = model.calls.findLast(({ kind }) => kind === 'write')!;
    expect(prompt).toContain(question);
    const unknown = openai.responses.create({ ...create, previous_response_id: 'resp_s_none' });
    await expect(unknown).rejects.toMatchObject({ status: 400, param: 'previous_response_id' });
  });

  it('cancels a response, which then stays cancelled', async () => {
    model.script = (call, count) => (call.kind === 'write' ? { endless: true, ms: 20 } : goodModel(call, count));
    const stream = await openai.responses.create({ ...create, stream: true });
    let id = '';
    for await (const event of stream) {
      if (event.type === 'response.created') {
        id = event.response.id;
        expect((await openai.responses.retrieve(id)).status).toBe('in_progress');
        expect((await openai.responses.cancel(id)).status).toBe('cancelled');
      }
      if (event.type === 'response.failed') expect(event.response.status).toBe('cancelled');
    }
    expect((await openai.responses.retrieve(id)).status).toBe('cancelled');
  });

  it('deletes a response, which nothing returns afterwards', async () => {
    const idempotencyKey = `once-${Date.now()}`;
    const { id } = await openai.responses.create(create, { idempotencyKey });
    const search_id = id.slice('resp_'.length);
    const get = (path: string) => fetch(app.url + path, { headers: { authorization: `Bearer ${openai.apiKey}` } });
    const { plaintext } = await app.accounts.createKey({ name: 'stranger', plan: 'pro' });
    const stranger = new OpenAI({ baseURL: `${app.url}/v1`, apiKey: plaintext });
    await expect(stranger.responses.delete(id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    expect((await openai.responses.retrieve(id)).status).toBe('completed');
    const answer = await openai.responses.delete(id).asResponse();
    expect(await answer.json()).toEqual({ id, object: 'response', deleted: true });
    await expect(openai.responses.retrieve(id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    await expect(openai.responses.retrieve(id, { stream: true })).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    await expect(openai.responses.delete(id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    for (const path of ['', '/events']) expect((await get(`/v1/search/${search_id}${path}`)).status).toBe(404);
    expect(await doorsOf()).toEqual([]);
    const again = await openai.responses.create(create, { idempotencyKey });
    expect(again.id).not.toBe(id);
    await expect(openai.responses.create({ ...create, previous_response_id: id })).rejects.toMatchObject({
      param: 'previous_response_id',
    });
  });

  it('deletes a response in progress: it is cancelled', async () => {
    model.script = (call, count) => (call.kind === 'write' ? { endless: true, ms: 20 } : goodModel(call, count));
    const stream = await openai.responses.create({ ...create, stream: true });
    let last: OpenAI.Responses.ResponseStreamEvent | undefined;
    for await (const event of stream) {
      last = event;
      if (event.type === 'response.created') await openai.responses.delete(event.response.id);
    }
    expect(last).toMatchObject({ type: 'response.failed', response: { status: 'cancelled' } });
  });

  it('creates a response in the background, and retrieves it once it has ended', async () => {
    const { id, status, background } = await openai.responses.create({ ...create, background: true });
    expect({ status, background }).toEqual({ status: 'in_progress', background: true });
    await expect.poll(async () => (await openai.responses.retrieve(id)).status).toBe('completed');
    expect((await openai.responses.retrieve(id)).output_text).toContain('Ingrid Solvay');
  });

  it('throws its own error for an unknown response', async () => {
    await expect(openai.responses.retrieve('resp_s_none')).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });
});

describe('the AI SDK', () => {
  const provider = () => createOpenAI({ baseURL: `${app.url}/v1`, apiKey: openai.apiKey! });

  it.each(['chat', 'responses'] as const)('shows sources, and asks on: @ai-sdk/openai .%s()', async (kind) => {
    const citewire = provider()[kind]('citewire');
    const first = streamText({ model: citewire, prompt: question });
    const parts: string[] = [];
    for await (const part of first.fullStream) {
      if (part.type === 'error') throw part.error;
      parts.push(part.type);
    }
    expect(parts).toContain('source');
    // A call of a tool that it does not have would be reported as a failed one.
    expect(parts.filter((type) => type.startsWith('tool-'))).toEqual([]);
    expect(await first.finishReason).toBe('stop');
    const turns: ModelMessage[] = [
      { role: 'user', content: question },
      ...(await first.response).messages,
      { role: 'user', content: 'When?' },
    ];
    model.calls.length = 0;
    const second = await generateText({ model: citewire, messages: turns });
    expect(second.sources.length).toBeGreaterThan(0);
    expect(second.toolCalls).toEqual([]);
    const titles = second.sources.map(({ title }) => title ?? '');
    expect(titles.filter((title) => title === '' || title.startsWith('http'))).toEqual([]);
    const { prompt } = model.calls.find(({ kind: stage }) => stage === 'write')!;
    expect(prompt).toContain(question);
    expect(prompt).toContain('Answered to the last of these');
  });

  it.each(['chat', 'responses'] as const)(
    'gets the call of a tool that it demands: @ai-sdk/openai .%s()',
    async (kind) => {
      model.script = () => ({ status: 500 });
      const schema = z.object({ designer: z.enum(['INGRID_SOLVAY', 'ODO_BRANDT']).nullable() });
      // The type of a tool without `execute` does not fit where optional properties are exact.
      const tools = { lighthouse: tool({ inputSchema: schema }) } as ToolSet;
      const asked = { model: provider()[kind]('citewire'), prompt: question, tools };
      const expected = [{ input: { designer: 'INGRID_SOLVAY' } }];
      const whole = await generateText({ ...asked, toolChoice: { type: 'tool', toolName: 'lighthouse' } });
      expect(whole.toolCalls).toMatchObject(expected);
      const streamed = streamText({ ...asked, toolChoice: 'required' });
      expect(await streamed.toolCalls).toMatchObject(expected);
      expect(await streamed.finishReason).toBe('tool-calls');
    },
  );

  it('shows the call of its tool of web searches, with the sources and their titles: @ai-sdk/openai', async () => {
    const openaiProvider = provider();
    const tools = { web: openaiProvider.tools.webSearch() } as ToolSet;
    const { toolCalls, toolResults, sources } = await generateText({
      model: openaiProvider.responses('citewire'),
      prompt: question,
      tools,
    });
    expect(toolCalls).toMatchObject([{ toolName: 'web', providerExecuted: true }]);
    expect(toolCalls[0]!.invalid).toBeUndefined();
    const { output } = toolResults[0] as { output: { sources: { url: string }[] } };
    expect(output.sources.map(({ url }) => new URL(url).pathname)).toContain('/heron');
    expect(sources.map(({ title }) => title)).toContain('Heron Point');
  });

  it('shows sources: @ai-sdk/perplexity', async () => {
    const perplexity = createPerplexity({ baseURL: `${app.url}/v1`, apiKey: openai.apiKey! });
    const whole = await generateText({ model: perplexity('citewire'), prompt: question });
    expect(whole.sources.length).toBeGreaterThan(1);
    const streamed = streamText({ model: perplexity('citewire'), prompt: question });
    expect(await streamed.text).toBe(whole.text);
    const urls = (sources: readonly { sourceType: string }[]) => sources.map((each) => (each as { url?: string }).url);
    expect(urls(await streamed.sources)).toEqual(urls(whole.sources));
  });
});

describe('LangChain', () => {
  it.each([false, true])('gets the annotations of a response, streamed: %s', async (streaming) => {
    const chat = new ChatOpenAI({
      model: 'citewire',
      apiKey: openai.apiKey!,
      useResponsesApi: true,
      streaming,
      configuration: { baseURL: `${app.url}/v1` },
    });
    const { content } = await chat.invoke(question);
    const blocks = content as { type: string; text?: string; annotations?: { url?: string }[] }[];
    const annotations = blocks.flatMap(({ annotations: found = [] }) => found);
    expect(annotations.length).toBeGreaterThan(0);
    expect(JSON.stringify(annotations)).toContain('/almanac');
  });

  it.each([false, true])('gets structured output, over responses: %s', async (useResponsesApi) => {
    const chat = new ChatOpenAI({
      model: 'citewire',
      apiKey: openai.apiKey!,
      useResponsesApi,
      configuration: { baseURL: `${app.url}/v1` },
    });
    const lighthouse = z.object({ designer: z.enum(['INGRID_SOLVAY', 'ODO_BRANDT']).nullable() });
    model.script = () => ({ status: 500 });
    const structured = chat.withStructuredOutput(lighthouse);
    expect(await structured.invoke(question)).toEqual({ designer: 'INGRID_SOLVAY' });
    // Over responses, a stream is parsed only if its response repeats the format.
    const streamed: unknown[] = [];
    for await (const part of await structured.stream(question)) streamed.push(part);
    expect(streamed.at(-1)).toEqual({ designer: 'INGRID_SOLVAY' });
  });

  it.each([false, true])(
    'gets structured output by calling a function, over responses: %s',
    async (useResponsesApi) => {
      const chat = new ChatOpenAI({
        model: 'citewire',
        apiKey: openai.apiKey!,
        useResponsesApi,
        configuration: { baseURL: `${app.url}/v1` },
      });
      const lighthouse = z.object({ designer: z.enum(['INGRID_SOLVAY', 'ODO_BRANDT']).nullable() });
      model.script = () => ({ status: 500 });
      const structured = chat.withStructuredOutput(lighthouse, { name: 'lighthouse', method: 'functionCalling' });
      expect(await structured.invoke(question)).toEqual({ designer: 'INGRID_SOLVAY' });
      // LangChain's own parser of calls refuses every stream of responses, of any server.
      if (useResponsesApi) return;
      const streamed: unknown[] = [];
      for await (const part of await structured.stream(question)) streamed.push(part);
      expect(streamed.at(-1)).toEqual({ designer: 'INGRID_SOLVAY' });
    },
  );

  it('gets the title of a conversation as JSON, in the words of LibreChat', async () => {
    const chat = new ChatOpenAI({
      model: 'citewire',
      apiKey: openai.apiKey!,
      configuration: { baseURL: `${app.url}/v1` },
    });
    const title = z.object({ language: z.string().nullable(), title: z.string() });
    const prompt = `Analyze this conversation and provide:\n1. The language\n2. A title\n\nUser: ${question}\nAI: Solvay.`;
    const titled = chat.withStructuredOutput(title);
    model.script = () => ({ text: '{"language": "English", "title": "A Lighthouse"}' });
    expect(await titled.invoke(prompt)).toEqual({ language: 'English', title: 'A Lighthouse' });
    model.script = () => ({ status: 500 });
    expect(await titled.invoke(prompt)).toEqual({ language: null, title: question });
    expect(await doorsOf()).toEqual([]);
  });
});
