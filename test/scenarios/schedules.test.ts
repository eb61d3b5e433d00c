/** Schedules as callers use them: made over HTTP and on the command line, run by the server, ended with a webhook. */
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Schedule, type ScheduleList, SearchRecord, scheduleLimits } from '../../protocol/index.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { newWebhookSecret } from '../../src/webhooks/sign.ts';
import { runCli } from '../support/processes/run-cli.ts';
import { startWebhookReceiver, type WebhookReceiver, webhookHeaders } from '../support/servers/webhook-receiver.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

const design = {
  name: 'Facts',
  api_stub: 'facts',
  prompt: 'Who designed the {{place}}?',
  inputs: { place: { type: 'string', required: true } },
};
const inputs = { place: 'Heron Point Lighthouse' };
const mondays = { api_stub: 'facts', inputs, cron: '0 8 * * MON', time_zone: 'Europe/Prague' };

describe('schedules', () => {
  let app: TestApp;
  let receiver: WebhookReceiver;
  /** To make a time come. */
  let store: Store;
  let account: string;
  beforeAll(async () => {
    receiver = await startWebhookReceiver();
    app = await startTestApp({ FETCH_ALLOW_HOSTS: receiver.host });
    store = await openStore({ dataDir: app.dataDir });
    account = (await app.accounts.listAccounts())[0]!.id;
    expect((await app.post('/v1/design-api', design)).status).toBe(201);
  });
  afterAll(async () => {
    await store.close();
    await app[Symbol.asyncDispose]();
    await receiver[Symbol.asyncDispose]();
  });

  const send = (method: string, path: string, body?: object, key = app.key) =>
    fetch(app.url + path, {
      method,
      headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const create = async (change: object = {}, key = app.key) => {
    const response = await send('POST', '/v1/schedules', { ...mondays, ...change }, key);
    expect([response.status, await response.clone().text()]).toEqual([201, expect.anything()]);
    return (await response.json()) as Schedule;
  };
  const read = async (id: string) => (await (await send('GET', `/v1/schedules/${id}`)).json()) as Schedule;
  /** Reads that are not counted. */
  const stored = async (id: string) => (await store.schedules.get(account, id))!;
  /** A time for which it has run before is not run again. */
  const makeDue = (id: string, next_at = '2026-01-05T07:00:00.000Z') =>
    store.schedules.change(account, id, { next_at });

  it('run an API when they are due, and have its end sent', async () => {
    const secret = newWebhookSecret();
    const { schedule_id, next_at, webhook_url } = await create({ webhook: { url: receiver.url, secret } });
    expect(webhook_url).toBe(receiver.url);
    expect(Date.parse(next_at!)).toBeGreaterThan(Date.now());
    expect(
      new Date(next_at!).toLocaleString('en-GB', { timeZone: 'Europe/Prague', weekday: 'long', hour: 'numeric' }),
    ).toMatch(/^Monday,? 08$/);
    await makeDue(schedule_id);
    await expect.poll(() => receiver.received.length).toBe(1);
    const after = await read(schedule_id);
    expect(after).toMatchObject({ next_at, last_error: null });
    const one = receiver.received[0]!;
    expect(new Webhook(secret).verify(one.body, webhookHeaders(one))).toMatchObject({
      type: 'search.completed',
      data: { id: after.last_search_id },
    });
    const record = SearchRecord.parse(await (await app.get(`/v1/search/${after.last_search_id}`)).json());
    expect(record).toMatchObject({
      state: 'completed',
      prompt: 'Who designed the Heron Point Lighthouse?',
      attempt: 1,
    });
    expect(JSON.stringify(after)).not.toContain('whsec_');
  });

  it('run nothing for an account that is suspended, nor with a key that is revoked', async () => {
    const { key, plaintext, account: other } = await app.accounts.createKey({ name: 'other', plan: 'pro' });
    expect((await send('POST', '/v1/design-api', { ...design, api_stub: 'own-facts' }, plaintext)).status).toBe(201);
    const { schedule_id } = await create({ api_stub: 'own-facts' }, plaintext);
    const due = () => store.schedules.change(other.id, schedule_id, { next_at: '2026-01-05T07:00:00.000Z' });
    const state = () => store.schedules.get(other.id, schedule_id);
    await app.accounts.setStatus(other.id, 'suspended', 'Too much.');
    await due();
    await expect.poll(async () => (await state())!.last_error).toMatch(/suspended/);
    expect(await state()).toMatchObject({ last_search_id: null, disabled_at: null });
    await app.accounts.setStatus(other.id, 'active');
    await due();
    await expect.poll(async () => (await state())!.last_search_id).toMatch(/^s_/);
    await app.accounts.revokeKey(key.id);
    await due();
    await expect.poll(async () => (await state())!.disabled_reason).toBe('The key that made it was revoked.');
  });

  it('run with the key of the call that enables them again, once that which made them is revoked', async () => {
    const old = await app.accounts.createKey({ name: 'old', account });
    const { schedule_id } = await create({}, old.plaintext);
    await app.accounts.revokeKey(old.key.id);
    await makeDue(schedule_id);
    await expect.poll(async () => (await stored(schedule_id)).disabled_at).not.toBeNull();
    const enabled = (await (await send('PATCH', `/v1/schedules/${schedule_id}`, { enabled: true })).json()) as Schedule;
    expect(enabled).toMatchObject({ disabled_at: null, next_at: expect.any(String) });
    await makeDue(schedule_id);
    await expect.poll(async () => (await stored(schedule_id)).last_search_id).toMatch(/^s_/);
    expect(await stored(schedule_id)).toMatchObject({ disabled_at: null, last_error: null });
  });

  it('run while their webhook is disabled, or removed', async () => {
    const url = `${receiver.url}?disabled`;
    const { webhook_id } = (await (await send('POST', '/v1/webhooks', { url })).json()) as { webhook_id: string };
    const { schedule_id } = await create({ webhook: { url } });
    const failed = async () => {
      const { items } = (await (await app.get(`/v1/webhook-deliveries?webhook_id=${webhook_id}`)).json()) as {
        items: { last_error: string; search_id: string }[];
      };
      return items.map(({ search_id, last_error }) => ({ search_id, last_error }));
    };
    await send('PATCH', `/v1/webhooks/${webhook_id}`, { enabled: false });
    await makeDue(schedule_id);
    await expect.poll(async () => (await stored(schedule_id)).last_search_id).toMatch(/^s_/);
    const { last_search_id, last_error } = await stored(schedule_id);
    expect(last_error).toBeNull();
    await expect.poll(failed).toEqual([{ search_id: last_search_id, last_error: 'The endpoint is disabled.' }]);
    await send('DELETE', `/v1/webhooks/${webhook_id}`);
    await makeDue(schedule_id, '2026-01-12T07:00:00.000Z');
    await expect.poll(async () => (await stored(schedule_id)).last_search_id).not.toBe(last_search_id);
    expect((await stored(schedule_id)).last_error).toBeNull();
  });

  it('are changed, disabled, enabled and removed, by their account alone', async () => {
    const { schedule_id, next_at } = await create({ name: 'weekly' });
    const path = `/v1/schedules/${schedule_id}`;
    const { plaintext: other } = await app.accounts.createKey({ name: 'other', plan: 'pro' });
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      expect((await send(method, path, method === 'PATCH' ? {} : undefined, other)).status).toBe(404);
    }
    const change = async (body: object) => (await (await send('PATCH', path, body)).json()) as Schedule;
    expect(await change({ enabled: false })).toMatchObject({
      next_at: null,
      disabled_reason: 'Disabled by the account.',
    });
    expect(await change({ enabled: true })).toMatchObject({ next_at, disabled_at: null });
    const daily = await change({ cron: '@daily', time_zone: 'UTC' });
    expect(daily.next_at).toMatch(/T00:00:00.000Z$/);
    expect((await send('PATCH', path, { inputs: { wrong: 1 } })).status).toBe(422);
    expect((await (await send('GET', '/v1/schedules')).json()) as ScheduleList).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ schedule_id, name: 'weekly', cron: '@daily' })]),
    });
    expect((await send('DELETE', path)).status).toBe(200);
    expect((await send('GET', path)).status).toBe(404);
  });

  it.each([
    ['an unknown API', { api_stub: 'unknown' }, 404],
    ['inputs that it does not take', { inputs: {} }, 422],
    ['an invalid cron expression', { cron: '61 * * * *' }, 422],
    ['seconds', { cron: '* * * * * *' }, 422],
    ['a day that never comes', { cron: '0 0 30 2 *' }, 422],
    ['an unknown time zone', { time_zone: 'Mars/Olympus' }, 422],
    ['a webhook without a secret', { webhook: { url: 'https://example.org/' } }, 422],
    ['very long inputs', { inputs: { place: 'x'.repeat(scheduleLimits.input_characters) } }, 422],
  ])('are refused with %s', async (_, change, status) => {
    expect((await send('POST', '/v1/schedules', { ...mondays, ...change })).status).toBe(status);
  });

  it('are managed on the command line', async () => {
    const env = { DATA_DIR: app.dataDir, FETCH_ALLOW_HOSTS: receiver.host };
    const cli = async (...words: string[]) => {
      const { code, stdout, stderr } = await runCli(['schedules', ...words, '--account', account], env);
      expect([code, stderr]).toEqual([0, expect.anything()]);
      return stdout.trim();
    };
    expect(
      (await send('POST', '/v1/design-api', { ...design, api_stub: 'no-inputs', inputs: {}, prompt: 'Who?' })).status,
    ).toBe(201);
    const id = await cli('add', 'no-inputs', '0 8 * * MON', '--time-zone', 'Europe/Prague');
    expect(await cli('list')).toMatch(
      new RegExp(`${id}\\tno-inputs\\t0 8 \\* \\* MON\\tEurope/Prague\\tnext .*Z\\tnever ran`),
    );
    await makeDue(id);
    await expect.poll(async () => (await read(id)).last_search_id).toMatch(/^s_/);
    await cli('disable', id);
    expect(await cli('list')).toContain('disabled: Disabled by the account.');
    await cli('enable', id);
    await cli('remove', id);
    expect(await cli('list')).not.toContain(id);
  });
});
