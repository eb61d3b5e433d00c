/** A search of one collection by every door, with the clients that people use, and what each says of one that is unknown. */
import { tavily } from '@tavily/core';
import OpenAI from 'openai';
import Parallel from 'parallel-web';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ExaSearchResponse, ParallelTaskRun } from '../../protocol/index.ts';
import { searchTool } from '../../src/agents/search-tool.ts';
import { createClient } from '../../src/client/client.ts';
import { connectMcp } from '../support/clients/mcp-clients.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

const question = 'With which word does the Petrel vault open?';
const messages = [{ role: 'user' as const, content: question }];
const unknown = 'expected the name or id of one of your collections; got "None"';

let app: TestApp;
let openai: OpenAI;
beforeAll(async () => {
  app = await startTestApp();
  const { sources, collections } = createClient({ baseUrl: app.url, apiKey: app.key });
  const upload = async (name: string, text: string) => {
    const { source_id } = await sources.upload(name, new TextEncoder().encode(text));
    const stateOf = async () => (await sources.list()).items.find((each) => each.source_id === source_id)?.state;
    await vi.waitUntil(async () => (await stateOf()) === 'ready', { timeout: 60_000, interval: 100 });
    return source_id;
  };
  const vault = await upload('vault.md', '# Petrel\n\nThe Petrel vault opens with the word marzipan.\n');
  const gate = await upload('gate.md', '# Dunlin\n\nThe Dunlin gate is painted green by Odile Fenn.\n');
  await collections.create({ name: 'Vault', sources: [vault] });
  await collections.create({ name: 'Garden', sources: [gate] });
  openai = new OpenAI({ baseURL: `${app.url}/v1`, apiKey: app.key, maxRetries: 0 });
});
afterAll(() => app[Symbol.asyncDispose]());

/** For clients that send no fields of ours. */
async function post<Answer>(path: string, body: object): Promise<Answer> {
  const headers = { 'x-api-key': app.key, 'content-type': 'application/json' };
  const response = await fetch(app.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(text.replaceAll('\\"', '"'));
  return JSON.parse(text) as Answer;
}

/** The text that a search of the collections returns, through each door. Rejects with the client's own error. */
const doors: Readonly<Record<string, (collections: string[]) => Promise<string>>> = {
  async 'chat completions of OpenAI'(collections) {
    const body = { model: 'citewire', messages, citewire: { collections } };
    return (await openai.chat.completions.create(body)).choices[0]!.message.content!;
  },
  async 'responses of OpenAI'(collections) {
    const body = { model: 'citewire', input: question, citewire: { collections } };
    return (await openai.responses.create(body)).output_text;
  },
  async "Tavily's search"(collections) {
    const client = tavily({ apiKey: app.key, apiBaseURL: `${app.url}/tavily` });
    const { results } = await client.search(question, { collections });
    return results.map(({ content }) => content).join('\n');
  },
  async "Exa's search"(collections) {
    const { results } = await post<ExaSearchResponse>('/exa/search', {
      query: question,
      contents: { highlights: true },
      collections,
    });
    return results.flatMap(({ highlights = [] }) => highlights).join('\n');
  },
  async "Exa's answer"(collections) {
    return (await post<{ answer: string }>('/exa/answer', { query: question, collections })).answer;
  },
  "Perplexity's search": async (collections) =>
    JSON.stringify(await post('/perplexity/search', { query: question, collections })),
  async "Parallel's search"(collections) {
    return JSON.stringify(await post('/parallel/v1/search', { objective: question, collections }));
  },
  async "Parallel's task run"(collections) {
    const { run_id } = await post<ParallelTaskRun>('/parallel/v1/tasks/runs', { input: question, collections });
    const client = new Parallel({ apiKey: app.key, baseURL: `${app.url}/parallel` });
    return String((await client.taskRun.result(run_id)).output.content);
  },
  "Open WebUI's search": async (collections) =>
    JSON.stringify(await post('/open-webui/search', { query: question, collections })),
  'the MCP tool answer': (collections) => callTool('answer', { prompt: question, collections }),
  'the MCP tool search': (collections) => callTool('search', { query: question, collections }),
  async 'the tool for agents'(collections) {
    const tool = searchTool({ baseUrl: app.url, apiKey: app.key, collections });
    return JSON.stringify(await tool.execute({ question }));
  },
};

async function callTool(name: string, args: Record<string, unknown>): Promise<string> {
  const client = await connectMcp('automatic', { url: `${app.url}/mcp`, headers: { 'x-api-key': app.key } });
  try {
    const { isError, content, structuredContent } = await client.callTool(name, args);
    if (isError) throw new Error(content.map(({ text }) => text).join('\n'));
    return JSON.stringify(structuredContent);
  } finally {
    await client.close();
  }
}

describe.each(Object.entries(doors))('%s', (_, search) => {
  it('finds what the collection holds, and nothing else', async () => {
    expect(await search(['vault'])).toMatch(/marzipan|Petrel/);
    expect(await search(['Garden'])).not.toMatch(/marzipan|# Petrel|"Petrel"/);
  });

  it('refuses a collection that the account does not have', async () => {
    await expect(search(['None'])).rejects.toThrow(unknown);
  });
});

describe("OpenAI's own error", () => {
  const refused = { status: 400, type: 'invalid_request_error', param: 'citewire.collections.1' };
  const collections = ['Vault', 'None'];

  it('names the field of a chat completion', async () => {
    const body = { model: 'citewire', messages, citewire: { collections } };
    await expect(openai.chat.completions.create(body)).rejects.toMatchObject(refused);
  });

  it('names the field of a response', async () => {
    const body = { model: 'citewire', input: question, citewire: { collections } };
    await expect(openai.responses.create(body)).rejects.toMatchObject(refused);
  });

  it('refuses collections beside the model of a published API, which has its own', async () => {
    const model = 'api/none';
    const citewire = { collections: ['Vault'] };
    const expected = { status: 400, param: 'citewire.collections' };
    const completion = { model, messages, citewire };
    const response = { model, input: question, citewire };
    await expect(openai.chat.completions.create(completion)).rejects.toMatchObject(expected);
    await expect(openai.responses.create(response)).rejects.toMatchObject(expected);
  });
});
