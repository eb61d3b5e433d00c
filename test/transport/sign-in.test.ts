/** Browsers that sign in, over real sockets: what they may do, and what others may not. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { developmentAccount } from '../../src/access/accounts.ts';
import { fromPageOf, newLink, sendLink, signIn } from '../support/browser/browser-session.ts';
import { connect } from '../support/clients/ws-client.ts';
import { expectDocumented } from '../support/documented-answers.ts';
import { runCli } from '../support/processes/run-cli.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ MEDIAWIKI_URL: 'off' });
});
afterAll(() => app[Symbol.asyncDispose]());

const prompt = 'Who designed the Heron Point Lighthouse?';

describe('signing in', () => {
  it('accepts a sign-in link once, and sets a cookie that scripts cannot read', async () => {
    const link = await newLink(app);
    const response = await sendLink(app, link);
    expect(response.headers.get('set-cookie')).toMatch(
      /^citewire_\d+=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    );
    const session = await expectDocumented('POST /v1/session', response);
    expect(session).toMatchObject({ account: { id: developmentAccount, plan: 'pro' } });
    const replay = await sendLink(app, link);
    expect(replay.status).toBe(401);
    expect(replay.headers.get('set-cookie')).toBeNull();
    expect(await expectDocumented('POST /v1/session', replay)).toMatchObject({
      detail: 'Expected an unused sign-in link that is at most 10 minutes old, or an open invitation.',
    });
  });

  it.each<[string, Record<string, string>]>([
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['another port of this host', { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' }],
    ['no origin at all', { origin: '', 'sec-fetch-site': '' }],
  ])('refuses a sign-in from %s, and the link stays valid', async (_, headers) => {
    const link = await newLink(app);
    expect((await sendLink(app, link, headers)).status).toBe(403);
    expect((await sendLink(app, link)).status).toBe(200);
  });

  it('reads no more of a sign-in than a link needs, and nothing of one from elsewhere', async () => {
    const link = 'a'.repeat(5_000);
    expect((await sendLink(app, link)).status).toBe(413);
    expect((await sendLink(app, link, { origin: 'https://evil.example' })).status).toBe(403);
  });

  it('refuses a sign-in by a form, which needs no preflight', async () => {
    const response = await fetch(`${app.url}/v1/session`, {
      method: 'POST',
      headers: { ...fromPageOf(app), 'content-type': 'text/plain' },
      body: JSON.stringify({ link: await newLink(app) }),
    });
    expect(response.status).toBe(415);
  });

  it('never adopts the cookie of an earlier session, and ends that session', async () => {
    const planted = await signIn(app);
    const response = await sendLink(app, await newLink(app), { cookie: planted.cookie });
    expect(response.headers.get('set-cookie')).not.toContain(planted.cookie);
    expect((await planted.call('GET', '/v1/session')).status).toBe(401);
  });

  it('accepts a link that another process made in the same store', async () => {
    const { stdout } = await runCli(['login', '--server', app.url], { DATA_DIR: app.dataDir });
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/dashboard\/sign-in#[\w-]{43}\n$/);
    expect((await sendLink(app, new URL(stdout.trim()).hash.slice(1))).status).toBe(200);
  });
});

describe('a session', () => {
  it('lets a browser session call, stream and read like a key of its account', async () => {
    const session = await signIn(app);
    const answer = await session.call('POST', '/v1/search', { prompt });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('ratelimit-policy')).toBe('"pro";q=100;w=60');
    const { search_id } = (await answer.json()) as { search_id: string };
    expect((await session.call('GET', `/v1/search/${search_id}`)).status).toBe(200);
    expect((await app.get(`/v1/search/${search_id}`)).status).toBe(200);
    const ticket = await session.call('POST', '/v1/ws/tickets', {});
    expect(ticket.status).toBe(200);
  });

  it('opens a WebSocket by cookie for a page of this server, and for no other', async () => {
    const { cookie } = await signIn(app);
    const client = await connect(app.url, { cookie, origin: app.url });
    const { result } = (await client.search(await client.start({ prompt }))).at(-1) as unknown as { result: object };
    expect(result).toMatchObject({ status: 'answered' });
    client.close();
    for (const origin of ['https://evil.example', 'http://127.0.0.1:1', 'null']) {
      const refused = await connect(app.url, { cookie, origin });
      expect(await refused.next(({ type }) => type === 'error')).toMatchObject({ error: { code: 'forbidden' } });
      expect((await refused.closed).code).toBe(4403);
    }
    await expect(connect(app.url, { cookie })).rejects.toThrow('403');
  });

  it.each<[string, string, string, Record<string, string>]>([
    ['a change without its token', 'POST', '/v1/keys', { 'x-csrf-token': '' }],
    ['a change with a token of its own making', 'POST', '/v1/keys', { 'x-csrf-token': 'A'.repeat(43) }],
    ['a change from another site', 'POST', '/v1/keys', { origin: 'https://evil.example' }],
    [
      'a change from another port',
      'POST',
      '/v1/search',
      { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' },
    ],
    ['a read from another site', 'GET', '/v1/keys', { origin: 'https://evil.example' }],
    ['a read that an image on another page makes', 'GET', '/v1/keys', { origin: '', 'sec-fetch-site': 'cross-site' }],
  ])('refuses the session cookie with %s', async (_, method, path, headers) => {
    const session = await signIn(app);
    const body = method === 'GET' ? undefined : { name: 'x', prompt };
    expect((await session.call(method, path, body, headers)).status).toBe(403);
  });

  it('answers an invalid cookie like an invalid key', async () => {
    const { cookie, call } = await signIn(app);
    const name = cookie.split('=')[0]!;
    const bad = [
      `${name}=`,
      `${name}=x`,
      `${name}=${'A'.repeat(43)}`,
      `other=${cookie.split('=')[1]}`,
      `${cookie}; ${cookie}`,
    ];
    const refusals = [];
    for (const cookies of bad) {
      const response = await call('GET', '/v1/usage', undefined, { cookie: cookies });
      refusals.push([response.status, ((await response.json()) as { detail: string }).detail]);
    }
    const withKey = await app.get('/v1/usage', { 'x-api-key': 'cw_none' });
    const refusal = [withKey.status, ((await withKey.json()) as { detail: string }).detail];
    expect(refusals).toEqual(bad.map(() => refusal));
  });

  it('keeps sessions of servers on different ports of a host apart', async () => {
    await using other = await startTestApp({ MEDIAWIKI_URL: 'off' });
    const [here, there] = [await signIn(app), await signIn(other)];
    const both = { cookie: `${there.cookie}; ${here.cookie}` };
    expect((await here.call('GET', '/v1/session', undefined, both)).status).toBe(200);
    expect((await there.call('GET', '/v1/session', undefined, both)).status).toBe(200);
    const stolen = here.cookie.replace(/^\w+/, there.cookie.split('=')[0]!);
    expect((await there.call('GET', '/v1/session', undefined, { cookie: stolen })).status).toBe(401);
  });

  it('finds the session among many cookies, and survives too many', async () => {
    const { cookie, call } = await signIn(app);
    const many = (bytes: number) => Array.from({ length: bytes / 100 }, (_, n) => `c${n}=${'x'.repeat(90)}`).join('; ');
    expect((await call('GET', '/v1/session', undefined, { cookie: `${many(8_000)}; ${cookie}` })).status).toBe(200);
    const tooMany = await call('GET', '/v1/session', undefined, { cookie: `${many(40_000)}; ${cookie}` }).catch(
      () => undefined,
    );
    expect([400, 413, 431, undefined]).toContain(tooMany?.status);
    expect((await call('GET', '/v1/session')).status).toBe(200);
  });

  it('gives pages of other origins no session, not even those that may call with a key', async () => {
    const origin = 'http://127.0.0.1:1';
    await using open = await startTestApp({ MEDIAWIKI_URL: 'off', ALLOWED_ORIGINS: origin });
    const { call, cookie } = await signIn(open);
    const fromThere = { origin, 'sec-fetch-site': 'same-site' };
    expect((await open.get('/v1/usage', fromThere)).status).toBe(200);
    const refused = await call('GET', '/v1/usage', undefined, fromThere);
    expect(refused.status).toBe(403);
    expect(refused.headers.get('access-control-allow-credentials')).toBeNull();
    const socket = await connect(open.url, { cookie, origin });
    expect((await socket.closed).code).toBe(4403);
  });

  it('limits the session behind a proxy to the public address, over TLS only', async () => {
    await using behind = await startTestApp({ MEDIAWIKI_URL: 'off', PUBLIC_URL: 'https://search.example' });
    expect(await behind.signInLink(developmentAccount)).toMatch(/^https:\/\/search\.example\/dashboard\/sign-in#/);
    const link = await newLink(behind);
    expect((await sendLink(behind, link)).status).toBe(403);
    const page = { origin: 'https://search.example', 'sec-fetch-site': 'same-origin', 'x-forwarded-proto': 'http' };
    const setCookie = (await sendLink(behind, link, page)).headers.get('set-cookie')!;
    expect(setCookie).toMatch(/^__Host-citewire=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict; Secure$/);
    const headers = { ...page, cookie: setCookie.split(';')[0]! };
    expect((await fetch(`${behind.url}/v1/session`, { headers })).status).toBe(200);
    const client = await connect(behind.url, { cookie: headers.cookie, origin: page.origin });
    await client.next(({ type }) => type === 'session.ready');
    client.close();
  });

  it('ends a session at sign-out, and clears its cookie', async () => {
    const session = await signIn(app);
    const client = await connect(app.url, { cookie: session.cookie, origin: app.url });
    const response = await session.call('DELETE', '/v1/session');
    expect(response.headers.get('set-cookie')).toMatch(/^citewire_\d+=; Path=\/; Max-Age=0;/);
    await expectDocumented('DELETE /v1/session', response);
    expect((await session.call('GET', '/v1/session')).status).toBe(401);
    client.send({ type: 'search.start', ref: '1', request: { prompt } });
    // The connection may be closed before the frame is answered.
    const refusal = await client.next(({ ref }) => ref === '1').catch((error: Error) => error);
    if (refusal instanceof Error) expect(refusal.message).toContain('4401');
    else expect(refusal).toMatchObject({ type: 'error', error: { code: 'unauthorized' } });
    client.close();
  });

  it('ends the sessions of an account that is suspended', async () => {
    const { id } = await app.accounts.createAccount({ name: 'short-lived', plan: 'starter' });
    const session = await signIn(app, id);
    await app.accounts.setStatus(id, 'suspended');
    expect((await session.call('GET', '/v1/keys')).status).toBe(401);
    await app.accounts.setStatus(id, 'active');
    expect((await session.call('GET', '/v1/keys')).status).toBe(401);
  });
});

describe('the keys of an account', () => {
  const withKey = (key: string) => app.get('/v1/usage', { 'x-api-key': key });

  it('lets browsers create, rename and revoke keys, which work in between', async () => {
    const session = await signIn(app);
    const created = await session.call('POST', '/v1/keys', { name: 'laptop' });
    expect(created.status).toBe(201);
    const { api_key, key_id } = (await expectDocumented('POST /v1/keys', created)) as Record<string, string>;
    expect((await withKey(api_key!)).status).toBe(200);
    const renamed = await session.call('PATCH', `/v1/keys/${key_id}`, { name: 'desk' });
    expect(await expectDocumented('PATCH /v1/keys/{key_id}', renamed)).toMatchObject({ name: 'desk' });
    const listed = await (await session.call('GET', '/v1/keys')).text();
    expect(listed).toContain(key_id);
    expect(listed).not.toContain(api_key!.slice(12));
    const revoked = await session.call('DELETE', `/v1/keys/${key_id}`);
    expect(await expectDocumented('DELETE /v1/keys/{key_id}', revoked)).toMatchObject({ key_id });
    expect((await withKey(api_key!)).status).toBe(401);
  });

  it('lets no key manage keys', async () => {
    for (const [method, path] of [
      ['GET', '/v1/keys'],
      ['POST', '/v1/keys'],
      ['DELETE', '/v1/keys/x'],
      ['GET', '/v1/account/usage'],
    ] as const) {
      const response = await fetch(app.url + path, {
        method,
        headers: { 'x-api-key': app.key, 'content-type': 'application/json' },
        ...(method === 'POST' ? { body: '{"name": "x"}' } : {}),
      });
      expect([response.status, method, path]).toEqual([403, method, path]);
    }
  });

  it('answers 404 for the keys of another account', async () => {
    const { id } = await app.accounts.createAccount({ name: 'others', plan: 'starter' });
    const { key } = await app.accounts.createKey({ name: 'theirs', account: id });
    const session = await signIn(app);
    expect((await session.call('DELETE', `/v1/keys/${key.id}`)).status).toBe(404);
    expect((await session.call('PATCH', `/v1/keys/${key.id}`, { name: 'mine' })).status).toBe(404);
    expect(await (await session.call('GET', '/v1/keys')).text()).not.toContain(key.id);
  });

  it('creates keys that are restricted to scopes', async () => {
    const session = await signIn(app);
    const created = await session.call('POST', '/v1/keys', { name: 'runner', scopes: ['run', 'run'] });
    const { api_key, scopes } = (await expectDocumented('POST /v1/keys', created)) as Record<string, string>;
    expect(scopes).toEqual(['run']);
    expect((await app.post('/v1/search', { prompt }, { 'x-api-key': api_key! })).status).toBe(403);
  });

  it.each([
    {},
    { name: '' },
    { name: '  ' },
    { name: 5 },
    { name: 'x', scopes: ['all'] },
    { name: 'x'.repeat(81) },
    { name: 'x', plan: 'pro' },
  ])('refuses an invalid key request: %j', async (body) => {
    const response = await (await signIn(app)).call('POST', '/v1/keys', body);
    expect(response.status).toBe(422);
    await expectDocumented('POST /v1/keys', response);
  });

  it('adds up the usage of an account by minute, day and key', async () => {
    const { id } = await app.accounts.createAccount({ name: 'users', plan: 'starter' });
    const session = await signIn(app, id);
    const { plaintext, key } = await app.accounts.createKey({ name: 'k', account: id });
    await session.call('POST', '/v1/search', { prompt });
    await app.post('/v1/search', { prompt }, { 'x-api-key': plaintext });
    const report = async (query = '') =>
      (await expectDocumented('GET /v1/account/usage', await session.call('GET', `/v1/account/usage${query}`))) as {
        days: { calls: number }[];
        minutes: { minute: string; searches: number }[];
        keys: { key_id: string }[];
      };
    const whole = await report();
    expect(whole).toMatchObject({ plan: 'starter', limit: 10, window_s: 60, days: [{ calls: 2, searches: 2 }] });
    expect(whole.minutes.reduce((sum, { searches }) => sum + searches, 0)).toBe(2);
    expect(new Set(whole.keys.map(({ key_id }) => key_id))).toEqual(new Set(['browser', key.id]));
    expect(await report(`?key_id=${key.id}&minutes=5`)).toMatchObject({ days: [{ calls: 1 }], keys: [{ calls: 1 }] });
    expect((await report('?key_id=browser')).days).toMatchObject([{ calls: 1 }]);
    expect((await session.call('GET', '/v1/account/usage?minutes=0')).status).toBe(422);
  });
});
