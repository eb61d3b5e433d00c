/** How a client signs in: with a key in a header, in each runtime's own way, or with a ticket for each connection. */
import { WebSocket as NodeWebSocket } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Ticket } from '../../src/client/client.ts';
import { quickClient } from '../support/clients/client-search.ts';
import { type ChaosProxy, startChaosProxy } from '../support/servers/chaos-proxy.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

const question = { prompt: 'Who designed the Heron Point Lighthouse?' };
let app: TestApp;
let proxy: ChaosProxy;
beforeAll(async () => {
  app = await startTestApp({ MEDIAWIKI_URL: 'off' });
  proxy = await startChaosProxy(app.url);
});
afterAll(async () => {
  await proxy.close();
  await app[Symbol.asyncDispose]();
});
afterEach(() => {
  vi.unstubAllGlobals();
  proxy.requests.splice(0);
  proxy.schedule([]);
});

async function buyTicket(): Promise<Ticket> {
  return (await (await app.post('/v1/ws/tickets', {})).json()) as Ticket;
}

describe('a client', () => {
  it('signs in with a key over the WebSocket of `ws`', async () => {
    const client = quickClient({ baseUrl: proxy.url, apiKey: app.key });
    expect((await client.search(question, { transport: 'websocket' }).result).status).toBe('answered');
    client.close();
  });

  it('signs in with a key over the global WebSocket of Node', async () => {
    vi.stubGlobal('WebSocket', NodeWebSocket);
    const client = quickClient({ baseUrl: proxy.url, apiKey: app.key, WebSocket: undefined });
    expect((await client.search(question).result).status).toBe('answered');
    expect(proxy.requests[0]).toContain('/v1/ws/search');
    client.close();
  });

  it.each(['sse', 'websocket'] as const)(
    'rejects immediately with a key that no header can carry, over %s',
    async (transport) => {
      const client = quickClient({ baseUrl: proxy.url, apiKey: 'cw_…' });
      const pauses: unknown[] = [];
      const search = client.search(question, { transport, onPause: (why) => pauses.push(why) });
      const refused = { code: 'unauthorized', retryable: false, message: expect.stringContaining('got one with "…"') };
      await expect(search.result).rejects.toMatchObject(refused);
      await expect(client.capabilities()).rejects.toMatchObject(refused);
      expect([pauses, proxy.requests]).toEqual([[], []]);
      client.close();
    },
  );

  it('rejects with a wrong key over a WebSocket that does not say why it failed', async () => {
    vi.stubGlobal('WebSocket', NodeWebSocket);
    const client = quickClient({ baseUrl: proxy.url, apiKey: 'cw_wrong', WebSocket: undefined });
    const pauses: unknown[] = [];
    const search = client.search(question, { transport: 'websocket', onPause: (why) => pauses.push(why) });
    await expect(search.result).rejects.toMatchObject({ code: 'unauthorized', status: 401 });
    expect(pauses).toMatchObject([{ code: 'connection_failed' }]);
    client.close();
  });

  it('gets a ticket for each connection, and connects to the URL in the ticket', async () => {
    const ticket = vi.fn(buyTicket);
    const client = quickClient({
      baseUrl: 'http://127.0.0.1:9',
      ticket: async () => ({ ...(await ticket()), ws_url: wsUrl() }),
    });
    proxy.schedule([{ cutAfter: 2_000 }, { cutAfter: 3_000 }]);
    expect((await client.search(question).result).status).toBe('answered');
    expect(ticket).toHaveBeenCalledTimes(3);
    client.close();
  });

  it('rejects immediately with a used ticket', async () => {
    const used = await buyTicket();
    const ticket = async () => ({ ...used, ws_url: wsUrl() });
    const first = quickClient({ baseUrl: proxy.url, ticket });
    await first.search(question).result;
    first.close();
    const second = quickClient({ baseUrl: proxy.url, ticket });
    await expect(second.search(question).result).rejects.toMatchObject({ code: 'unauthorized' });
    second.close();
  });

  it('rejects with the reason when it cannot get a ticket', async () => {
    const ticket = vi.fn(() => Promise.reject(new Error('sign in first')));
    const client = quickClient({ baseUrl: proxy.url, ticket, maxRetries: 4 });
    await expect(client.search(question).result).rejects.toMatchObject({
      code: 'connection_failed',
      message: /sign in first/,
    });
    expect(ticket).toHaveBeenCalledTimes(5);
    expect(proxy.requests).toEqual([]);
    client.close();
  });

  it('stops waiting for a ticket after the connect timeout', async () => {
    const ticket = () => new Promise<Ticket>(() => {});
    const client = quickClient({ baseUrl: proxy.url, ticket, maxRetries: 1, connectTimeoutMs: 20 });
    await expect(client.search(question).result).rejects.toMatchObject({ message: /within 20 ms/ });
    client.close();
  });

  it('uses Server-Sent Events in a page with a key, which its WebSocket cannot send', async () => {
    vi.stubGlobal('WebSocket', NodeWebSocket);
    vi.stubGlobal('process', { ...process, versions: {} });
    const client = quickClient({ baseUrl: proxy.url, apiKey: app.key, WebSocket: undefined });
    expect((await client.search(question).result).status).toBe('answered');
    expect(proxy.requests.some((line) => line.includes('/v1/ws/search'))).toBe(false);
    client.close();
  });
});

function wsUrl(): string {
  return `${proxy.url.replace('http', 'ws')}/v1/ws/search`;
}
