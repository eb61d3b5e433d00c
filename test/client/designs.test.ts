/** Designed and published APIs through the client: created, published, found and run, over every transport. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import { expectWhole, quickClient, readAll } from '../support/clients/client-search.ts';
import { expectedAnswer, whoDesigned } from '../support/design.ts';
import { type ChaosProxy, startChaosProxy } from '../support/servers/chaos-proxy.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

const design = whoDesigned as Parameters<Client['designs']['create']>[0];
const inputs = { building: 'Heron Point Lighthouse' };
let app: TestApp;
let proxy: ChaosProxy;
let client: Client;
let key: string;
beforeAll(async () => {
  app = await startTestApp();
  proxy = await startChaosProxy(app.url);
});
afterAll(async () => {
  await proxy.close();
  await app[Symbol.asyncDispose]();
});
beforeEach(async () => {
  key = (await app.accounts.createKey({ name: 'author', plan: 'pro' })).plaintext;
  client = quickClient({ baseUrl: proxy.url, apiKey: key });
});
afterEach(() => client.close());

describe('the design calls of a client', () => {
  it('creates, changes, lists, publishes and deletes a design', async () => {
    const { api_id } = await client.designs.create({ ...design, api_stub: 'by-client' });
    const changed = await client.designs.change(api_id, { name: 'Changed', description: null, effort: null });
    expect(changed).not.toHaveProperty('description');
    expect(changed.effort).toBe('balanced');
    expect(await client.designs.get(api_id)).toEqual(changed);
    expect((await client.designs.list({ limit: 5 })).items).toMatchObject([{ api_id, name: 'Changed' }]);
    expect(await client.designs.publish(api_id)).toMatchObject({ version: 1, api_stub: 'by-client' });
    expect((await client.designs.versions(api_id)).items).toMatchObject([{ version: 1, design: { name: 'Changed' } }]);
    expect((await client.published.browse({ query: 'by-client' })).items).toMatchObject([{ owner: 'author' }]);
    expect(await client.published.get('by-client')).toMatchObject({ version: 1, inputs: changed.inputs });
    expect(await client.designs.delete(api_id)).toEqual({ api_id, deleted: true });
    await expect(client.designs.get(api_id)).rejects.toMatchObject({ code: 'not_found', status: 404 });
  });

  it('rejects an invalid design with an issue for each field', async () => {
    const broken = { ...design, prompt: 'Who designed the {{tower}}?' };
    await expect(client.designs.create(broken)).rejects.toMatchObject({
      code: 'validation_error',
      issues: [{ loc: ['body', 'prompt'] }, { loc: ['body', 'inputs', 'building'] }],
    });
  });

  it('never repeats a call that is not idempotent after a lost connection', async () => {
    const lines: string[] = [];
    const server = createServer((request, response) => {
      lines.push(`${request.method} ${request.url}`);
      response.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const cut = quickClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: key, maxRetries: 2 });
    const { designs } = cut;
    const calls = [
      () => designs.create(design),
      () => designs.publish('a'),
      () => designs.delete('a'),
      () => designs.list(),
    ];
    for (const call of calls) {
      await expect(call()).rejects.toMatchObject({ code: 'connection_failed' });
    }
    const count = (line: string) => lines.filter((each) => each === line).length;
    expect(['POST /v1/design-api', 'POST /v1/design-api/a/publish', 'DELETE /v1/design-api/a'].map(count)).toEqual([
      1, 1, 1,
    ]);
    expect(count('GET /v1/design-api')).toBe(3);
    server.close();
    cut.close();
  });
});

describe.each(['websocket', 'sse'] as const)('a run over %s', (transport) => {
  it('returns events and a typed result for a draft, the newest version and a pinned one', async () => {
    const api_stub = `over-${transport}`;
    const { api_id } = await client.designs.create({ ...design, api_stub });
    await client.designs.publish(api_id);
    await client.designs.change(api_id, { output_format: { engineer: 'string' } });
    await client.designs.publish(api_id);
    await client.designs.change(api_id, { output_format: { year: 'number' } });
    const run = client.callPublished<typeof expectedAnswer>(api_stub, inputs, { version: 1, transport });
    const frames = await readAll(run);
    expect((await run.result).designer).toBe(expectedAnswer.designer);
    await expectWhole(frames, run, app, key);
    expect(await client.callPublished(api_stub, inputs, { transport }).result).toEqual({
      engineer: expectedAnswer.designer,
    });
    expect(await client.runDesign(api_stub, inputs, { transport }).result).toEqual({ year: 1887 });
  });

  it('rejects with an issue for each invalid input', async () => {
    const api_stub = `wrong-${transport}`;
    await client.designs.create({ ...design, api_stub });
    await expect(client.runDesign(api_stub, { building: 5 }, { transport }).result).rejects.toMatchObject({
      code: 'validation_error',
    });
    await expect(client.callPublished(api_stub, inputs, { transport }).result).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
