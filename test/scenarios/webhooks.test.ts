/** Webhooks as callers use them: with a search, a run, a response or a connection, and with endpoints of an account. */
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type NewWebhookEndpoint,
  type WebhookDeliveryList,
  type WebhookDeliveryRecord,
  type WebhookEndpointList,
  webhookLimits,
} from '../../protocol/index.ts';
import { newWebhookSecret } from '../../src/webhooks/sign.ts';
import { connect } from '../support/clients/ws-client.ts';
import { runCli } from '../support/processes/run-cli.ts';
import { startWebhookReceiver, type WebhookReceiver, webhookHeaders } from '../support/servers/webhook-receiver.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

const prompt = 'Who designed the Heron Point Lighthouse?';

describe('webhooks', () => {
  let app: TestApp;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await startWebhookReceiver();
    app = await startTestApp({ FETCH_ALLOW_HOSTS: receiver.host, SECRETS_KEY: 'a passphrase of the tests' });
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await receiver[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    receiver.received.length = 0;
    receiver.answer = (response) => void response.writeHead(204).end();
  });

  const read = async <Body>(path: string) => (await (await app.get(path)).json()) as Body;
  const send = (method: string, path: string, body?: object, key = app.key) =>
    fetch(app.url + path, {
      method,
      headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const create = async (change: object = {}) => {
    const response = await send('POST', '/v1/webhooks', { url: receiver.url, ...change });
    expect(response.status).toBe(201);
    return (await response.json()) as NewWebhookEndpoint;
  };
  /** The event that arrives next, once it is verified. */
  const next = async (secret: string, index = 0) => {
    await expect.poll(() => receiver.received.length).toBeGreaterThan(index);
    const one = receiver.received[index]!;
    return new Webhook(secret).verify(one.body, webhookHeaders(one)) as { type: string; data: { id: string } };
  };
  const removeAll = async () => {
    for (const { webhook_id } of (await read<WebhookEndpointList>('/v1/webhooks')).items) {
      expect((await send('DELETE', `/v1/webhooks/${webhook_id}`)).status).toBe(200);
    }
  };

  it.each([
    ['that is answered', {}],
    ['in the background', { background: true }],
  ])('are sent for a search %s, whose record is there by then', async (_, more) => {
    const secret = newWebhookSecret();
    let stateThen: unknown;
    receiver.answer = async (response, { body }) => {
      const { id } = JSON.parse(body).data;
      stateThen = (await read<{ state: string }>(`/v1/search/${id}`)).state;
      response.writeHead(204).end();
    };
    const response = await app.post('/v1/search', { prompt, ...more, webhook: { url: receiver.url, secret } });
    const { search_id } = (await response.json()) as { search_id: string };
    expect(await next(secret)).toMatchObject({ type: 'search.completed', data: { id: search_id } });
    await expect.poll(() => stateThen).toBe('completed');
    expect(await read(`/v1/search/${search_id}`)).not.toHaveProperty('webhook');
  });

  it('are sent for a search over a connection, and for one that is cancelled', async () => {
    const secret = newWebhookSecret();
    const client = await connect(app.url, { 'x-api-key': app.key });
    const request = { prompt, background: true, webhook: { url: receiver.url, secret } };
    const search_id = await client.start(request);
    client.send({ type: 'search.cancel', ref: 'c', search_id });
    const { type, data } = await next(secret);
    expect(data.id).toBe(search_id);
    expect(type).toMatch(/^search\.(cancelled|completed)$/);
    client.close();
  });

  it('are sent for a response, with the name of the response', async () => {
    const secret = newWebhookSecret();
    const body = { model: 'citewire', input: prompt, webhook: { url: receiver.url, secret } };
    const { id } = (await (await app.post('/v1/responses', body)).json()) as { id: string };
    expect(await next(secret)).toMatchObject({ type: 'response.completed', data: { id } });
  });

  it('are sent to the endpoint that the run of an API names, and only once', async () => {
    const design = {
      name: 'Facts',
      api_stub: 'facts',
      prompt: `${prompt} {{more}}`,
      inputs: { more: { type: 'string' } },
    };
    const made = await send('POST', '/v1/design-api', design);
    const { api_id } = (await made.json()) as { api_id: string };
    expect(made.status).toBe(201);
    const { secret, webhook_id } = await create({ events: ['search.failed'] });
    const path = `/v1/user-defined-service/facts?webhook=${encodeURIComponent(receiver.url)}`;
    const response = await app.post(path, { more: 'Say it.' });
    expect(response.status).toBe(200);
    expect(await next(secret)).toMatchObject({ type: 'search.completed' });
    const { items } = await read<WebhookDeliveryList>(`/v1/webhook-deliveries?webhook_id=${webhook_id}`);
    expect(items).toHaveLength(1);
    await removeAll();
    const unknown = await app.post(path, { more: 'Say it.' });
    const msg = 'expected the URL of an enabled webhook of this account';
    expect([unknown.status, await unknown.json()]).toMatchObject([
      422,
      { detail: [{ loc: ['query', 'webhook'], msg }] },
    ]);
    expect((await send('POST', `/v1/design-api/${api_id}/publish`, {})).status).toBe(201);
    const asked = { model: 'api/facts', input: 'Say it.', webhook: { url: receiver.url } };
    const refused = await app.post('/v1/responses', asked);
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: { param: 'webhook.secret' } }]);
  });

  it('are refused without a secret, with a bad one, and for an address that is not public', async () => {
    const issue = async (webhook: object) => {
      const response = await app.post('/v1/search', { prompt, webhook });
      return [response.status, JSON.stringify(await response.json())];
    };
    const secret = newWebhookSecret();
    const needsSecret = [422, expect.stringContaining('no enabled webhook of this account has this URL')];
    expect(await issue({ url: receiver.url })).toEqual(needsSecret);
    const { webhook_id } = await create();
    await send('PATCH', `/v1/webhooks/${webhook_id}`, { enabled: false });
    expect(await issue({ url: receiver.url })).toEqual(needsSecret);
    await removeAll();
    for (const bad of ['whsec_c2hvcnQ=', 'secret', `whsec_${'A'.repeat(92)}`, `${secret}!`]) {
      expect(await issue({ url: receiver.url, secret: bad })).toEqual([422, expect.stringContaining('24 to 64 bytes')]);
    }
    for (const url of [
      'http://127.0.0.1/',
      'http://169.254.169.254/latest',
      'http://[::1]/',
      'https://example.org:8443/',
    ]) {
      expect((await issue({ url, secret }))[0], url).toBe(422);
      expect((await send('POST', '/v1/webhooks', { url })).status, url).toBe(422);
    }
    expect(await issue({ url: 'ftp://example.org', secret })).toEqual([422, expect.stringContaining('http')]);
    expect(receiver.received).toEqual([]);
  });

  it('show the secret of an endpoint once, keep it encrypted, and rotate it', async () => {
    const { secret, webhook_id, ...shown } = await create({ name: 'mine' });
    expect(shown).toMatchObject({
      url: receiver.url,
      name: 'mine',
      events: [],
      disabled_at: null,
      rotated_until: null,
    });
    const listed = await (await app.get('/v1/webhooks')).text();
    expect(listed).toContain(webhook_id);
    expect(listed).not.toContain('whsec_');
    const rotated = (await (await send('POST', `/v1/webhooks/${webhook_id}/rotate`)).json()) as NewWebhookEndpoint;
    expect(rotated.secret).not.toBe(secret);
    expect(rotated.rotated_until).not.toBeNull();
    expect((await send('POST', `/v1/webhooks/${webhook_id}/test`)).status).toBe(202);
    expect(await next(secret)).toMatchObject({ type: 'webhook.test', data: { id: webhook_id } });
    expect(await next(rotated.secret)).toMatchObject({ type: 'webhook.test' });
    await removeAll();
    expect(app.faults).toEqual([]);
  });

  it('are signed with the secret that receivers have even where a new one was lost, and another was made', async () => {
    const { secret, webhook_id } = await create();
    const rotate = async () =>
      (await (await send('POST', `/v1/webhooks/${webhook_id}/rotate`)).json()) as NewWebhookEndpoint;
    const secrets = [secret];
    for (let n = 0; n < 3; n += 1) secrets.push((await rotate()).secret);
    await send('POST', `/v1/webhooks/${webhook_id}/test`);
    for (const one of secrets.slice(1)) expect(await next(one)).toMatchObject({ type: 'webhook.test' });
    await expect(next(secret)).rejects.toThrow();
    await removeAll();
    expect(app.faults).toEqual([]);
  });

  it('log each try, and are sent again on request', async () => {
    receiver.answer = (response) => void response.writeHead(410).end();
    const { webhook_id } = await create();
    await app.post('/v1/search', { prompt });
    const list = () => read<WebhookDeliveryList>(`/v1/webhook-deliveries?webhook_id=${webhook_id}`);
    await expect.poll(async () => (await list()).items[0]?.state).toBe('failed');
    const { delivery_id } = (await list()).items[0]!;
    expect(await read<WebhookDeliveryRecord>(`/v1/webhook-deliveries/${delivery_id}`)).toMatchObject({
      tries: 1,
      last_status: 410,
      log: [{ status: 410, error: 'The receiver answered 410.' }],
    });
    expect((await read<WebhookEndpointList>('/v1/webhooks')).items).toMatchObject([
      { disabled_reason: 'The receiver answered 410 Gone.' },
    ]);
    receiver.answer = (response) => void response.writeHead(200).end();
    const enabled = await send('PATCH', `/v1/webhooks/${webhook_id}`, { enabled: true });
    expect(await enabled.json()).toMatchObject({ disabled_at: null });
    expect((await send('POST', `/v1/webhook-deliveries/${delivery_id}/redeliver`)).status).toBe(202);
    await expect.poll(async () => (await list()).items[0]?.state).toBe('delivered');
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([delivery_id, delivery_id]);
    await removeAll();
  });

  it('are answered as they are where a change has nothing to change', async () => {
    const { secret: _, ...made } = await create({ name: 'mine', events: ['search.failed'] });
    const path = `/v1/webhooks/${made.webhook_id}`;
    const change = async (body: object) => {
      const response = await send('PATCH', path, body);
      expect(response.status).toBe(200);
      return response.json();
    };
    expect(await change({})).toEqual(made);
    const disabled = await change({ enabled: false });
    expect(await change({ enabled: false })).toEqual(disabled);
    expect((await send('PATCH', '/v1/webhooks/none', {})).status).toBe(404);
    await removeAll();
    expect(app.faults).toEqual([]);
  });

  it('belong to their account, and are limited in number', async () => {
    const { webhook_id } = await create();
    const { plaintext: other } = await app.accounts.createKey({ name: 'other', plan: 'pro' });
    expect(await (await send('GET', '/v1/webhooks', undefined, other)).json()).toEqual({ items: [] });
    for (const [method, path, body] of [
      ['PATCH', `/v1/webhooks/${webhook_id}`, { enabled: false }],
      ['DELETE', `/v1/webhooks/${webhook_id}`],
      ['POST', `/v1/webhooks/${webhook_id}/rotate`],
      ['POST', `/v1/webhooks/${webhook_id}/test`],
      ['GET', '/v1/webhook-deliveries/msg_x'],
      ['POST', '/v1/webhook-deliveries/msg_x/redeliver'],
    ] as const) {
      expect((await send(method, path, body, other)).status, path).toBe(404);
    }
    for (let n = 1; n < webhookLimits.endpoints; n += 1) await create();
    const beyond = await send('POST', '/v1/webhooks', { url: receiver.url });
    expect([beyond.status, await beyond.text()]).toEqual([403, expect.stringContaining('at most 20')]);
    await removeAll();
  });

  it('are managed on the command line', async () => {
    const env = { DATA_DIR: app.dataDir, FETCH_ALLOW_HOSTS: receiver.host, SECRETS_KEY: 'a passphrase of the tests' };
    const { id: account } = (await app.accounts.listAccounts())[0]!;
    const cli = async (...words: string[]) => {
      const { code, stdout, stderr } = await runCli(['webhooks', ...words, '--account', account], env);
      expect([code, stderr]).toEqual([0, expect.anything()]);
      return stdout.trim();
    };
    const secret = await cli('add', receiver.url, '--name', 'from here');
    expect(secret).toMatch(/^whsec_/);
    const listed = await cli('list');
    expect(listed).toMatch(/^we_\S+\tenabled\thttp:\S+\tfrom here\tall events$/);
    const id = listed.split('\t')[0]!;
    await cli('test', id);
    expect(await next(secret)).toMatchObject({ type: 'webhook.test' });
    let deliveries = '';
    await expect.poll(async () => (deliveries = await cli('deliveries', '--webhook', id))).toContain('\tdelivered\t');
    const delivery = deliveries.split('\t')[0]!;
    expect(await cli('tries', delivery)).toMatch(/^\S+\t204\t\d+ ms$/);
    await cli('redeliver', delivery);
    await expect.poll(() => receiver.received.length).toBe(2);
    expect(await cli('rotate', id)).toMatch(/^whsec_/);
    await cli('disable', id);
    expect(await cli('list')).toContain('disabled: Disabled by the account.');
    await cli('remove', id);
    expect(await cli('list')).toBe('');
  });
});
