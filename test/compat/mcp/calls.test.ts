/**
 * Searches that outlast a call, notifications of changes, resources and prompts: the protocol's server in this process, with a
 * backend that reaches a real Citewire.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRemoteBackend, type RemoteBackend } from '../../../src/cli/mcp/mcp-remote.ts';
import { createMcpServer } from '../../../src/compat/mcp/mcp-server.ts';
import { serveMcp } from '../../../src/compat/mcp/stdio.ts';
import { createDesign, publish } from '../../support/design.ts';
import { rethrow } from '../../support/requests.ts';
import { type HeldSearch, startHeldSearch } from '../../support/servers/held-search.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';

let held: HeldSearch;
let app: TestApp;
let remote: RemoteBackend;
beforeAll(async () => {
  held = await startHeldSearch();
  app = await startTestApp({ SEARXNG_URL: held.url });
  remote = createRemoteBackend(app.url, app.key, { onFault: rethrow, onUnlisted: rethrow });
});
afterAll(async () => {
  remote.close();
  await held.close();
  await app[Symbol.asyncDispose]();
});

/** A client of a server whose calls may take `maxMs`. */
async function connect(maxMs: number, to = remote): Promise<Client> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const server = createMcpServer({ backend: to.backend, request_id: 'test', onFault: rethrow, maxMs });
  // The transport of the client's package has the same form as that of the server's.
  await server.connect(theirs as unknown as Parameters<typeof server.connect>[0]);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(ours);
  return client;
}

describe('a search that lasts longer than a call', () => {
  it('goes on after the call has answered, and its result is read by its id', async () => {
    const client = await connect(4_000);
    const first = await client.callTool({ name: 'answer', arguments: { prompt: 'What is held?' } });
    expect(first.structuredContent).toMatchObject({ state: 'running', message: expect.any(String) });
    const { search_id } = first.structuredContent as { search_id: string };
    const second = await client.callTool({ name: 'research_result', arguments: { search_id } });
    expect(second.structuredContent).toMatchObject({ search_id, state: 'running' });
    held.release();
    let state: unknown = 'running';
    while (state === 'running') {
      const { structuredContent } = await client.callTool({ name: 'research_result', arguments: { search_id } });
      state = (structuredContent as { state: string }).state;
    }
    expect(state).toBe('completed');
    await client.close();
  });
});

describe('a page that a search returned', () => {
  it('is read from the index of the server where it cannot be fetched, and a page that none returned is explained', async () => {
    const url = 'http://127.0.0.1:9/tern';
    const text = 'The Tern slip was closed in the winter of 1931.';
    const reader = {
      read: async () => ({ id: 'a'.repeat(32), url, title: 'Tern slip', text }),
      listPages: async () => [url],
      crawlDelay: async () => 0,
    };
    await app.corpus.index({ kind: 'url', url }, { owner: 'acc_development', reader });
    held.release();
    const client = await connect(45_000);
    const fetched = () => client.callTool({ name: 'fetch', arguments: { id: url } });
    expect(await fetched()).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('call fetch with the id of its result, or the snapshot') }],
    });
    const arguments_ = { query: 'When was the Tern slip closed?' };
    const { structuredContent } = await client.callTool({ name: 'search', arguments: arguments_ });
    expect((structuredContent as { results: { url: string }[] }).results.map((each) => each.url)).toContain(url);
    expect((await fetched()).structuredContent).toMatchObject({ url, text });
    await client.close();
  });
});

describe('the list of tools', () => {
  it('has all others while a published API, or all of them, cannot be looked up', async () => {
    const stubs = ['seen', 'unseen'];
    for (const api_stub of stubs) await publish(app, (await createDesign(app, { api_stub, name: api_stub })).api_id);
    let refused = /\/unseen(?:$|[/?])/;
    const proxy = createServer(async (request, response) => {
      if (refused.test(request.url!)) return response.writeHead(503, { 'content-type': 'application/json' }).end('{}');
      const { status, body } = await fetch(`${app.url}${request.url}`, { headers: { 'x-api-key': app.key } }).then(
        async (answered) => ({ status: answered.status, body: await answered.text() }),
      );
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const reasons: string[] = [];
    const { port } = proxy.address() as AddressInfo;
    const through = createRemoteBackend(`http://127.0.0.1:${port}`, app.key, {
      onFault: rethrow,
      onUnlisted: (why) => reasons.push(why),
    });
    const client = await connect(45_000, through);
    const names = async () => (await client.listTools()).tools.map(({ name }) => name);
    const some = await names();
    expect(some).toEqual(expect.arrayContaining(['answer', 'fetch', 'api_seen']));
    expect(some).not.toContain('api_unseen');
    expect(reasons).toHaveLength(1);
    refused = /^\/v1\/published|^\/v1\/apis/;
    // The reason is reported once, and again only after APIs could be listed.
    for (let n = 0; n < 3; n += 1) expect(await names()).toEqual(expect.arrayContaining(['answer', 'fetch']));
    const seen = reasons.length;
    expect(new Set(reasons).size).toBe(seen);
    refused = /^$/;
    expect(await names()).toContain('api_unseen');
    expect(reasons).toHaveLength(seen);
    refused = /^\/v1\/published|^\/v1\/apis/;
    await names();
    expect(reasons).toHaveLength(seen + 1);
    await client.close();
    through.close();
    proxy.close();
  });
});

describe('a connection over two streams', () => {
  it('announces an API that is published meanwhile, and ends with its input', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const served = serveMcp({ backend: remote.backend, onFault: rethrow, input, output, lookMs: 50 });
    const lines: string[] = [];
    output.on('data', (bytes) => lines.push(...String(bytes).trim().split('\n')));
    const info = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: info })}\n`);
    input.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
    await once(output, 'data');
    const { api_id } = await createDesign(app);
    // Again, as what was published before the first look is no change.
    const publishAgain = async () => {
      await publish(app, api_id);
      return lines.join('\n');
    };
    await expect.poll(publishAgain).toContain('notifications/tools/list_changed');
    input.end();
    await served;
  });
});

it('a last message without a line break is answered', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const served = serveMcp({ backend: remote.backend, onFault: rethrow, input, output });
  const written: string[] = [];
  output.on('data', (bytes) => written.push(String(bytes)));
  const info = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  input.end(JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'initialize', params: info }));
  await served;
  expect(JSON.parse(written.join(''))).toMatchObject({ id: 7, result: { serverInfo: { name: 'citewire' } } });
});

it('a link to a part of a document of a search leads to the document', async () => {
  const client = await connect(45_000, remote);
  const found = await client.callTool({
    name: 'search',
    arguments: { query: 'Who designed the Heron Point Lighthouse?' },
  });
  const { results } = found.structuredContent as { results: { url: string }[] };
  const { url } = results.find((each) => each.url.startsWith('file:'))!;
  const { structuredContent } = await client.callTool({ name: 'fetch', arguments: { id: `${url}#history` } });
  expect(structuredContent).toMatchObject({ url });
  await client.close();
});

describe('resources and prompts', () => {
  it('have the documentation, the designs of the account, and the prompt', async () => {
    const client = await connect(45_000);
    const { api_id } = await createDesign(app, { api_stub: 'mine', name: 'Mine' });
    const { resources } = await client.listResources();
    const uris = resources.map(({ uri }) => uri);
    expect(uris).toEqual(expect.arrayContaining(['citewire://docs/README.md', 'citewire://docs/docs/mcp.md']));
    expect(uris).toContain(`citewire://designs/${api_id}`);
    for (const uri of ['citewire://docs/docs/mcp.md', `citewire://designs/${api_id}`]) {
      const { contents } = await client.readResource({ uri });
      expect(contents).toMatchObject([{ uri, text: expect.stringMatching(/Citewire|Mine/) }]);
    }
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['research-with-citations']);
    const given = { question: 'Why?', sources: 'a.org, b.org' };
    const { messages } = await client.getPrompt({ name: 'research-with-citations', arguments: given });
    expect(messages).toMatchObject([{ content: { text: expect.stringContaining('["a.org","b.org"]') } }]);
    await client.close();
  });
});
