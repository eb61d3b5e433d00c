/** Access as callers see it: tickets, a key's rate limit over HTTP and WebSocket together, usage, metrics. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KeyUsage, TextResult, Ticket } from '../../protocol/index.ts';
import { plans } from '../../src/access/plans.ts';
import { connect, Refused, type WsClient } from '../support/clients/ws-client.ts';
import { startHeldSearch } from '../support/servers/held-search.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

const origin = 'https://page.example';
const question = { prompt: 'Who designed the Heron Point Lighthouse?' };

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ ALLOWED_ORIGINS: origin });
});
afterAll(() => app[Symbol.asyncDispose]());

const newKey = async (plan: 'starter' | 'pro') => (await app.accounts.createKey({ plan, name: 'test' })).plaintext;
const refusal = async (connecting: Promise<WsClient>) => {
  const error = await connecting.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Refused);
  return (error as Refused).status;
};

async function buyTicket(request: object = {}, key = app.key): Promise<Ticket> {
  const response = await app.post('/v1/ws/tickets', request, { 'x-api-key': key });
  expect(response.status).toBe(200);
  return (await response.json()) as Ticket;
}

const open = (ticket: string, from = origin) => connect(app.url, { origin: from }, ['citewire.v1', `ticket.${ticket}`]);

describe('a ticket', () => {
  it('opens one connection with a ticket, answered with the subprotocol only', async () => {
    const { ticket, expires_at, ws_url } = await buyTicket();
    expect(ticket).toMatch(/^[\w-]{43}$/);
    expect(Date.parse(expires_at)).toBeGreaterThan(Date.now());
    expect(ws_url).toBe(`${app.url.replace('http', 'ws')}/v1/ws/search`);
    const client = await open(ticket);
    expect(client.raw.protocol).toBe('citewire.v1');
    const frames = await client.search(await client.start(question));
    expect(frames.at(-1)).toMatchObject({ type: 'search.completed', status: 'answered' });
    client.close();
  });

  it('returns tickets for the configured base URL', async () => {
    await using proxied = await startTestApp({ MEDIAWIKI_URL: 'off', PUBLIC_URL: 'https://search.example' });
    const response = await proxied.post('/v1/ws/tickets', {});
    expect(await response.json()).toMatchObject({ ws_url: 'wss://search.example/v1/ws/search' });
  });

  it('accepts a ticket once', async () => {
    const { ticket } = await buyTicket();
    (await open(ticket)).close();
    const again = await open(ticket);
    expect(await again.next(({ type }) => type === 'error')).toMatchObject({ error: { code: 'unauthorized' } });
    expect((await again.closed).code).toBe(4401);
  });

  it('accepts a ticket only from its origin', async () => {
    const { ticket } = await buyTicket({ origin: 'https://other.example' });
    const client = await open(ticket);
    expect(await client.next(({ type }) => type === 'error')).toMatchObject({ error: { code: 'forbidden' } });
    expect((await client.closed).code).toBe(4403);
  });

  it('limits the searches of a ticket’s connection, and fixes fields of their requests', async () => {
    const { ticket } = await buyTicket({ max_searches: 1, locked: { source_whitelist: ['nowhere.example'] } });
    const client = await open(ticket);
    const frames = await client.search(await client.start({ ...question, source_blacklist: [] }));
    expect(frames.at(-1)).toMatchObject({ type: 'search.completed', status: 'not_found' });
    await expect(client.start(question)).rejects.toThrow(/forbidden.*for 1 searches/);
    client.close();
  });

  it.each([[{ ttl_s: 301 }], [{ origin: 'ftp://x' }], [{ max_searches: 0 }], [{ unknown: 1 }]])(
    'refuses to issue a ticket for %j',
    async (request) => {
      expect((await app.post('/v1/ws/tickets', request)).status).toBe(422);
    },
  );
});

describe("a key's minute", () => {
  it('counts HTTP and WebSocket together; an upgrade pays for its first search', async () => {
    const key = await newKey('starter');
    const left = async () =>
      ((await (await app.get('/v1/usage', { 'x-api-key': key })).json()) as KeyUsage).rate_limit.remaining;
    const client = await connect(app.url, { 'x-api-key': key });
    const ready = await client.next(({ type }) => type === 'session.ready');
    expect(ready).toMatchObject({ limits: { searches_per_connection: 2 }, rate_limit: { limit: 10, remaining: 9 } });
    expect(await left()).toBe(9);
    await client.search(await client.start(question));
    expect(await left()).toBe(9);
    await client.search(await client.start(question));
    expect(await left()).toBe(8);
    for (let i = 0; i < 8; i += 1) {
      expect((await app.post('/v1/search', question, { 'x-api-key': key })).status).toBe(200);
    }
    const refused = await app.post('/v1/search', question, { 'x-api-key': key });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('ratelimit')).toMatch(/^"starter";r=0;t=\d+$/);
    await expect(client.start(question)).rejects.toThrow(/rate_limited.*retry_after_ms/);
    client.send({ type: 'ping', ref: 'still open' });
    await client.next(({ type }) => type === 'pong');
    client.close();
  });

  it('allows resuming a search when the rate limit is used up', async () => {
    const key = await newKey('starter');
    let search_id = '';
    for (let i = 0; i < 10; i += 1) {
      const response = await app.post('/v1/search', question, { 'x-api-key': key });
      search_id = ((await response.json()) as TextResult).search_id;
    }
    const client = await connect(app.url, { 'x-api-key': key });
    client.send({ type: 'search.resume', ref: 'r', search_id, after_seq: 0 });
    expect((await client.search(search_id)).at(-1)).toMatchObject({ type: 'search.completed' });
    await expect(client.start(question)).rejects.toThrow(/rate_limited/);
    client.close();
  });

  it('lets a key have as many open connections as its plan allows, and no more', async () => {
    const key = await newKey('pro');
    const clients = await Promise.all(
      Array.from({ length: plans.pro.connections_per_key }, () => connect(app.url, { 'x-api-key': key })),
    );
    expect(await refusal(connect(app.url, { 'x-api-key': key }))).toBe(429);
    clients[0]!.close();
    await clients[0]!.closed;
    await expect
      .poll(() =>
        connect(app.url, { 'x-api-key': key }).then(
          (c) => c.close(),
          () => 'refused',
        ),
      )
      .not.toBe('refused');
    for (const client of clients) client.close();
  });
});

describe('an open connection', () => {
  it('closes the connections of a revoked key, and keeps those of other keys', async () => {
    const { key, plaintext } = await app.accounts.createKey({ plan: 'pro', name: 'test' });
    const [first, second] = await Promise.all([1, 2].map(() => connect(app.url, { 'x-api-key': plaintext })));
    const other = await connect(app.url, { 'x-api-key': await newKey('pro') });
    await app.accounts.revokeKey(key.id);
    for (const client of [first!, second!]) {
      expect(await client.next(({ type }) => type === 'session.closing')).toMatchObject({ code: 4401, resume: false });
      expect((await client.closed).code).toBe(4401);
    }
    other.send({ type: 'ping', ref: 'still open' });
    await other.next(({ type }) => type === 'pong');
    other.close();
  });

  it('closes the connections of a suspended account with the reason, including those by ticket', async () => {
    const { account, plaintext } = await app.accounts.createKey({ plan: 'pro', name: 'test' });
    const client = await open((await buyTicket({}, plaintext)).ticket);
    await app.accounts.setStatus(account.id, 'suspended', 'unpaid');
    expect(await client.next(({ type }) => type === 'session.closing')).toMatchObject({
      code: 4403,
      reason: expect.stringContaining('unpaid'),
    });
    expect((await client.closed).code).toBe(4403);
  });
});

describe('an open stream of events', () => {
  it('of a revoked key is broken off, and that of another key of the account goes on', async () => {
    const held = await startHeldSearch();
    await using searching = await startTestApp({ SEARXNG_URL: held.url });
    const { account, key, plaintext } = await searching.accounts.createKey({ plan: 'pro', name: 'revoked' });
    const other = await searching.accounts.createKey({ name: 'other', account: account.id });
    const started = await searching.post('/v1/search', { ...question, background: true }, { 'x-api-key': plaintext });
    const { search_id } = (await started.json()) as { search_id: string };
    const read = (apiKey: string) =>
      searching.get(`/v1/search/${search_id}/events`, { 'x-api-key': apiKey, accept: 'text/event-stream' });
    const [broken, whole] = await Promise.all([read(plaintext), read(other.plaintext)]);
    await held.asked;
    await searching.accounts.revokeKey(key.id);
    await expect(broken.text()).rejects.toThrow();
    await held.close();
    expect(await whole.text()).toMatch(/event: search\.completed/);
  });
});

describe('failed sign-ins', () => {
  const failFrom = async (of: TestApp, forwarded: string) =>
    (await of.get('/v1/usage', { 'x-api-key': 'cw_wrong', 'x-forwarded-for': forwarded })).status;

  it('counts failed sign-ins for the client that a trusted proxy names', async () => {
    await using proxied = await startTestApp({ MEDIAWIKI_URL: 'off', TRUSTED_PROXIES: '127.0.0.0/8' });
    for (let i = 0; i < 20; i++) expect(await failFrom(proxied, '203.0.113.7')).toBe(401);
    expect(await failFrom(proxied, '203.0.113.7')).toBe(429);
    expect(await failFrom(proxied, '203.0.113.7, 203.0.113.8')).toBe(401);
    const refused = connect(proxied.url, { 'x-api-key': 'cw_wrong', 'x-forwarded-for': '203.0.113.7' });
    expect(await refusal(refused)).toBe(429);
  });

  it('counts failed sign-ins for the connecting address where no proxy is trusted', async () => {
    await using open = await startTestApp({ MEDIAWIKI_URL: 'off' });
    for (let i = 0; i < 20; i++) expect(await failFrom(open, `203.0.113.${i}`)).toBe(401);
    expect(await failFrom(open, '203.0.113.99')).toBe(429);
  });
});

describe('what is measured', () => {
  it('measures requests, searches and connections without exposing a key', async () => {
    const key = await newKey('pro');
    const client = await connect(app.url, { 'x-api-key': key });
    await client.search(await client.start(question));
    await app.post('/v1/search', 'not json', { 'x-api-key': key });
    await app.get('/v1/usage', { 'x-api-key': 'cw_wrong' });
    const response = await fetch(`${app.url}/metrics`);
    const text = await response.text();
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(text).toMatch(/citewire_requests_total\{route="search",status="422"\} [1-9]/);
    expect(text).toMatch(/citewire_searches_total\{ending="completed",door="native"\} [1-9]/);
    expect(text).toMatch(/citewire_sockets_open [1-9]/);
    expect(text).toMatch(/citewire_failed_sign_ins_total\{code="unauthorized"\} [1-9]/);
    expect(text).toMatch(/citewire_limiter_decisions_total\{bucket="calls",decision="allowed"\} [1-9]/);
    for (const secret of [key, app.key, key.slice(3, 11), app.key.slice(12)]) expect(text).not.toContain(secret);
    client.close();
  });
});
