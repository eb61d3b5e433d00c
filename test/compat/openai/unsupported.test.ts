/** Parameters that a search cannot honour, sent with OpenAI's own client over a real socket. */
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

const question = 'How do I check a citation?';
const chat = (more: object) =>
  openai.chat.completions.create({ model: 'citewire', messages: [{ role: 'user', content: question }], ...more });
const respond = (more: object) => openai.responses.create({ model: 'citewire', input: question, ...more });
const refusal = (param: string) => ({ status: 400, param, type: 'invalid_request_error', code: 'validation_error' });

const lookUp = { type: 'function', name: 'look_up' };

describe('a chat completion', () => {
  it('is refused with several choices, because a search has one answer', async () => {
    await expect(chat({ n: 2 })).rejects.toMatchObject(refusal('n'));
  });

  it.each([
    ['any tool', 'required'],
    ['a function that is not there', { type: 'function', function: { name: 'look_up' } }],
    ['one of several', { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [lookUp] } }],
  ])('is refused when it must be a call of %s', async (_, tool_choice) => {
    await expect(chat({ tool_choice })).rejects.toMatchObject(refusal('tool_choice'));
  });

  it('is refused when it must be the call of an unknown function in the older form', async () => {
    const functions = [{ name: 'look_up', parameters: {} }];
    await expect(chat({ functions, function_call: { name: 'find' } })).rejects.toMatchObject(refusal('function_call'));
    expect((await chat({ functions, function_call: 'auto' })).choices).toHaveLength(1);
  });

  it('is refused when it must be spoken, because its text would not be there', async () => {
    const audio = { voice: 'alloy', format: 'mp3' };
    await expect(chat({ modalities: ['text', 'audio'], audio })).rejects.toMatchObject(refusal('modalities'));
    expect((await chat({ modalities: ['text'] })).choices).toHaveLength(1);
  });

  it('ignores what does no harm', async () => {
    const harmless = {
      n: 1,
      tool_choice: 'auto',
      temperature: 0.2,
      stop: ['\n'],
      seed: 1,
      logprobs: true,
      store: false,
    };
    expect((await chat(harmless)).choices).toMatchObject([{ logprobs: null }]);
  });
});

describe('a response', () => {
  it.each([
    ['any of several tools without a web search', { tool_choice: 'required', tools: [lookUp, lookUp] }],
    ['a function that is not there', { tool_choice: lookUp, tools: [] }],
    ['a tool of another kind', { tool_choice: { type: 'file_search' }, tools: [{ type: 'file_search' }] }],
  ])('is refused when it must be a call of %s', async (_, more) => {
    await expect(respond(more)).rejects.toMatchObject(refusal('tool_choice'));
  });

  it.each([
    ['by name', { tool_choice: { type: 'web_search' }, tools: [{ type: 'web_search' }] }],
    ['as one of the tools', { tool_choice: 'required', tools: [lookUp, { type: 'web_search' }] }],
  ])('may demand a web search %s', async (_, more) => {
    expect((await respond(more)).status).toBe('completed');
  });

  it.each([
    ['a conversation', 'conversation', { conversation: 'conv_123' }],
    ['a conversation as an object', 'conversation', { conversation: { id: 'conv_123' } }],
    ['a stored prompt', 'prompt.id', { prompt: { id: 'pmpt_123' } }],
  ])('is refused with %s, because its text would be missing', async (_, param, more) => {
    await expect(respond(more)).rejects.toMatchObject(refusal(param));
  });

  it('ignores what does no harm', async () => {
    const none = { conversation: null, prompt: null };
    const harmless = {
      ...none,
      truncation: 'auto',
      store: false,
      top_logprobs: 2,
      include: ['message.output_text.logprobs'],
    };
    expect(await respond(harmless)).toMatchObject({ status: 'completed', store: true });
  });
});
