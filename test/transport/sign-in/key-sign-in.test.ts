/** Browsers that sign in with a key, over real sockets: they may do what the key may, for as long as it is valid. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HTTPValidationError } from '../../../protocol/index.ts';
import { developmentAccount } from '../../../src/access/accounts.ts';
import { plans } from '../../../src/access/plans.ts';
import { openStore } from '../../../src/store/store.ts';
import { sendSignIn, signIn, signInWithKey } from '../../support/browser/browser-session.ts';
import { connect } from '../../support/clients/ws-client.ts';
import { createDesign } from '../../support/design.ts';
import { expectDocumented } from '../../support/documented-answers.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ MEDIAWIKI_URL: 'off' });
});
afterAll(() => app[Symbol.asyncDispose]());

const prompt = 'Who designed the Heron Point Lighthouse?';
const newKey = (name: string, scopes: string[] = []) =>
  app.accounts.createKey({ name, account: developmentAccount, scopes });

describe('signing in with a key', () => {
  it('sets a cookie that scripts cannot read, and names the key', async () => {
    const { plaintext, key } = await newKey('laptop', ['search']);
    const response = await sendSignIn(app, { api_key: plaintext });
    const cookie = response.headers.get('set-cookie')!;
    expect(cookie).toMatch(/^citewire_\d+=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/);
    expect(cookie).not.toContain(plaintext);
    const session = await expectDocumented('POST /v1/session', response);
    expect(session).toMatchObject({
      account: { id: developmentAccount },
      key: { key_id: key.id, name: 'laptop', scopes: ['search'] },
    });
  });

  it.each<[string, Record<string, string>]>([
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['no origin at all', { origin: '', 'sec-fetch-site': '' }],
  ])('refuses a key from %s', async (_, headers) => {
    expect((await sendSignIn(app, { api_key: app.key }, headers)).status).toBe(403);
  });

  it.each([
    ['neither a link nor a key', {}, 422],
    ['both', { link: 'x', api_key: 'x' }, 422],
    ['a key that is not valid', { api_key: 'cw_nobody' }, 401],
  ])('refuses %s', async (_, body, status) => {
    const response = await sendSignIn(app, body);
    expect(response.status).toBe(status);
    expect(response.headers.get('set-cookie')).toBeNull();
    await expectDocumented('POST /v1/session', response);
  });

  it.each([{}, { link: 'x', api_key: 'cw_secret' }])(
    'says what a sign-in needs, and repeats no secret: %j',
    async (body) => {
      const { detail } = (await (await sendSignIn(app, body)).json()) as HTTPValidationError;
      expect(detail).toMatchObject([{ loc: ['body'], msg: 'expected either link or api_key; got both or neither' }]);
    },
  );

  it('counts sign-ins with the writes of the key', async () => {
    const { plaintext } = await app.accounts.createKey({ name: 'eager', plan: 'starter' });
    const { limit } = plans.starter.writes;
    const statuses: number[] = [];
    for (let i = 0; i <= limit; i += 1) statuses.push((await sendSignIn(app, { api_key: plaintext })).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(limit);
    const refused = await sendSignIn(app, { api_key: plaintext });
    expect([statuses.at(-1), refused.status]).toEqual([429, 429]);
    expect(refused.headers.get('set-cookie')).toBeNull();
    await expectDocumented('POST /v1/session', refused);
  });

  it('counts failed keys by address as it counts those of headers', async () => {
    await using other = await startTestApp({ MEDIAWIKI_URL: 'off' });
    const statuses = [];
    for (let i = 0; i < 60; i += 1) statuses.push((await sendSignIn(other, { api_key: 'cw_nobody' })).status);
    expect(statuses).toContain(429);
    expect((await sendSignIn(other, { api_key: other.key })).status).toBe(200);
  });
});

describe('the session of a key', () => {
  it('asks, and is counted as the key', async () => {
    const { plaintext, key } = await newKey('asks');
    const session = await signInWithKey(app, plaintext);
    expect((await session.call('POST', '/v1/search', { prompt })).status).toBe(200);
    const mine = (await (await session.call('GET', `/v1/search?key_id=${key.id}`)).json()) as { items: unknown[] };
    expect(mine.items).toHaveLength(1);
    const { keys } = (await (await session.call('GET', '/v1/account/usage')).json()) as { keys: { key_id: string }[] };
    expect(keys.map(({ key_id }) => key_id)).toContain(key.id);
  });

  it('manages no keys, however wide the key is', async () => {
    const session = await signInWithKey(app, app.key);
    expect((await session.call('GET', '/v1/keys')).status).toBe(200);
    const id = app.developmentKey!.key.id;
    const tries = [
      await session.call('POST', '/v1/keys', { name: 'outlives' }),
      await session.call('PATCH', `/v1/keys/${id}`, { name: 'renamed' }),
      await session.call('DELETE', `/v1/keys/${id}`),
    ];
    expect(tries.map(({ status }) => status)).toEqual([403, 403, 403]);
    const byLink = await signIn(app);
    expect((await byLink.call('POST', '/v1/keys', { name: 'by link' })).status).toBe(201);
  });

  it('has the scopes of its key, and sees nothing of the account but that key', async () => {
    const { plaintext, key } = await newKey('narrow', ['run']);
    await app.get('/v1/account/usage');
    const session = await signInWithKey(app, plaintext);
    expect((await session.call('POST', '/v1/search', { prompt })).status).toBe(403);
    const keys = (await (await session.call('GET', '/v1/keys')).json()) as { items: { key_id: string }[] };
    expect(keys.items.map(({ key_id }) => key_id)).toEqual([key.id]);
    const usage = await session.call('GET', `/v1/account/usage?key_id=${app.developmentKey!.key.id}`);
    const { keys: counted } = (await usage.json()) as { keys: { key_id: string }[] };
    expect(counted.filter(({ key_id }) => key_id !== key.id)).toEqual([]);
    const refusals = (await (await session.call('GET', '/v1/account/refusals')).json()) as {
      items: { key_id: string }[];
    };
    expect(refusals.items.filter(({ key_id }) => key_id !== key.id)).toEqual([]);
  });

  it('leaves a schedule to its key, whose restrictions and end are those of the schedule', async () => {
    const { plaintext, key } = await newKey('schedules', ['run']);
    const { api_stub } = await createDesign(app);
    const session = await signInWithKey(app, plaintext);
    const about = {
      name: 'daily',
      api_stub,
      version: 'draft',
      inputs: { building: 'Heron Point Lighthouse' },
      cron: '0 9 * * *',
      time_zone: 'UTC',
    };
    const created = await session.call('POST', '/v1/schedules', about);
    expect([created.status, await created.text()]).toEqual([201, expect.any(String)]);
    const store = await openStore({ dataDir: app.dataDir });
    const stored = await store.schedules.list(developmentAccount);
    await store.close();
    expect(stored.map(({ key_id }) => key_id)).toEqual([key.id]);
  });

  it('ends when the key is revoked, with the WebSockets that it opened', async () => {
    const { plaintext, key } = await newKey('to be revoked');
    const session = await signInWithKey(app, plaintext);
    const client = await connect(app.url, { cookie: session.cookie, origin: app.url });
    await app.accounts.revokeKey(key.id);
    expect((await session.call('GET', '/v1/session')).status).toBe(401);
    await expect(client.start({ prompt })).rejects.toThrow('unauthorized');
    client.close();
  });

  it('replaces the session that the browser had, and ends on sign-out without touching the key', async () => {
    const first = await signIn(app);
    const response = await sendSignIn(app, { api_key: app.key }, { cookie: first.cookie });
    expect(response.status).toBe(200);
    expect((await first.call('GET', '/v1/session')).status).toBe(401);
    const session = await signInWithKey(app, app.key);
    expect((await session.call('DELETE', '/v1/session')).status).toBe(200);
    expect((await session.call('GET', '/v1/session')).status).toBe(401);
    expect((await app.get('/v1/usage')).status).toBe(200);
  });
});
