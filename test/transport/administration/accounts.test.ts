/** Managing accounts over real sockets: what administrators may do, and that nobody else may. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { developmentAccount } from '../../../src/access/accounts.ts';
import { sendLink, signIn, signInBy, signInWithKey } from '../../support/browser/browser-session.ts';
import { connect } from '../../support/clients/ws-client.ts';
import { createDesign, publish } from '../../support/design.ts';
import { expectDocumented } from '../../support/documented-answers.ts';
import { runCli } from '../../support/processes/run-cli.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ MEDIAWIKI_URL: 'off', QUOTAS: '{"pro":{"searches_per_day":50}}', LOG_LEVEL: 'info' });
});
afterAll(() => app[Symbol.asyncDispose]());

type Call = (method: string, path: string, body?: unknown) => Promise<Response>;
const secretOf = (url: string) => new URL(url).hash.slice(1);
const withKey =
  (key: string): Call =>
  (method, path, body) =>
    fetch(app.url + path, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
async function adminKey(): Promise<string> {
  const made = await runCli(['keys', 'create', '--account', developmentAccount, '--admin'], { DATA_DIR: app.dataDir });
  return made.stdout.trim();
}
async function create(call: Call, name: string): Promise<string> {
  const response = await call('POST', '/v1/accounts', { name, plan: 'pro' });
  const body = (await expectDocumented('POST /v1/accounts', response)) as { account_id: string };
  expect(response.status).toBe(201);
  return body.account_id;
}

const everything: readonly (readonly [string, string, object?])[] = [
  ['GET', '/v1/accounts'],
  ['POST', '/v1/accounts', { name: 'mine', plan: 'pro' }],
  ['PATCH', `/v1/accounts/${developmentAccount}`, { plan: 'pro' }],
  ['GET', '/v1/accounts/suspects'],
  ['GET', '/v1/accounts/invitations'],
  ['POST', '/v1/accounts/invitations', { name: 'mine', plan: 'pro' }],
  ['DELETE', '/v1/accounts/invitations/nothing'],
];
async function expectRefused(call: Call): Promise<void> {
  const before = (await app.accounts.listAccounts()).length;
  const statuses = [];
  for (const request of everything) statuses.push((await call(...request)).status);
  expect(statuses).toEqual(everything.map(() => 403));
  expect((await app.accounts.listAccounts()).length).toBe(before);
}

describe('an administrator', () => {
  it('is a browser that signed in by link to an account of ADMIN_ACCOUNTS, and a key made for it on the machine', async () => {
    const byLink = await signIn(app);
    expect(await (await byLink.call('GET', '/v1/session')).json()).toMatchObject({ administers: true });
    const key = await adminKey();
    const byKey = await signInWithKey(app, key);
    expect(await (await byKey.call('GET', '/v1/session')).json()).toMatchObject({ administers: true });
    for (const call of [byLink.call, withKey(key), byKey.call]) {
      expect((await call('GET', '/v1/accounts')).status).toBe(200);
    }
    expect((await withKey(key)('POST', '/v1/search', { prompt: 'Who?' })).status).toBe(403);
  });

  it('is no other key of that account, nor a browser that signed in with one', async () => {
    await expectRefused(withKey(app.key));
    const session = await signInWithKey(app, app.key);
    expect(await (await session.call('GET', '/v1/session')).json()).not.toHaveProperty('administers');
    await expectRefused(session.call);
  });

  it('is nobody of another account, whatever their key or session', async () => {
    const { id } = await app.accounts.createAccount({ name: 'another', plan: 'pro' });
    const { plaintext } = await app.accounts.createKey({ name: 'another', account: id });
    await expectRefused((await signIn(app, id)).call);
    await expectRefused(withKey(plaintext));
  });

  it('is not the owner of a published API, nor who runs it', async () => {
    const { plaintext } = await app.accounts.createKey({ name: 'publisher', plan: 'pro' });
    const { api_id, api_stub } = await createDesign(app, {}, { 'x-api-key': plaintext });
    await publish(app, api_id, { 'x-api-key': plaintext });
    await expectRefused(withKey(plaintext));
    const admin = await signIn(app);
    const inputs = { building: 'Heron Point Lighthouse' };
    expect((await admin.call('POST', `/v1/published-service/${api_stub}`, inputs)).status).toBe(200);
    await expectRefused(withKey(plaintext));
  });

  it('is nobody without credentials, and no page of another site', async () => {
    for (const request of everything) {
      const response = await fetch(app.url + request[1], { method: request[0] });
      expect(response.status).toBe(401);
    }
    const admin = await signIn(app);
    const evil = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await admin.call('GET', '/v1/accounts', undefined, evil)).status).toBe(403);
    const noToken = { 'x-csrf-token': '' };
    expect((await admin.call('POST', '/v1/accounts', { name: 'x', plan: 'pro' }, noToken)).status).toBe(403);
  });

  it('gives the scope to no key over HTTP, and offers no tool for accounts over MCP', async () => {
    const admin = await signIn(app);
    const asked = await admin.call('POST', '/v1/keys', { name: 'rising', scopes: ['admin'] });
    expect(asked.status).toBe(422);
    const renamed = await admin.call('PATCH', `/v1/keys/${app.developmentKey!.key.id}`, {
      name: 'x',
      scopes: ['admin'],
    });
    expect(renamed.status).toBe(422);
    const tools = await fetch(`${app.url}/mcp`, {
      method: 'POST',
      headers: {
        'x-api-key': await adminKey(),
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    expect(await tools.text()).not.toMatch(/account|invit/i);
  });
});

describe('managing accounts', () => {
  it('refuses bodies with too much in them', async () => {
    const headers = { 'x-api-key': await adminKey(), 'content-type': 'application/json' };
    const keys = `{${Array.from({ length: 90_000 }, (_, n) => `"k${n}":1`).join()}}`;
    for (const body of [keys, '['.repeat(500_000), JSON.stringify({ name: 'x'.repeat(1_100_000), plan: 'pro' })]) {
      const response = await fetch(`${app.url}/v1/accounts`, { method: 'POST', headers, body });
      expect([413, 422]).toContain(response.status);
      expect((await response.text()).length).toBeLessThan(2_000);
    }
  });

  it('creates, lists and finds accounts, with their keys, identities and quotas', async () => {
    const { call } = await signIn(app);
    const id = await create(call, 'Lovelace Institute');
    await app.accounts.createKey({ name: 'k', account: id });
    const found = await call('GET', '/v1/accounts?q=institute%20love&limit=5');
    const { items } = (await expectDocumented('GET /v1/accounts', found)) as { items: object[] };
    expect(items).toEqual([
      expect.objectContaining({
        account_id: id,
        name: 'Lovelace Institute',
        plan: 'pro',
        status: 'active',
        keys: 1,
        identities: [],
        quotas: [expect.objectContaining({ name: 'searches_per_day', limit: 50, used: 0 })],
      }),
    ]);
    const page = (await (await call('GET', '/v1/accounts?limit=1')).json()) as { items: object[]; cursor?: string };
    expect(page.items).toHaveLength(1);
    const next = await call('GET', `/v1/accounts?limit=1&cursor=${page.cursor}`);
    expect(((await next.json()) as typeof page).items).not.toEqual(page.items);
    await expectDocumented('GET /v1/accounts/suspects', await call('GET', '/v1/accounts/suspects'));
  });

  it('suspends an account with a reason, which ends its sessions and open connections, and activates it again', async () => {
    const { call } = await signIn(app);
    const id = await create(call, 'noisy');
    const { plaintext } = await app.accounts.createKey({ name: 'k', account: id });
    const session = await signIn(app, id);
    const socket = await connect(app.url, { 'x-api-key': plaintext });
    const sources = await fetch(`${app.url}/v1/sources/events`, { headers: { 'x-api-key': plaintext } });
    const changed = await call('PATCH', `/v1/accounts/${id}`, { status: 'suspended', reason: 'unpaid' });
    expect(await expectDocumented('PATCH /v1/accounts/{account_id}', changed)).toMatchObject({
      status: 'suspended',
      status_reason: 'unpaid',
    });
    expect((await socket.closed).code).toBe(4403);
    expect((await session.call('GET', '/v1/session')).status).toBe(401);
    const refused = await withKey(plaintext)('GET', '/v1/usage');
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('unpaid')]);
    // The stream ends by itself.
    await sources.text().catch(() => {});
    await call('PATCH', `/v1/accounts/${id}`, { status: 'active', plan: 'starter' });
    expect(await (await withKey(plaintext)('GET', '/v1/usage')).json()).toMatchObject({ plan: 'starter' });
  });

  it.each<[string, object]>([
    ['neither a plan nor a status', {}],
    ['a reason without a status that has one', { status: 'active', reason: 'x' }],
    ['an unknown field', { plan: 'pro', scopes: ['admin'] }],
    ['an unknown plan', { plan: 'enterprise' }],
  ])('refuses %s', async (_, body) => {
    const { call } = await signIn(app);
    const response = await call('PATCH', `/v1/accounts/${await create(call, 'unchanged')}`, body);
    expect(response.status).toBe(422);
    await expectDocumented('PATCH /v1/accounts/{account_id}', response);
  });

  it('lets nobody lock themselves out, and reports an unknown account', async () => {
    const { call } = await signIn(app);
    expect((await call('PATCH', `/v1/accounts/${developmentAccount}`, { status: 'banned' })).status).toBe(422);
    expect((await call('GET', '/v1/session')).status).toBe(200);
    expect((await call('PATCH', '/v1/accounts/acc_nobody', { plan: 'pro' })).status).toBe(404);
  });

  it('invites by a link that creates one account, for the first who opens it', async () => {
    const { call } = await signIn(app);
    const made = await call('POST', '/v1/accounts/invitations', { name: 'Grace', plan: 'starter' });
    const { url, invitation_id } = (await expectDocumented('POST /v1/accounts/invitations', made)) as {
      url: string;
      invitation_id: string;
    };
    expect(url.startsWith(`${app.url}/dashboard/sign-in#`)).toBe(true);
    const [first, second] = await Promise.all([sendLink(app, secretOf(url)), sendLink(app, secretOf(url))]);
    expect([first.status, second.status].sort()).toEqual([200, 401]);
    const listed = await call('GET', '/v1/accounts/invitations');
    const text = JSON.stringify(await expectDocumented('GET /v1/accounts/invitations', listed));
    expect(text).toContain(invitation_id);
    expect(text).not.toContain(secretOf(url));
    const graces = (await app.accounts.listAccounts()).filter(({ name }) => name === 'Grace');
    expect(graces).toEqual([expect.objectContaining({ plan: 'starter', status: 'active' })]);
    expect((await call('DELETE', `/v1/accounts/invitations/${invitation_id}`)).status).toBe(404);
  });

  it('gives somebody who was invited an account of their own, and no more', async () => {
    const { call } = await signIn(app);
    const made = await call('POST', '/v1/accounts/invitations', { name: 'Joan', plan: 'pro' });
    const { url } = (await made.json()) as { url: string };
    const session = await signInBy(app, secretOf(url));
    expect(await (await session.call('GET', '/v1/session')).json()).toMatchObject({
      account: { name: 'Joan', plan: 'pro' },
    });
    expect((await session.call('POST', '/v1/keys', { name: 'first' })).status).toBe(201);
    await expectRefused(session.call);
  });

  it('refuses a revoked invitation', async () => {
    const { call } = await signIn(app);
    const made = await call('POST', '/v1/accounts/invitations', { name: 'Nobody', plan: 'pro', days: 1 });
    const { url, invitation_id } = (await made.json()) as { url: string; invitation_id: string };
    const revoked = await call('DELETE', `/v1/accounts/invitations/${invitation_id}`);
    await expectDocumented('DELETE /v1/accounts/invitations/{invitation_id}', revoked);
    expect((await sendLink(app, secretOf(url))).status).toBe(401);
    expect((await app.accounts.listAccounts()).map(({ name }) => name)).not.toContain('Nobody');
  });

  it('notes each change in the log, with who made it and without secrets', async () => {
    const { call } = await signIn(app);
    const id = await create(call, 'audited');
    await call('PATCH', `/v1/accounts/${id}`, { status: 'banned', reason: 'abuse' });
    const made = await call('POST', '/v1/accounts/invitations', { name: 'x', plan: 'pro' });
    const { url } = (await made.json()) as { url: string };
    const changes = app.faults.filter((line) => line.includes('an administrator changed accounts'));
    const [ban] = changes
      .map((line) => JSON.parse(line))
      .filter(({ account, action }) => account === id && action === 'change');
    expect(ban).toMatchObject({ by: developmentAccount, status: 'banned', reason: 'abuse' });
    expect(changes.some((line) => line.includes('"invite"'))).toBe(true);
    expect(changes.join()).not.toContain(secretOf(url));
  });
});
