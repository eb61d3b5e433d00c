/**
 * What was issued is shown once: afterwards no log line, metric, error body or file of the server holds a key, a ticket, a
 * sign-in link or what a browser's session is known by.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Ticket } from '../../protocol/index.ts';
import { newLink, sendLink, signIn } from '../support/browser/browser-session.ts';
import { connect } from '../support/clients/ws-client.ts';
import { startTestApp } from '../support/start-app.ts';

const origin = 'https://page.example';

it('keeps every key, ticket, link and session out of logs, metrics, error bodies and files', async () => {
  await using app = await startTestApp({ ALLOWED_ORIGINS: origin, LOG_LEVEL: 'trace' });
  const secrets = [app.key];
  const bodies: string[] = [];
  const call = async (path: string, init: RequestInit = {}) => {
    bodies.push(await (await fetch(app.url + path, init)).text());
  };

  const good = await app.accounts.createKey({ plan: 'starter', name: 'good' });
  const revoked = await app.accounts.createKey({ plan: 'starter', name: 'revoked' });
  const suspended = await app.accounts.createKey({ plan: 'starter', name: 'suspended' });
  secrets.push(good.plaintext, revoked.plaintext, suspended.plaintext);
  await app.accounts.revokeKey(revoked.plaintext);
  await app.accounts.setStatus(suspended.account.id, 'suspended', 'unpaid');

  const search = JSON.stringify({ prompt: 'Who designed the Heron Point Lighthouse?' });
  for (const key of secrets.slice(1)) {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    for (const body of [search, '{}', '{', JSON.stringify({ prompt: 1 })]) {
      await call('/v1/search', { method: 'POST', headers, body });
    }
    await call('/v1/usage', { headers });
    await call('/v1/ws/search', { headers });
    await call('/v1/search', { method: 'POST', headers: { ...headers, 'x-api-key': `${key}0` }, body: search });
    await call(`/v1/search?api_key=${key}`, { method: 'POST', headers: { authorization: `Bearer ${key}` } });
  }
  for (let i = 0; i < 12; i++) {
    await call('/v1/search', { method: 'POST', headers: { 'x-api-key': good.plaintext }, body: search });
  }

  for (let i = 0; i < 3; i++) {
    const { ticket } = (await (await app.post('/v1/ws/tickets', { origin })).json()) as Ticket;
    secrets.push(ticket);
    for (const from of [origin, origin, 'https://evil.example']) {
      const client = await connect(app.url, { origin: from }, ['citewire.v1', `ticket.${ticket}`]);
      const first = await client.next(() => true);
      client.close();
      await client.closed;
      bodies.push(JSON.stringify([first, client.received]));
    }
  }

  for (let i = 0; i < 3; i++) {
    const link = await newLink(app);
    const { cookie, csrf, call: callSignedIn } = await signIn(app);
    secrets.push(link, cookie.split('=')[1]!, csrf);
    for (const again of [link, link, `${link}0`]) bodies.push(await (await sendLink(app, again, { cookie })).text());
    for (const headers of [{}, { 'x-csrf-token': 'x' }, { origin: 'https://evil.example' }]) {
      bodies.push(await (await callSignedIn('POST', '/v1/keys', { name: 1 }, headers)).text());
    }
    await call(`/v1/session?link=${link}`, { headers: { cookie } });
  }

  const metrics = await (await fetch(`${app.url}/metrics`)).text();
  const whileOpen = filesIn(app.dataDir);
  await app.close(0);
  const places = {
    logs: app.faults.join('\n'),
    metrics,
    bodies: bodies.join('\n'),
    whileOpen,
    files: filesIn(app.dataDir),
  };
  expect(bodies.length).toBeGreaterThan(30);
  expect(places.files).toContain(good.key.id);
  expect(places.metrics).toContain('citewire_requests_total');
  for (const [place, text] of Object.entries(places)) {
    // Of a key, its secret part too; what a log may name is the public part alone.
    const found = secrets.filter((secret) => text.includes(secret) || text.includes(secret.slice(12, 42)));
    expect({ place, found }).toEqual({ place, found: [] });
  }
});

function filesIn(dataDir: string): string {
  return readdirSync(dataDir)
    .map((name) => readFileSync(join(dataDir, name), 'latin1'))
    .join('\n');
}
