/** What a response repeats of its request, whenever it is read, with OpenAI's own client over a real socket. */
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp } from '../../../src/app/app.ts';
import { readConfig } from '../../../src/base/config.ts';
import { createLog } from '../../../src/base/log.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';

let app: TestApp;
let openai: OpenAI;
beforeAll(async () => {
  app = await startTestApp();
  const { plaintext } = await app.accounts.createKey({ name: 'client', plan: 'pro' });
  openai = new OpenAI({ baseURL: `${app.url}/v1`, apiKey: plaintext, maxRetries: 0 });
});
afterAll(() => app[Symbol.asyncDispose]());

const create = { model: 'citewire', input: 'How do I check a citation?' };
const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`key ${at}`, 'value']));

describe('a response that is retrieved', () => {
  const given = { model: 'citewire-fast', metadata: { ticket: '42' }, instructions: 'Answer in one sentence.' };

  it('has the model, the metadata, the instructions and the response before it, as long as its events are there', async () => {
    const first = await openai.responses.create(create);
    const asked = { ...create, ...given, previous_response_id: first.id };
    const { id } = await openai.responses.create(asked);
    const expected = { ...given, previous_response_id: first.id };
    expect(await openai.responses.retrieve(id)).toMatchObject(expected);
    const replayed: unknown[] = [];
    for await (const event of await openai.responses.retrieve(id, { stream: true }))
      if ('response' in event) replayed.push(event.response);
    expect(replayed).toMatchObject([expected, expected, expected]);
    expect(await openai.responses.cancel(id)).toMatchObject(expected);
    // The native call says what it always said.
    const search = await app.get(`/v1/search/${id.slice('resp_'.length)}`, { 'x-api-key': openai.apiKey! });
    expect(await search.text()).not.toContain('ticket');
  });

  it('has them after a restart of the server, of an ended response and of one in the background', async () => {
    await using before = await startTestApp();
    const apiKey = before.key;
    const first = new OpenAI({ baseURL: `${before.url}/v1`, apiKey });
    const ended = await first.responses.create({ ...create, ...given });
    const waiting = await first.responses.create({ ...create, ...given, background: true });
    await before.close(0);
    const config = readConfig({ PORT: '0', DATA_DIR: before.dataDir, LOG_LEVEL: 'silent' });
    const after = await startApp(config, createLog(config.logLevel));
    try {
      const second = new OpenAI({ baseURL: `${after.url}/v1`, apiKey });
      for (const { id } of [ended, waiting]) expect(await second.responses.retrieve(id)).toMatchObject(given);
      const events: OpenAI.Responses.ResponseStreamEvent[] = [];
      for await (const event of await second.responses.retrieve(ended.id, { stream: true })) events.push(event);
      expect(events.at(0)).toMatchObject({ type: 'response.created', sequence_number: 0, response: given });
      const last = events.at(-1);
      expect(last).toMatchObject({ type: 'response.completed', response: { ...given, output: ended.output } });
      const deltas = events.flatMap((event) => (event.type === 'response.output_text.delta' ? [event.delta] : []));
      expect(deltas.join('')).toBe(ended.output_text);
      // Their numbers are others than before.
      const later = second.responses.retrieve(ended.id, { stream: true, starting_after: 2 });
      await expect(later).rejects.toMatchObject({ status: 410, message: expect.stringContaining('from the start') });
    } finally {
      await after.close(0);
    }
  });

  it('is called a response where there is none', async () => {
    const found = () => openai.responses.retrieve('resp_s_none');
    await expect(found()).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining('There is no response'),
    });
    await expect(openai.responses.cancel('resp_s_none')).rejects.toThrow('There is no response');
    await expect(openai.responses.delete('resp_s_none')).rejects.toThrow('There is no response');
  });

  it('is another request where what it repeats is another, under one idempotency key', async () => {
    const headers = { 'idempotency-key': `same-${Date.now()}` };
    const { id } = await openai.responses.create({ ...create, metadata: { ticket: '1' } }, { headers });
    const again = await openai.responses.create({ ...create, metadata: { ticket: '1' } }, { headers });
    expect(again.id).toBe(id);
    for (const change of [
      { metadata: { ticket: '2' } },
      { tools: [{ type: 'web_search' as const }] },
      { model: 'citewire-fast' },
    ]) {
      const asked = { ...create, metadata: { ticket: '1' }, ...change };
      await expect(openai.responses.create(asked, { headers })).rejects.toMatchObject({
        code: 'idempotency_mismatch',
      });
    }
  });

  it('has none of them if it came through another door', async () => {
    const { search_id } = (await (await app.post('/v1/search', { prompt: create.input })).json()) as {
      search_id: string;
    };
    const own = new OpenAI({ baseURL: `${app.url}/v1`, apiKey: app.key });
    const text = { format: { type: 'text' } };
    const none = { model: 'citewire', metadata: {}, previous_response_id: null, instructions: null, text };
    expect(await own.responses.retrieve(`resp_${search_id}`)).toMatchObject(none);
  });
});

describe('the format and the instructions of a response', () => {
  const schema = { type: 'object', properties: { answer: { type: 'string', description: 'In a word.' } } };
  const format = { type: 'json_schema' as const, name: 'reply', schema, strict: false };

  it('are in it, in its events, and whenever it is read again', async () => {
    const text = { format, verbosity: 'low' as const };
    const asked = { ...create, instructions: 'Answer in one word.', text };
    const expected = { instructions: asked.instructions, text: { format } };
    const response = await openai.responses.create(asked);
    expect(response).toMatchObject(expected);
    expect(response.text).toEqual({ format });
    expect(await openai.responses.retrieve(response.id)).toMatchObject(expected);
    const found: unknown[] = [];
    for await (const event of await openai.responses.create({ ...asked, stream: true }))
      if ('response' in event) found.push(event.response);
    expect(found).toMatchObject([expected, expected, expected]);
    expect(await openai.responses.create({ ...asked, background: true })).toMatchObject(expected);
  });

  it('are plain text and null where there are none', async () => {
    const none = { instructions: null, text: { format: { type: 'text' } } };
    expect(await openai.responses.create({ ...create, instructions: null })).toMatchObject(none);
    expect(await openai.responses.create({ ...create, text: { format: { type: 'text' } } })).toMatchObject(none);
  });

  it('are left out where they are long, because they are kept with the search', async () => {
    const instructions = 'Answer in one word. '.repeat(500);
    const answer = { type: 'string', description: instructions };
    const long = { ...format, schema: { ...schema, properties: { answer } } };
    const response = await openai.responses.create({ ...create, instructions, text: { format: long } });
    expect(response).toMatchObject({ instructions: null, text: { format: { type: 'json_schema', name: 'reply' } } });
    expect(response.text?.format).toMatchObject({ schema: {} });
    expect(response.output_text).toContain('answer');
  });
});

describe('the metadata of a response', () => {
  it('are in the response', async () => {
    const metadata = { ticket: '42', ['k'.repeat(64)]: 'v'.repeat(512) };
    expect(await openai.responses.create({ ...create, metadata })).toMatchObject({ metadata });
  });

  it('are in the events that have the response', async () => {
    const metadata = pairs(16);
    const found: unknown[] = [];
    for await (const event of await openai.responses.create({ ...create, metadata, stream: true }))
      if ('response' in event) found.push(event.response.metadata);
    expect(found).toEqual([metadata, metadata, metadata]);
  });

  it('are in the response that runs in the background', async () => {
    const metadata = { ticket: '42' };
    expect(await openai.responses.create({ ...create, metadata, background: true })).toMatchObject({ metadata });
  });

  it('are empty where there are none', async () => {
    expect((await openai.responses.create({ ...create, metadata: null })).metadata).toEqual({});
  });

  it.each([
    ['more than 16 pairs', pairs(17), /at most 16 pairs; got 17/],
    ['a key that is too long', { ['k'.repeat(65)]: 'value' }, /keys of at most 64 characters; got 65/],
    ['a value that is too long', { key: 'v'.repeat(513) }, /values of at most 512 characters; got 513/],
  ])('are refused with %s', async (_, metadata, message) => {
    await expect(openai.responses.create({ ...create, metadata })).rejects.toMatchObject({
      status: 400,
      param: 'metadata',
      type: 'invalid_request_error',
      code: 'validation_error',
      message: expect.stringMatching(message) as string,
    });
  });
});
