/** The metadata of a response, sent with OpenAI's own client over a real socket. */
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
