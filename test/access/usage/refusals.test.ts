/** The log of refused calls: over a real server and its store. */
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Refusal, RefusalList } from '../../../protocol/index.ts';
import { unauthorized } from '../../../src/access/identity.ts';
import { issueKey } from '../../../src/access/keys.ts';
import { tooManyFailures } from '../../../src/access/sign-in-throttle.ts';
import { redact } from '../../../src/access/usage/redact.ts';
import { createRefusals, keptRefusals, type RefusalRecords } from '../../../src/access/usage/refusals.ts';
import { AppError } from '../../../src/base/errors.ts';
import { signIn } from '../../support/browser/browser-session.ts';
import { connect } from '../../support/clients/ws-client.ts';
import { startTestApp, type TestApp } from '../../support/start-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ MEDIAWIKI_URL: 'off' });
});
afterAll(async () => app[Symbol.asyncDispose]());

/** The text with the checksum that makes it look like a key: see access/keys.ts. */
function withChecksum(body: string): string {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  let rest = crc32(body);
  let text = '';
  for (let n = 0; n < 6; n++) {
    text = alphabet[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return body + text;
}

it('notes the newest of what is known of a key, and nothing of calls without one', async () => {
  const written: unknown[] = [];
  const records: RefusalRecords = {
    secretHashes: async () => new Map(),
    addRefusals: async (batch, keep) => void written.push(...batch, keep),
    refusals: async () => ({ items: [] }),
    removeRefusalsBefore: async () => false,
  };
  const refusals = createRefusals({ records, now: () => 0 });
  const call = { method: 'POST', path: '/v1/search', request_id: 'r1' };
  const invalid = new AppError('validation_error', 'x'.repeat(1_000));
  refusals.add({ api_key: undefined }, call, invalid);
  refusals.add({ api_key: 'no key' }, call, invalid);
  refusals.add({ key_id: 'k1' }, call, new AppError('not_found', 'Nothing there.'));
  refusals.add({ key_id: 'k1' }, call, new AppError('internal', 'A fault.'));
  refusals.add({ key_id: 'k1' }, call, invalid);
  await refusals.list('a', { cursor: undefined, limit: 1 });
  expect(written).toEqual([
    {
      ...{ at: '1970-01-01T00:00:00.000Z', key_id: 'k1', ...call },
      ...{ status: 422, code: 'validation_error', message: 'x'.repeat(300) },
    },
    keptRefusals,
  ]);
  await refusals.close();
});

it('notes of calls with a wrong secret only that there were some', async () => {
  const written: Refusal[] = [];
  const [{ id, plaintext, secret_hash }, other] = [issueKey(), issueKey()];
  const records: RefusalRecords = {
    secretHashes: async (ids) => new Map(ids.includes(id) ? [[id, secret_hash]] : []),
    addRefusals: async (batch) => void written.push(...batch),
    refusals: async () => ({ items: [] }),
    removeRefusalsBefore: async () => false,
  };
  const refusals = createRefusals({ records });
  const list = () => refusals.list('a', { cursor: undefined, limit: 1 });
  const wrong = withChecksum(`cw_${id}_${'A'.repeat(32)}`);
  const call = { method: 'GET', path: '/v1/visit-evil-example', request_id: 'r1' };
  for (const api_key of [wrong, other.plaintext]) {
    for (let n = 0; n < 30; n++) refusals.add({ api_key }, call, unauthorized());
    refusals.add({ api_key }, call, new AppError('validation_error', 'Visit evil.example.'));
    refusals.add({ api_key }, call, new AppError('rate_limited', tooManyFailures));
  }
  await list();
  expect(written.length).toBeLessThanOrEqual(2 * 5);
  const { message } = unauthorized();
  const noted = written.filter(({ key_id }) => key_id === id);
  expect(noted.length).toBeGreaterThan(0);
  for (const each of noted) expect(each).toMatchObject({ key_id: id, path: '', status: 401, message });
  written.length = 0;
  refusals.add({ api_key: plaintext }, call, new AppError('validation_error', 'A field.'));
  await list();
  expect(written).toMatchObject([{ key_id: id, path: call.path, status: 422, message: 'A field.' }]);
  await refusals.close();
});

it('keeps nothing of what was sent: keys, secrets of webhooks, passwords and texts in the wrong place', async () => {
  const { id } = await app.accounts.createAccount({ name: 'careless', plan: 'pro' });
  const { plaintext } = await app.accounts.createKey({ name: 'careless', account: id });
  const headers = { 'x-api-key': plaintext };
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const bodies = [
    { prompt: 'a', effort: plaintext },
    { prompt: 'a', effort: { of: [secret] } },
    { prompt: 'a', [plaintext]: 1 },
    { prompt: 'a', effort: `my private text ${'and more '.repeat(20)}` },
    { prompt: 'a', webhook: { url: 'https://user:hunter22@a.example/h', secret: 7 } },
    { prompt: 'a', mode: 'https://user:hunter22@a.example' },
  ];
  for (const body of bodies) expect((await app.post('/v1/search', body, headers)).status).toBe(422);
  const session = await signIn(app, id);
  const { items } = (await (await session.call('GET', '/v1/account/refusals')).json()) as RefusalList;
  expect(items).toHaveLength(bodies.length);
  for (const each of [plaintext, plaintext.slice(12, 30), secret, 'AcHBwc', 'private', 'hunter22'])
    expect(JSON.stringify(items)).not.toContain(each);
  for (const { message } of items) expect(message).toMatch(/expected .+; got /);
});

it.each([
  ['expected a URL; got "https://a.example"', 'expected a URL; got "…"'],
  ['expected "a" or "b"; got "a long text…" (99 characters)', 'expected "a" or "b"; got "…" (99 characters)'],
  ['expected a string; got {"a":1', 'expected a string; got "…"'],
  ['expected a string; got ["a', 'expected a string; got "…"'],
  ['Expected at most 5 bytes; got 7.', 'Expected at most 5 bytes; got 7.'],
  ['expected a string; got nothing', 'expected a string; got nothing'],
  ['The name "got" is taken.', 'The name "got" is taken.'],
  ['body.cw_abcdefgh_secretsecret: no', 'body.cw_…: no'],
])('redacts %j', (message, redacted) => {
  expect(redact(message)).toBe(redacted);
});

it('lists what was refused to the keys of the account, newest first, by HTTP and by WebSocket', async () => {
  const { id } = await app.accounts.createAccount({ name: 'refused', plan: 'pro' });
  const { key, plaintext } = await app.accounts.createKey({ name: 'robot', account: id, scopes: ['search'] });
  const headers = { 'x-api-key': plaintext };
  expect((await app.post('/v1/search', { prompt: 7 }, headers)).status).toBe(422);
  expect((await app.get('/v1/design-api', headers)).status).toBe(403);
  const client = await connect(app.url, headers);
  client.send({ type: 'search.start', ref: 'a', request: { prompt: '' } });
  await client.next(({ type }) => type === 'error');
  client.close();
  await app.accounts.revokeKey(key.id);
  await expect.poll(async () => (await app.get('/v1/usage', headers)).status).toBe(401);
  await app.get('/v1/usage?secret=1', { 'x-api-key': `${plaintext.slice(0, -1)}!` });

  const session = await signIn(app, id);
  const read = async (query = '') =>
    (await (await session.call('GET', `/v1/account/refusals${query}`)).json()) as RefusalList;
  const { items } = await read();
  expect(items.map(({ method, path, status }) => `${method} ${path} ${status}`)).toEqual([
    'GET /v1/usage 401',
    'WS /v1/ws/search 422',
    'GET /v1/design-api 403',
    'POST /v1/search 422',
  ]);
  for (const { key_id, request_id, message } of items) {
    expect(key_id).toBe(key.id);
    expect(request_id).not.toBe('');
    expect(message).not.toContain(plaintext);
  }
  const page = await read('?limit=3');
  expect((await read(`?limit=3&cursor=${page.cursor}`)).items).toEqual(items.slice(3));
  expect((await read('?key_id=other')).items).toEqual([]);
  expect((await app.get('/v1/account/refusals')).status).toBe(403);
  const other = await signIn(app);
  const { items: others } = (await (await other.call('GET', '/v1/account/refusals')).json()) as RefusalList;
  expect(others.filter(({ key_id }) => key_id === key.id)).toEqual([]);
});
