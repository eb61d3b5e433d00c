/** A page that a search has just returned can be read by its address at the doors, by those whose search may return it. */
import { tavily } from '@tavily/core';
import { Exa } from 'exa-js';
import Parallel from 'parallel-web';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { WebuiDocuments } from '../../protocol/index.ts';
import { createClient } from '../../src/client/client.ts';
import { connectMcp } from '../support/clients/mcp-clients.ts';
import { article, startWebServer, type WebServer } from '../support/servers/web-server.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

let web: WebServer;
let app: TestApp;
let account_id: string;
let own: string;
let stranger: string;
let bound: string;
/** An upload of the account that is in no collection, one that is in the collection of the bound key, and a page of the operator. */
let vault: string;
let gate: string;
let shared: string;

beforeAll(async () => {
  web = await startWebServer({ '/quay': article('Heron Quay', 'Heron Quay was built in 1871.') });
  app = await startTestApp({ FETCH_ALLOW_HOSTS: web.host });
  const { account, plaintext } = await app.accounts.createKey({ name: 'own', plan: 'pro' });
  account_id = account.id;
  own = plaintext;
  stranger = (await app.accounts.createKey({ name: 'stranger', plan: 'pro' })).plaintext;
  const { sources, collections } = createClient({ baseUrl: app.url, apiKey: own });
  const upload = async (name: string, text: string) => {
    const { source_id } = await sources.upload(name, new TextEncoder().encode(text));
    const stateOf = async () => (await sources.list()).items.find((each) => each.source_id === source_id)?.state;
    await vi.waitUntil(async () => (await stateOf()) === 'ready', { timeout: 60_000, interval: 100 });
    return source_id;
  };
  await upload('vault.md', '# Petrel\n\nThe Petrel vault opens with the word marzipan.\n');
  const gateId = await upload('gate.md', '# Dunlin\n\nThe Dunlin gate is painted green by Odile Fenn.\n');
  const { collection_id } = await collections.create({ name: 'Garden', sources: [gateId] });
  bound = (await app.accounts.createKey({ name: 'bound', account: account.id, collections: [collection_id] }))
    .plaintext;
  const found = tavily({ apiKey: own, apiBaseURL: `${app.url}/tavily` });
  const addressOf = async (prompt: string) => (await found.search(prompt)).results[0]!.url;
  vault = await addressOf('With which word does the Petrel vault open?');
  gate = await addressOf('Who painted the Dunlin gate?');
  shared = await addressOf('Who designed the Heron Point Lighthouse?');
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await web.close();
});

const tool = (name: string) => async (key: string, given: string) => {
  const client = await connectMcp('automatic', { url: `${app.url}/mcp`, headers: { 'x-api-key': key } });
  try {
    const args = name === 'fetch' ? { id: given } : { url: given };
    const { isError, content, structuredContent } = await client.callTool(name, args);
    if (isError) throw new Error(content.map(({ text }) => text).join('\n'));
    return (structuredContent as { text: string }).text;
  } finally {
    await client.close();
  }
};

/** The text of a page through each door. Rejects where there is none. */
const doors: Readonly<Record<string, (key: string, url: string) => Promise<string>>> = {
  'the MCP tool read_page': tool('read_page'),
  'the MCP tool fetch': tool('fetch'),
  async "Tavily's extract"(key, url) {
    const client = tavily({ apiKey: key, apiBaseURL: `${app.url}/tavily` });
    const { results, failedResults } = await client.extract([url]);
    if (results.length === 0) throw new Error(failedResults[0]!.error);
    return results[0]!.rawContent;
  },
  async "Exa's contents"(key, url) {
    const { results, statuses } = await new Exa(key, `${app.url}/exa`).getContents(url, { text: true });
    if (results.length === 0) throw new Error(JSON.stringify(statuses));
    return results[0]!.text;
  },
  async "Parallel's extract"(key, url) {
    const client = new Parallel({ apiKey: key, baseURL: `${app.url}/parallel` });
    const { results, errors } = await client.extract({ urls: [url] });
    if (results.length === 0) throw new Error(JSON.stringify(errors));
    return results[0]!.excerpts.join('\n');
  },
  async "Open WebUI's loader"(key, url) {
    const response = await fetch(`${app.url}/open-webui/load`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ urls: [url] }),
    });
    const documents = (await response.json()) as WebuiDocuments;
    if (documents.length !== 1) throw new Error(JSON.stringify(documents));
    return documents[0]!.page_content;
  },
};

describe.each(Object.entries(doors))('%s', (_, read) => {
  it('reads an upload of the account, and a page of the server', async () => {
    expect([vault, shared]).toEqual([expect.stringMatching(/^file:/), expect.stringMatching(/^file:/)]);
    expect(await read(own, vault)).toContain('marzipan');
    expect(await read(own, shared)).toContain('Ingrid Solvay');
  });

  it('reads a page where a link leads to a part of it', async () => {
    expect(await read(own, `${vault}#petrel`)).toContain('marzipan');
    await expect(read(stranger, `${vault}#petrel`)).rejects.toThrow();
  });

  it('reads no upload of another account', async () => {
    expect(await read(stranger, shared)).toContain('Ingrid Solvay');
    await expect(read(stranger, vault)).rejects.toThrow();
  });

  it('reads nothing but the collections of a key that is restricted to them', async () => {
    expect(await read(bound, gate)).toContain('Odile Fenn');
    for (const url of [vault, shared, `${web.url}/quay`]) await expect(read(bound, url)).rejects.toThrow();
  });

  it('reads no file of the disk', async () => {
    for (const url of [import.meta.url, 'file:///etc/hosts']) await expect(read(own, url)).rejects.toThrow();
  });
});

describe('a page of the web that is in the index, and cannot be fetched', () => {
  it('is read from there by the account whose source it is', async () => {
    const url = `${web.url}/tern`;
    const reader = {
      read: async () => ({ id: 'a'.repeat(32), url, title: 'Tern', text: 'The Tern slip is closed in winter.' }),
      listPages: async () => [url],
      crawlDelay: async () => 0,
    };
    await app.corpus.index({ kind: 'url', url }, { owner: account_id, reader });
    for (const read of Object.values(doors)) {
      expect(await read(own, url)).toContain('closed in winter');
      expect(await read(own, `${url}#slip`)).toContain('closed in winter');
      for (const key of [stranger, bound]) await expect(read(key, url)).rejects.toThrow();
      await expect(read(own, `${web.url}/none`)).rejects.toThrow();
    }
  });
});
