/** Webhooks from the outbox to a real receiver, with time under the test's control. */
import OpenAI from 'openai';
import { Webhook } from 'standardwebhooks';
import { afterAll, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../../src/store/store.ts';
import { createWebhookPoster } from '../../src/web/fetch/post-webhook.ts';
import { createDeliveries, type Deliveries } from '../../src/webhooks/deliveries.ts';
import { retryPauses } from '../../src/webhooks/retry-schedule.ts';
import { createSecretBox } from '../../src/webhooks/secret-box.ts';
import { newWebhookSecret } from '../../src/webhooks/sign.ts';
import { runRecord } from '../contracts/run-records.ts';
import { webhookEndpoint } from '../contracts/webhook-records.ts';
import { startWebhookReceiver, type WebhookReceiver, webhookHeaders } from '../support/servers/webhook-receiver.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
let folders = 0;
const closers: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

const box = createSecretBox('a passphrase of the tests');

/** A store with an endpoint at a receiver, and what sends to it. `time` is the only clock. */
async function start(options: { readonly allow?: boolean; readonly url?: string } = {}) {
  const store = await openStore({ dataDir: `${folder}/${++folders}` });
  closers.push(() => store.close());
  const fixed = { plan: 'pro', status: 'active', status_reason: null, created_at: '2026-01-01T00:00:00.000Z' } as const;
  for (const id of ['a', 'b']) await store.access.addAccount({ id, name: id, ...fixed });
  const receiver = await startWebhookReceiver();
  closers.push(() => receiver[Symbol.asyncDispose]());
  const secret = newWebhookSecret();
  const url = options.url ?? receiver.url;
  await store.webhooks.addEndpoint(webhookEndpoint('e', 'a', { url, secret: box.seal(secret) }), 10);
  const poster = createWebhookPoster(options.allow === false ? {} : { allowHosts: [receiver.host] });
  closers.push(() => poster.close());
  const clock = { time: Date.now() };
  const faults: unknown[] = [];
  const unreadable: string[] = [];
  const open = (openedWith = box) => {
    const deliveries = createDeliveries({
      records: store.webhooks,
      post: poster.post,
      box: openedWith,
      onFault: (error) => faults.push(error),
      onUnreadable: (reason) => unreadable.push(reason),
      now: () => clock.time,
      random: () => 0,
    });
    closers.push(() => deliveries.close());
    return deliveries;
  };
  return { store, receiver, secret, clock, faults, unreadable, poster, open, deliveries: open() };
}

const endSearch = async (store: Store, clock: { time: number }, search_id: string) =>
  store.runs.save(runRecord(search_id, 'a', { state: 'completed', ended_at: new Date(clock.time).toISOString() }));
const deliveryOf = async (store: Store) =>
  (await store.webhooks.deliveries('a', { cursor: undefined, limit: 1 })).items[0]!;

/** Passes the time to when the next try is due, and has it made. */
async function pass(store: Store, clock: { time: number }, deliveries: Deliveries): Promise<number> {
  const due = Date.parse((await store.webhooks.nextDue())!);
  const waited = due - clock.time;
  clock.time = due;
  await deliveries.run();
  return waited;
}

function verified({ received }: WebhookReceiver, secret: string, index = 0): unknown {
  const one = received[index]!;
  return new Webhook(secret).verify(one.body, webhookHeaders(one));
}

describe('a webhook', () => {
  it('is accepted by the verifiers of Standard Webhooks and OpenAI, and not once its body was changed', async () => {
    const { store, receiver, secret, clock, deliveries } = await start();
    await endSearch(store, clock, 's1');
    await deliveries.run();
    const event = { type: 'search.completed', timestamp: new Date(clock.time).toISOString(), data: { id: 's1' } };
    expect(verified(receiver, secret)).toEqual(event);
    const [one] = receiver.received;
    const headers = webhookHeaders(one!);
    const client = new OpenAI({ apiKey: 'none', webhookSecret: secret });
    expect(await client.webhooks.unwrap(one!.body, headers)).toEqual(event);
    const tampered = one!.body.replace('s1', 's2');
    expect(() => new Webhook(secret).verify(tampered, headers)).toThrow();
    await expect(client.webhooks.unwrap(tampered, headers)).rejects.toThrow();
    expect(() => new Webhook(newWebhookSecret()).verify(one!.body, headers)).toThrow();
    expect(one!.body.length).toBeLessThan(20_000);
    expect(await deliveryOf(store)).toMatchObject({ state: 'delivered', tries: 1, last_status: 204 });
  });

  it('is tried three times with one id by a receiver that answers 500, 500 and 200', async () => {
    const { store, receiver, secret, clock, deliveries } = await start();
    receiver.answer = (response, _, count) => void response.writeHead(count < 2 ? 500 : 200).end();
    await endSearch(store, clock, 's1');
    await deliveries.run();
    expect(await pass(store, clock, deliveries)).toBe(5_000);
    expect(await pass(store, clock, deliveries)).toBe(300_000);
    const { id, state, tries } = await deliveryOf(store);
    expect({ state, tries }).toEqual({ state: 'delivered', tries: 3 });
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([id, id, id]);
    const times = receiver.received.map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(times.map((time) => time - times[0]!)).toEqual([0, 5, 305]);
    const key = Buffer.from(secret.slice(6), 'base64');
    expect(key).toHaveLength(32);
    const { log } = (await store.webhooks.delivery('a', id))!;
    expect(log.map(({ status, error }) => [status, error])).toEqual([
      [500, 'The receiver answered 500.'],
      [500, 'The receiver answered 500.'],
      [200, null],
    ]);
    expect(await store.webhooks.nextDue()).toBeUndefined();
  });

  it('is given up after ten tries, and sent again with the same id when its account asks for it', async () => {
    const { store, receiver, clock, deliveries } = await start();
    receiver.answer = (response) => void response.writeHead(500).end();
    await endSearch(store, clock, 's1');
    await deliveries.run();
    const waits: number[] = [0];
    while ((await store.webhooks.nextDue()) !== undefined) waits.push(await pass(store, clock, deliveries));
    expect(waits).toEqual([...retryPauses]);
    const { id, state, tries } = await deliveryOf(store);
    expect({ state, tries }).toEqual({ state: 'failed', tries: 10 });
    receiver.answer = (response) => void response.writeHead(200).end();
    await store.webhooks.redeliver('a', id, new Date(clock.time).toISOString());
    await deliveries.run();
    expect(await deliveryOf(store)).toMatchObject({ state: 'delivered', tries: 11 });
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([id]));
  });

  it('is ended by 410, which disables the endpoint', async () => {
    const { store, receiver, clock, deliveries } = await start();
    receiver.answer = (response) => void response.writeHead(410).end();
    await endSearch(store, clock, 's1');
    await deliveries.run();
    await endSearch(store, clock, 's2');
    await deliveries.run();
    expect(receiver.received).toHaveLength(1);
    expect(await deliveryOf(store)).toMatchObject({ search_id: 's1', state: 'failed', next_at: null });
    expect(await store.webhooks.endpoint('a', 'e')).toMatchObject({
      disabled_reason: 'The receiver answered 410 Gone.',
    });
  });

  it('follows no redirect: each is a failed try', async () => {
    const { store, receiver, clock, deliveries } = await start();
    receiver.answer = (response) => void response.writeHead(307, { location: '/elsewhere' }).end();
    await endSearch(store, clock, 's1');
    await deliveries.run();
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook']);
    expect(await deliveryOf(store)).toMatchObject({
      state: 'pending',
      last_status: 307,
      last_error: 'The receiver answered 307: redirects are not followed.',
    });
  });

  it('reaches no private address, neither by its number nor by its name, on no try', async () => {
    const { store, receiver, clock, deliveries, poster } = await start({ allow: false, url: 'http://localhost/hook' });
    expect(() => poster.check(receiver.url)).toThrow(/port/);
    for (const host of ['127.0.0.1', '[::1]', '10.1.2.3', 'localhost', 'LocalHost.', 'hook.localhost'])
      expect(() => poster.check(`https://${host}/x`), host).toThrow(/not a public/);
    expect(() => poster.check('https://localhost.example.com/x')).not.toThrow();
    await endSearch(store, clock, 's1');
    await deliveries.run();
    await pass(store, clock, deliveries);
    expect(receiver.received).toEqual([]);
    expect(await deliveryOf(store)).toMatchObject({ state: 'pending', tries: 2, last_status: null });
    expect((await deliveryOf(store)).last_error).toMatch(/not a public/);
  });

  it.each([429, 502, 504])('waits longer after %d, as Retry-After says', async (status) => {
    const { store, receiver, clock, deliveries } = await start();
    const after = status === 429 ? { 'retry-after': '120' } : {};
    receiver.answer = (response) => void response.writeHead(status, after).end();
    await endSearch(store, clock, 's1');
    await deliveries.run();
    expect(await pass(store, clock, deliveries)).toBe(status === 429 ? 120_000 : 30_000);
  });

  it('waits with what is queued while a receiver wants time', async () => {
    const { store, receiver, clock, deliveries } = await start();
    receiver.answer = (response) => void response.writeHead(429, { 'retry-after': '3600' }).end();
    for (let n = 0; n < 5; n++) {
      await endSearch(store, clock, `s${n}`);
      await deliveries.run();
      clock.time += 60_000;
    }
    expect(receiver.received).toHaveLength(1);
    receiver.answer = (response) => void response.writeHead(204).end();
    clock.time += 3_600_000;
    await deliveries.run();
    expect(receiver.received).toHaveLength(6);
  });

  it.each([500, 429])('is sent soon after a clock that was a year ahead is corrected, after a %d', async (status) => {
    const { store, receiver, clock, deliveries, open } = await start();
    const right = clock.time;
    receiver.answer = (response) => void response.writeHead(status, { 'retry-after': '60' }).end();
    clock.time += 365 * 86_400_000;
    await endSearch(store, clock, 's1');
    await deliveries.run();
    expect(receiver.received).toHaveLength(1);
    receiver.answer = (response) => void response.writeHead(204).end();
    clock.time = right;
    await endSearch(store, clock, 's2');
    await deliveries.run();
    await open().run();
    expect(receiver.received).toHaveLength(3);
  });

  it('sends at once what somebody asks for while a receiver wants time: a test, and a delivery again', async () => {
    const { store, receiver, clock, deliveries } = await start();
    receiver.answer = (response) => void response.writeHead(429, { 'retry-after': '3600' }).end();
    await endSearch(store, clock, 's1');
    await deliveries.run();
    clock.time += 60_000;
    receiver.answer = (response) => void response.writeHead(204).end();
    const { id } = await deliveryOf(store);
    expect(await store.webhooks.redeliver('a', id, new Date(clock.time).toISOString())).toBe(true);
    await endSearch(store, clock, 's2');
    await deliveries.run();
    expect(receiver.received).toHaveLength(2);
  });

  it('is signed with both secrets while one is rotated', async () => {
    const { store, receiver, secret, clock, deliveries } = await start();
    const next = newWebhookSecret();
    const old_until = new Date(clock.time + 60_000).toISOString();
    await store.webhooks.changeEndpoint('a', 'e', { secret: box.seal(next), old_secret: box.seal(secret), old_until });
    await endSearch(store, clock, 's1');
    await deliveries.run();
    expect(verified(receiver, secret)).toEqual(verified(receiver, next));
    clock.time += 60_001;
    await endSearch(store, clock, 's2');
    await deliveries.run();
    expect(verified(receiver, next, 1)).toMatchObject({ data: { id: 's2' } });
    expect(() => verified(receiver, secret, 1)).toThrow();
  });

  it('is signed with the new secret alone where SECRETS_KEY of the old one was lost, and says so', async () => {
    const { store, receiver, clock, deliveries, unreadable } = await start();
    const [lost, next] = [newWebhookSecret(), newWebhookSecret()];
    const old_until = new Date(clock.time + 60_000).toISOString();
    const old_secret = createSecretBox('a key that was lost').seal(lost);
    await store.webhooks.changeEndpoint('a', 'e', { secret: box.seal(next), old_secret, old_until });
    await endSearch(store, clock, 's1');
    await deliveries.run();
    expect(verified(receiver, next)).toMatchObject({ data: { id: 's1' } });
    expect(() => verified(receiver, lost)).toThrow();
    expect(await deliveryOf(store)).toMatchObject({ state: 'delivered', last_error: null });
    expect(unreadable).toEqual([expect.stringContaining('SECRETS_KEY')]);
  });

  it('is not held up by a receiver that hangs, whatever waits for that one', async () => {
    const { store, receiver, clock, deliveries } = await start();
    const hanging = await startWebhookReceiver();
    closers.push(() => hanging[Symbol.asyncDispose]());
    hanging.answer = () => {};
    const poster = createWebhookPoster({ allowHosts: ['127.0.0.1'] });
    closers.push(() => poster.close());
    const webhook = { endpoint_id: null, url: hanging.url, secret: box.seal(newWebhookSecret()) };
    const ended_at = new Date(clock.time - 1).toISOString();
    await Promise.all(
      Array.from({ length: 300 }, (_, n) => store.runs.save(runRecord(`h${n}`, 'b', { ended_at, webhook }))),
    );
    await deliveries.close();
    const records = store.webhooks;
    const both = createDeliveries({ records, post: poster.post, box, onFault: () => {}, now: () => clock.time });
    closers.push(() => both.close());
    void both.run();
    await expect.poll(() => hanging.received.length).toBe(4);
    for (const n of [1, 2, 3]) await endSearch(store, clock, `s${n}`);
    void both.run();
    await expect.poll(() => receiver.received.length).toBe(3);
    expect(hanging.received).toHaveLength(4);
    await expect.poll(() => both.inFlight()).toBe(4);
  });

  it('is not held up by accounts whose receivers hang, however many of theirs are due before it', async () => {
    const { store, receiver, clock, deliveries } = await start();
    await deliveries.close();
    const hanging = await Promise.all(Array.from({ length: 4 }, () => startWebhookReceiver()));
    const accounts = ['w', 'x', 'y', 'z'];
    const account = {
      plan: 'pro',
      status: 'active',
      status_reason: null,
      created_at: '2026-01-01T00:00:00.000Z',
    } as const;
    for (const id of accounts) await store.access.addAccount({ id, name: id, ...account });
    const ended_at = new Date(clock.time - 1).toISOString();
    for (const [n, one] of hanging.entries()) {
      closers.push(() => one[Symbol.asyncDispose]());
      one.answer = () => {};
      const webhook = { endpoint_id: null, url: one.url, secret: box.seal(newWebhookSecret()) };
      for (const id of accounts)
        for (const m of [1, 2, 3, 4, 5, 6])
          await store.runs.save(runRecord(`${id}${n}${m}`, id, { ended_at, webhook }));
    }
    const poster = createWebhookPoster({ allowHosts: ['127.0.0.1'] });
    closers.push(() => poster.close());
    const all = createDeliveries({
      records: store.webhooks,
      post: poster.post,
      box,
      onFault: () => {},
      now: () => clock.time,
    });
    closers.push(() => all.close());
    void all.run();
    // Each of them has all that one account may have.
    await expect.poll(() => hanging.map(({ received }) => received.length)).toEqual([16, 16, 16, 16]);
    for (const n of [1, 2, 3]) await endSearch(store, clock, `s${n}`);
    void all.run();
    await expect.poll(() => receiver.received.length).toBe(3);
    await expect.poll(() => all.inFlight()).toBe(64);
  });

  it('is sent again by another process when one dies within a try', async () => {
    const { store, receiver, clock, deliveries, open } = await start();
    let hang = true;
    receiver.answer = (response) => void (hang || response.writeHead(204).end());
    await endSearch(store, clock, 's1');
    void deliveries.run();
    await expect.poll(() => receiver.received.length).toBe(1);
    hang = false;
    const other = open();
    await other.run();
    expect(receiver.received).toHaveLength(1);
    await pass(store, clock, other);
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(
      Array(2).fill((await deliveryOf(store)).id),
    );
    expect(await deliveryOf(store)).toMatchObject({ state: 'delivered', tries: 1 });
  });

  it('keeps its secret encrypted, and says so where it cannot be read', async () => {
    const secret = newWebhookSecret();
    const sealed = box.seal(secret);
    expect(sealed).not.toContain(secret.slice(6));
    expect(sealed).not.toBe(box.seal(secret));
    expect(box.open(sealed)).toBe(secret);
    expect(box.open(createSecretBox(undefined).seal(secret))).toBe(secret);
    expect(() => createSecretBox('another').open(sealed)).toThrow('another one');
    expect(() => createSecretBox(undefined).open(sealed)).toThrow('got none');
    expect(() => box.open(`${sealed.slice(0, -6)}AAAAAA`)).toThrow();
    const { store, receiver, clock, deliveries, faults, unreadable } = await start();
    await store.webhooks.changeEndpoint('a', 'e', { secret: createSecretBox('another').seal(secret) });
    await endSearch(store, clock, 's1');
    await deliveries.run();
    expect(receiver.received).toEqual([]);
    expect(unreadable).toHaveLength(1);
    expect(faults).toEqual([]);
    expect((await deliveryOf(store)).last_error).toBe('The server could not read the signing secret.');
  });

  it('is left, without a try, to a server that has the key of its secret', async () => {
    const { store, receiver, secret, clock, deliveries, unreadable, open } = await start();
    const other = createSecretBox('the key of the other servers');
    await store.webhooks.changeEndpoint('a', 'e', { secret: other.seal(secret) });
    expect(await store.webhooks.newestSecret()).toMatch(/^sealed_/);
    await endSearch(store, clock, 's1');
    for (let look = 0; look < 3; look += 1) await deliveries.run();
    expect(unreadable).toHaveLength(1);
    clock.time += 61_000;
    await deliveries.run();
    expect(unreadable).toHaveLength(2);
    expect(await deliveryOf(store)).toMatchObject({ state: 'pending', tries: 0, round: 0 });
    await open(other).run();
    expect(verified(receiver, secret)).toMatchObject({ data: { id: 's1' } });
    expect(await deliveryOf(store)).toMatchObject({ state: 'delivered', tries: 1, last_error: null });
  });

  it('counts as tried where no server had the key of its secret for an hour', async () => {
    const { store, clock, deliveries } = await start();
    await store.webhooks.changeEndpoint('a', 'e', { secret: createSecretBox('lost').seal(newWebhookSecret()) });
    await endSearch(store, clock, 's1');
    await deliveries.run();
    clock.time += 3_600_001;
    await deliveries.run();
    const error = 'The server could not read the signing secret.';
    expect(await deliveryOf(store)).toMatchObject({ state: 'pending', tries: 1, last_error: error });
  });
});
