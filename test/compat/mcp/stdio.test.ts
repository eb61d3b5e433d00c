/** `citewire mcp` in a process of its own, with the real clients: on the local index, and with a running server. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectMcp, type McpPlace, mcpModes, type Progress } from '../../support/clients/mcp-clients.ts';
import { createDesign, expectedAnswer, publish, whoDesigned } from '../../support/design.ts';
import { runCli } from '../../support/processes/run-cli.ts';
import { startTestApp, type TestApp, testPages } from '../../support/start-app.ts';

const start = fileURLToPath(new URL('../../../tools/start.js', import.meta.url));
const cwd = fileURLToPath(new URL('../../..', import.meta.url));
const question = { prompt: 'Who designed the Heron Point Lighthouse?' };
const builtIn = ['answer', 'search', 'fetch', 'read_page', 'research_start', 'research_result'];
let folder: string;
let env: Record<string, string>;
let app: TestApp;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'citewire-mcp-'));
  env = { PATH: process.env.PATH ?? '', DATA_DIR: folder, MEDIAWIKI_URL: 'off' };
  expect(await runCli(['index', testPages], env)).toMatchObject({ code: 0 });
  app = await startTestApp();
  const { api_id } = await createDesign(app);
  await publish(app, api_id);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const local = (): McpPlace => ({ command: process.execPath, args: [start, 'mcp'], env, cwd });
const remote = (key = app.key): McpPlace => ({
  command: process.execPath,
  args: [start, 'mcp', '--server', app.url],
  env: { ...env, CITEWIRE_KEY: key },
  cwd,
});

describe('citewire mcp', () => {
  it.each(mcpModes)('answers from the local index with progress: %s', async (mode) => {
    const client = await connectMcp(mode, local());
    expect(await client.listTools()).toEqual(builtIn);
    const seen: Progress[] = [];
    const result = await client.callTool('answer', question, { onprogress: (progress) => seen.push(progress) });
    expect(result.structuredContent).toMatchObject({ state: 'completed', status: 'answered' });
    expect(JSON.parse(result.content[0]!.text!)).toEqual(result.structuredContent);
    expect(result.structuredContent!.answer).toContain('Ingrid Solvay');
    const counts = seen.map(({ progress }) => progress);
    expect(counts.length).toBeGreaterThanOrEqual(2);
    expect(counts).toEqual([...new Set(counts)].sort((a, b) => a - b));
    await client.close();
  });

  it('runs published APIs and searches of a running server with the rights of its key', async () => {
    const client = await connectMcp('legacy', remote());
    expect(await client.listTools()).toEqual([...builtIn, 'api_who-designed']);
    const run = await client.callTool('api_who-designed', { building: 'Heron Point Lighthouse' });
    expect(run.structuredContent).toEqual(expectedAnswer);
    const started = await client.callTool('research_start', question);
    const { search_id } = started.structuredContent as { search_id: string };
    const ended = await client.callTool('research_result', { search_id });
    expect(ended.structuredContent).toMatchObject({ search_id, state: 'completed' });
    const { items } = (await (await app.get('/v1/search')).json()) as { items: { search_id: string }[] };
    expect(items.map((item) => item.search_id)).toContain(search_id);
    await client.close();
  });

  it('reads a document of a running server by the id of a result or its address, and says how where it does not know it', async () => {
    const client = await connectMcp('legacy', remote());
    const { results } = (await client.callTool('search', { query: question.prompt })).structuredContent as {
      results: { id: string; url: string }[];
    };
    const { id, url } = results.find((each) => each.url.startsWith('file:'))!;
    expect((await client.callTool('fetch', { id })).structuredContent).toMatchObject({ url });
    expect((await client.callTool('fetch', { id: url })).structuredContent).toMatchObject({ url });
    for (const [tool, input] of [
      ['read_page', { url, query: question.prompt }],
      ['fetch', { id: `${url}-unknown` }],
    ] as const) {
      expect(await client.callTool(tool, input)).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('call fetch with the id of its result, or the snapshot') }],
      });
    }
    await client.close();
  });

  it('says which key a running server refuses, and when a key may call again', async () => {
    const refused = await connectMcp('legacy', remote('cw_none'));
    expect(await refused.callTool('answer', question)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('unauthorized') }],
    });
    await refused.close();
    const { plaintext } = await app.accounts.createKey({ plan: 'starter', name: 'limited' });
    for (let n = 0; n < 10; n += 1) await app.post('/v1/search', question, { 'x-api-key': plaintext });
    const limited = await connectMcp('legacy', remote(plaintext));
    const { content, isError, structuredContent } = await limited.callTool('answer', question);
    expect([isError, structuredContent]).toEqual([true, undefined]);
    expect(content[0]!.text).toMatch(/^rate_limited: [^\n]*try again in [\d.]+ s\.$/);
    await limited.close();
  });
});

describe('standard output', () => {
  /** Sends lines and returns all output once the process has ended by itself. */
  function converse(lines: readonly string[]): Promise<{ code: number | null; out: string; err: string }> {
    return new Promise((resolve) => {
      const child = spawn(process.execPath, [start, 'mcp'], { env: { ...env, LOG_LEVEL: 'debug' }, cwd });
      let out = '';
      let err = '';
      let answered = 0;
      child.stdout.on('data', (bytes) => {
        out += bytes;
        answered = out.split('\n').length - 1;
        if (answered >= lines.length) child.stdin.end();
      });
      child.stderr.on('data', (bytes) => {
        err += bytes;
      });
      child.on('close', (code) => resolve({ code, out, err }));
      child.stdin.on('error', () => {});
      for (const line of lines) child.stdin.write(`${line}\n`);
    });
  }

  const hello = {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  };
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

  it('writes nothing but JSON-RPC, and answers invalid messages with errors', async () => {
    const lines = [
      JSON.stringify(hello),
      'not json',
      '[]',
      JSON.stringify([hello, hello]),
      '{"jsonrpc":"1.0","id":1,"method":"ping"}',
      `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"answer","arguments":{"x":${deep(5_000)}}}}`,
      `{"jsonrpc":"2.0","id":3,"method":"ping","params":{"x":"${'a'.repeat(10_000_000)}"}}`,
      '{"jsonrpc":"2.0","id":4,"method":"no/such"}',
      '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"no_such"}}',
      '{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"answer","arguments":{"prompt":3}}}',
      '{"jsonrpc":"2.0","id":7,"method":"resources/read","params":{"uri":"citewire://docs/../../etc/passwd"}}',
      JSON.stringify({ jsonrpc: '2.0', id: 8, method: 'tools/call', params: { name: 'answer', arguments: question } }),
    ];
    const { code, out } = await converse(lines);
    expect(code).toBe(0);
    const messages = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { jsonrpc: string; id: number | null; error?: object; result?: object });
    expect(messages.map(({ jsonrpc }) => jsonrpc)).toEqual(messages.map(() => '2.0'));
    const byId = (id: number) => messages.find((message) => message.id === id);
    expect(messages.filter(({ id, error }) => id === null && error !== undefined).length).toBe(6);
    for (const id of [4, 5, 7]) expect(byId(id)).toMatchObject({ error: { code: expect.any(Number) } });
    expect(byId(6)).toMatchObject({ result: { isError: true } });
    expect(byId(8)).toMatchObject({ result: { structuredContent: { state: 'completed' } } });
  });
});

describe('a design that was published later', () => {
  it('is a tool under its own name and is run in its newest version', async () => {
    const { api_id } = await createDesign(app, { api_stub: 'later', name: 'Later' });
    await publish(app, api_id);
    const client = await connectMcp('pinned', remote());
    expect(await client.listTools()).toContain('api_later');
    const inputs = { building: whoDesigned.examples[0]!.inputs.building };
    expect((await client.callTool('api_later', inputs)).structuredContent).toEqual(expectedAnswer);
    expect(await client.callTool('api_later', { building: 3 })).toMatchObject({ isError: true });
    await client.close();
  });
});
