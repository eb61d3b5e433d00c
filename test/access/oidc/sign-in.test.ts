/** Signing in through a provider of OpenID Connect, with a real one on loopback: what signs in, and everything that must not. */
import { generateKeyPairSync } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startApp } from '../../../src/app/app.ts';
import { readConfig } from '../../../src/base/config.ts';
import { createLog } from '../../../src/base/log.ts';
import { expectDocumented } from '../../support/documented-answers.ts';
import { type OidcProvider, signed, startOidcProvider } from '../../support/oidc/oidc-provider.ts';
import { follow, sessionOf, signInAtProvider, visitProvider } from '../../support/oidc/oidc-sign-in.ts';
import { hasRedis, startRedis } from '../../support/servers/redis.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';

let provider: OidcProvider;
let app: TestApp;
const ada = { sub: 'user-1', email: 'ada@example.org', email_verified: true };
beforeAll(async () => {
  provider = await startOidcProvider();
  app = await startTestApp({ MEDIAWIKI_URL: 'off', LOG_LEVEL: 'warn', ...provider.env });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});
afterEach(() => {
  provider.tamper = {};
  provider.user = ada;
  provider.isDown = false;
});

const problem = (which: string) => `/dashboard/sign-in?problem=${which}`;
const accountCount = async () => (await app.accounts.listAccounts()).length;

describe('signing in through a provider', () => {
  it('says that there is one', async () => {
    const response = await fetch(`${app.url}/v1/sign-in`);
    expect(await expectDocumented('GET /v1/sign-in', response)).toEqual({ provider: { name: 'Heron ID' } });
  });

  it('creates an account at the first sign-in, finds it at the next, and leads back to the page', async () => {
    const before = await accountCount();
    const first = await signInAtProvider(app);
    expect(first).toMatchObject({ status: 303, location: '/designer' });
    expect(first.setCookie).toMatch(/^citewire_\d+=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/);
    const { account } = await sessionOf(app, first.cookie);
    expect(account).toMatchObject({ name: 'ada@example.org', plan: 'starter' });
    provider.user = { ...ada, email: 'ada.byron@example.org' };
    const again = await signInAtProvider(app);
    expect((await sessionOf(app, again.cookie)).account?.id).toBe(account?.id);
    expect(await accountCount()).toBe(before + 1);
  });

  it('gives another subject another account, whatever its e-mail address', async () => {
    const one = await sessionOf(app, (await signInAtProvider(app)).cookie);
    provider.user = { ...ada, sub: 'user-2' };
    const other = await sessionOf(app, (await signInAtProvider(app)).cookie);
    expect(other.status).toBe(200);
    expect(other.account?.id).not.toBe(one.account?.id);
  });

  it('creates one account when the same person signs in several times simultaneously', async () => {
    provider.user = { ...ada, sub: 'user-many' };
    const before = await accountCount();
    const all = await Promise.all(Array.from({ length: 6 }, () => signInAtProvider(app)));
    const accounts = await Promise.all(all.map(async ({ cookie }) => (await sessionOf(app, cookie)).account?.id));
    expect(new Set(accounts).size).toBe(1);
    expect(await accountCount()).toBe(before + 1);
  });

  it('asks for a code with PKCE, state and nonce, and keeps its own values in a cookie that scripts cannot read', async () => {
    const { asked } = await visitProvider(app);
    const query = new URL(asked.location).searchParams;
    expect(query.get('redirect_uri')).toBe(`${app.url}/v1/sign-in/callback`);
    expect(query.get('code_challenge_method')).toBe('S256');
    for (const name of ['state', 'nonce', 'code_challenge']) expect(query.get(name)).toMatch(/^[\w-]{43}$/);
    expect(asked.setCookie).toMatch(/^citewire_sign_in_\d+=[\w-]+; Path=\/; Max-Age=900; HttpOnly; SameSite=Lax$/);
  });

  it('sends its secret the way that the provider takes it', async () => {
    for (const way of ['client_secret_post', 'client_secret_basic']) {
      provider.tamper.metadata = (metadata) => ({ ...metadata, token_endpoint_auth_methods_supported: [way] });
      await using other = await startTestApp({ MEDIAWIKI_URL: 'off', ...provider.env });
      expect(await signInAtProvider(other)).toMatchObject({ location: '/designer' });
      expect(provider.requests.at(-2)).toBe(`POST /token by ${way}`);
    }
  });

  it('ends the session that the browser had before', async () => {
    const { cookie } = await signInAtProvider(app);
    const asked = await follow(app, '/v1/sign-in/provider', cookie);
    const back = await follow(app, asked.location);
    const next = await follow(app, back.location, asked.cookie);
    expect((await sessionOf(app, cookie)).status).toBe(401);
    expect((await sessionOf(app, next.cookie)).status).toBe(200);
  });

  it('ends with the sign-out', async () => {
    const { cookie } = await signInAtProvider(app);
    const { csrf_token = '' } = await sessionOf(app, cookie);
    const headers = {
      cookie: cookie!,
      origin: app.url,
      'sec-fetch-site': 'same-origin',
      'x-csrf-token': csrf_token,
    };
    expect((await fetch(`${app.url}/v1/session`, { method: 'DELETE', headers })).status).toBe(200);
    expect((await sessionOf(app, cookie)).status).toBe(401);
  });

  it('refuses a suspended account', async () => {
    provider.user = { ...ada, sub: 'user-suspended' };
    const { account } = await sessionOf(app, (await signInAtProvider(app)).cookie);
    await app.accounts.setStatus(account!.id, 'suspended', 'unpaid');
    expect(await signInAtProvider(app)).toMatchObject({ location: problem('inactive'), cookie: undefined });
  });

  it('works again once a provider that was down is back, and the server runs on meanwhile', async () => {
    await using other = await startTestApp({ MEDIAWIKI_URL: 'off', LOG_LEVEL: 'silent', ...provider.env });
    provider.isDown = true;
    expect(await follow(other, '/v1/sign-in/provider')).toMatchObject({ location: problem('unavailable') });
    expect((await other.get('/v1/usage')).status).toBe(200);
    provider.isDown = false;
    const { callback, cookie } = await visitProvider(other);
    provider.isDown = true;
    expect(await follow(other, callback, cookie)).toMatchObject({ location: problem('unavailable') });
    provider.isDown = false;
    expect(await signInAtProvider(other)).toMatchObject({ location: '/designer' });
  });

  it('says that the person refused', async () => {
    provider.tamper.redirect = (query) => {
      query.delete('code');
      query.set('error', 'access_denied');
    };
    expect(await signInAtProvider(app)).toMatchObject({ location: problem('cancelled'), cookie: undefined });
  });
});

describe('a sign-in that is not what it says', () => {
  const { privateKey: strange } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const seconds = (offset: number) => Math.floor(Date.now() / 1000) + offset;
  const changed = (change: object) => (value: object) => ({ ...value, ...change });

  it.each<[string, () => OidcProvider['tamper']]>([
    ['the nonce of another sign-in', () => ({ claims: changed({ nonce: 'x'.repeat(43) }) })],
    ['no nonce', () => ({ claims: changed({ nonce: undefined }) })],
    ['another issuer', () => ({ claims: changed({ iss: 'https://evil.example' }) })],
    ['another audience', () => ({ claims: changed({ aud: 'another-client' }) })],
    ['another authorized party', () => ({ claims: changed({ aud: [provider.client_id, 'x'], azp: 'x' }) })],
    ['an end in the past', () => ({ claims: changed({ iat: seconds(-900), exp: seconds(-600) }) })],
    ['no subject', () => ({ claims: changed({ sub: undefined }) })],
    ['no signature', () => ({ header: changed({ alg: 'none', kid: undefined }) })],
    [
      'no signature, which the provider claims to support',
      () => ({
        header: changed({ alg: 'none' }),
        metadata: changed({ id_token_signing_alg_values_supported: ['none', 'RS256'] }),
      }),
    ],
    ['a changed claim under a true signature', () => ({ token: withSubject('somebody-else') })],
    [
      "a stranger's signature",
      () => ({
        token: (token: string) => {
          const [header, claims] = token.split('.').map((part) => Buffer.from(part!, 'base64url').toString());
          return signed(JSON.parse(header!), JSON.parse(claims!), strange);
        },
      }),
    ],
    ['something that is no token', () => ({ token: () => 'a.b.c' })],
  ])('refuses a token with %s', async (_, tamper) => {
    provider.tamper = tamper();
    await using fresh = await startTestApp({ MEDIAWIKI_URL: 'off', LOG_LEVEL: 'silent', ...provider.env });
    const issued = provider.issued();
    expect(await signInAtProvider(fresh)).toMatchObject({ location: problem('invalid'), cookie: undefined });
    expect(provider.issued()).toBe(issued + 1);
    expect(await fresh.accounts.listAccounts()).toHaveLength(1);
  });

  it('refuses a subject that is not text of the protocol', async () => {
    for (const sub of ['a\0b', 'é', 'x'.repeat(256)]) {
      provider.user = { ...ada, sub };
      expect(await signInAtProvider(app)).toMatchObject({ location: problem('not_allowed'), cookie: undefined });
    }
  });

  it('refuses an answer with another state, or none, and does not ask the provider', async () => {
    for (const change of [
      (q: URLSearchParams) => q.set('state', 'x'.repeat(43)),
      (q: URLSearchParams) => q.delete('state'),
    ]) {
      provider.tamper.redirect = change;
      const { callback, cookie } = await visitProvider(app);
      const asked = provider.requests.length;
      expect(await follow(app, callback, cookie)).toMatchObject({ location: problem('expired'), cookie: undefined });
      expect(provider.requests.length).toBe(asked);
    }
  });

  it('refuses the answer of another issuer, which mixes up providers', async () => {
    provider.tamper.redirect = (query) => query.set('iss', 'https://evil.example');
    expect(await signInAtProvider(app)).toMatchObject({ location: problem('invalid'), cookie: undefined });
  });

  it('refuses an answer without the cookie, with that of another browser, and with a broken one', async () => {
    const { callback, cookie } = await visitProvider(app);
    const other = await visitProvider(app);
    const name = cookie!.split('=')[0];
    for (const sent of [undefined, other.cookie, `${name}=e30`, `${name}=%`, `${cookie}; ${other.cookie}`]) {
      expect(await follow(app, callback, sent)).toMatchObject({ location: problem('expired'), cookie: undefined });
    }
    expect(await follow(app, callback, cookie)).toMatchObject({ location: '/designer' });
  });

  it('accepts a code once', async () => {
    const { callback, cookie } = await visitProvider(app);
    expect(await follow(app, callback, cookie)).toMatchObject({ location: '/designer' });
    expect(await follow(app, callback, cookie)).toMatchObject({ location: problem('invalid'), cookie: undefined });
  });

  it('refuses a code that another browser got, which has no verifier for it', async () => {
    const victim = await visitProvider(app);
    const attacker = await visitProvider(app);
    const url = new URL(victim.callback, app.url);
    url.searchParams.set('code', new URL(attacker.callback, app.url).searchParams.get('code')!);
    expect(await follow(app, url.href, victim.cookie)).toMatchObject({ location: problem('invalid') });
  });

  it.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '/\t/evil.example/',
    '/.//evil.example/',
    '/x/..//evil.example',
    '\\\\evil.example',
    'javascript:alert(1)',
    'designer',
    `/${'x'.repeat(2_000)}`,
  ])('leads to the chat instead of to %j', async (returnTo) => {
    expect((await signInAtProvider(app, returnTo)).location).toBe('/');
  });

  it('leads to no address that somebody wrote into the cookie', async () => {
    const { callback, cookie } = await visitProvider(app);
    const [name, value = ''] = cookie!.split('=');
    const pending = { ...JSON.parse(Buffer.from(value, 'base64url').toString()), return_to: '//evil.example' };
    const forged = `${name}=${Buffer.from(JSON.stringify(pending)).toString('base64url')}`;
    expect((await follow(app, callback, forged)).location).toBe('/');
  });

  it('limits how often one address makes the server ask the provider', async () => {
    await using other = await startTestApp({ MEDIAWIKI_URL: 'off', LOG_LEVEL: 'silent', ...provider.env });
    const { asked, cookie } = await visitProvider(other);
    const state = new URL(asked.location).searchParams.get('state');
    const guess = (n: number) => follow(other, `/v1/sign-in/callback?code=guess-${n}&state=${state}`, cookie);
    const all = await Promise.all(Array.from({ length: 61 }, (_, n) => guess(n)));
    expect(all.filter(({ location }) => location === problem('rate_limited'))).toHaveLength(1);
  });

  it('refuses metadata of another issuer', async () => {
    provider.tamper.metadata = (metadata) => ({ ...metadata, issuer: 'https://evil.example' });
    await using other = await startTestApp({ MEDIAWIKI_URL: 'off', LOG_LEVEL: 'silent', ...provider.env });
    expect(await follow(other, '/v1/sign-in/provider')).toMatchObject({ location: problem('unavailable') });
  });
});

describe.skipIf(!hasRedis)('several processes', () => {
  it('finish a sign-in that another began, and know its session and its end', async () => {
    const redis = await startRedis();
    const publicUrl = 'https://search.example.org';
    const env = { MEDIAWIKI_URL: 'off', PUBLIC_URL: publicUrl, REDIS_URL: redis.url, ...provider.env };
    await using one = await startTestApp(env);
    const config = readConfig({ PORT: '0', DATA_DIR: one.dataDir, LOG_LEVEL: 'error', ...env });
    const two = await startApp(config, createLog('silent'));
    try {
      const asked = await follow(one, '/v1/sign-in/provider?return_to=/designer');
      expect(asked.setCookie).toMatch(/^__Host-citewire_sign_in=.*; Secure$/);
      const back = new URL((await follow(one, asked.location)).location);
      expect(back.origin).toBe(publicUrl);
      const done = await follow(two, back.pathname + back.search, asked.cookie);
      expect(done).toMatchObject({ status: 303, location: '/designer' });
      const [seen] = await Promise.all([one, two].map((each) => sessionOf(each, done.cookie, publicUrl)));
      expect(seen).toMatchObject({ status: 200, account: { name: 'ada@example.org' } });
      await one.accounts.setStatus(seen!.account!.id, 'suspended');
      await expect.poll(async () => (await sessionOf(two, done.cookie, publicUrl)).status).not.toBe(200);
    } finally {
      await two.close(0);
      await redis.stop();
    }
  });
});

describe('rules of the operator', () => {
  it('refuses addresses of other domains, and unverified ones', async () => {
    const env = { ...provider.env, OIDC_ALLOWED_DOMAINS: 'example.org, example.com', OIDC_PLAN: 'pro' };
    await using other = await startTestApp({ MEDIAWIKI_URL: 'off', LOG_LEVEL: 'silent', ...env });
    for (const user of [
      { sub: 'u', email: 'ada@evil.example', email_verified: true },
      { sub: 'u', email: 'ada@notexample.org', email_verified: true },
      { sub: 'u', email: 'ada@example.org@evil.example', email_verified: true },
      { sub: 'u', email: 'ada@example.org', email_verified: false },
      { sub: 'u', email: 'ada@example.org' },
      { sub: 'u' },
    ]) {
      provider.user = user;
      expect(await signInAtProvider(other)).toMatchObject({ location: problem('not_allowed'), cookie: undefined });
    }
    provider.user = { sub: 'u', email: 'Ada@Example.ORG', email_verified: true };
    expect((await sessionOf(other, (await signInAtProvider(other)).cookie)).account).toMatchObject({ plan: 'pro' });
  });

  it('creates no account where the plan is none', async () => {
    await using other = await startTestApp({ MEDIAWIKI_URL: 'off', ...provider.env, OIDC_PLAN: 'none' });
    expect(await signInAtProvider(other)).toMatchObject({ location: problem('not_allowed'), cookie: undefined });
    expect(await other.accounts.listAccounts()).toHaveLength(1);
  });

  it('has neither step without a provider', async () => {
    await using other = await startTestApp({ MEDIAWIKI_URL: 'off' });
    for (const path of ['/v1/sign-in/provider', '/v1/sign-in/callback']) {
      await expectDocumented(`GET ${path}`, await fetch(other.url + path));
    }
    expect(await (await fetch(`${other.url}/v1/sign-in`)).json()).toEqual({ provider: null });
  });
});

/** The same token with another subject, not signed again. */
function withSubject(sub: string) {
  return (token: string) => {
    const [header, claims = '', signature] = token.split('.');
    const forged = { ...JSON.parse(Buffer.from(claims, 'base64url').toString()), sub };
    return [header, Buffer.from(JSON.stringify(forged)).toString('base64url'), signature].join('.');
  };
}
