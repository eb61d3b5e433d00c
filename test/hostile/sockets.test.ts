/**
 * Slow, idle and impatient clients, and large bodies. None keeps others from being served, none keeps memory or a file
 * descriptor for long.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connectRaw, type RawClient, statusesIn } from '../support/clients/raw-client.ts';
import { largeImage } from '../support/image.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';
import { itNative } from '../support/transport.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await app.post('/v1/search', { prompt: 'warm up' });
});
afterAll(() => app[Symbol.asyncDispose]());
afterEach(async () => {
  expect((await fetch(`${app.url}/healthz`)).status).toBe(200);
  expect(app.faults).toEqual([]);
});

const question = JSON.stringify({ prompt: 'Who designed the Heron Point Lighthouse?' });
const last = 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
const length = (bytes: number) => `Content-Length: ${bytes}\r\n`;
const chunked = 'Transfer-Encoding: chunked\r\n';
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

/** POST /v1/search with a key of its own, so that no limit is met; `lines` end in CRLF each. */
async function post(lines: string, body: string): Promise<string> {
  const { plaintext } = await app.accounts.createKey({ name: 'hostile', plan: 'pro' });
  return `POST /v1/search HTTP/1.1\r\nHost: a\r\nX-API-Key: ${plaintext}\r\nContent-Type: application/json\r\n${lines}\r\n${body}`;
}

async function sendAll(...parts: (string | Uint8Array)[]): Promise<string> {
  const client = await connectRaw(app.url);
  client.send(...parts);
  return client.ended;
}

describe('large bodies', () => {
  const bodyOf = (megabytes: number, field: string) =>
    `{"prompt": "Who designed the Heron Point Lighthouse?", "${field}": "${largeImage(megabytes * 1_000_000)}"}`;

  it.each([
    [10, 'prompt', 413],
    [20, 'image', 413],
    [13, 'image', 200],
  ])('answers %i MB of %s with %i, and then the next request on the connection', async (megabytes, field, status) => {
    const client = await connectRaw(app.url);
    const body = bodyOf(megabytes, field);
    client.send(await post(length(body.length), body));
    await client.until((text) => text.includes('\r\n\r\n'));
    client.send(last);
    expect(statusesIn(await client.ended)).toEqual([status, 200]);
  });

  it('answers 413 to 20 MB in chunks', async () => {
    const client = await connectRaw(app.url);
    client.send(await post(`Connection: close\r\n${chunked}`, ''));
    for (let sent = 0; sent < 20; sent++) client.send(chunk('A'.repeat(1_000_000)));
    client.send('0\r\n\r\n');
    expect(statusesIn(await client.ended)).toEqual([413]);
  });

  it('answers 413 to 10 GB as soon as they are announced, and closes', async () => {
    expect(statusesIn(await sendAll(await post(length(10_000_000_000), 'A')))).toEqual([413]);
  });

  it('reads no more of endless chunks than it must to say 413', async () => {
    const client = await connectRaw(app.url);
    client.send(await post(chunked, ''));
    const piece = chunk('A'.repeat(1_000_000));
    let sent = 0;
    while (!client.socket.destroyed && sent < 1_000) {
      sent += 1;
      await new Promise<void>((resolve) => {
        client.socket.write(piece, () => resolve());
      });
    }
    await client.ended;
    expect(sent).toBeLessThan(200);
  });

  it('answers a refused request after its body has arrived', async () => {
    const client = await connectRaw(app.url);
    const body = 'A'.repeat(10_000_000);
    client.send(`POST /nothing HTTP/1.1\r\nHost: a\r\n${length(body.length)}\r\n${body}${last}`);
    expect(statusesIn(await client.ended)).toEqual([404, 200]);
  });
});

describe('a slow or impatient client', () => {
  it('answers a client that sends one byte at a time', async () => {
    const client = await connectRaw(app.url);
    client.socket.setNoDelay(true);
    const request = await post(`${length(question.length)}Connection: close\r\n`, question);
    for (const byte of request) {
      client.send(byte);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(statusesIn(await client.ended)).toEqual([200]);
  });

  it('answers a request that is split at any byte', async () => {
    const request = await post(`${length(2)}Connection: close\r\n`, '{}');
    for (let at = 1; at < request.length; at += 7) {
      const client = await connectRaw(app.url);
      client.socket.setNoDelay(true);
      client.send(request.slice(0, at));
      await new Promise((resolve) => setTimeout(resolve, 1));
      client.send(request.slice(at));
      expect([[422], [429]]).toContainEqual(statusesIn(await client.ended));
    }
  });

  it.each([
    ['nothing', () => ''],
    ['half a line', () => 'GET /heal'],
    ['half its headers', () => 'POST /v1/search HTTP/1.1\r\nHost: a\r\nContent-'],
    ['no body', () => post(length(question.length), '')],
    ['half a body', () => post(length(question.length), question.slice(0, 20))],
    ['half a chunk', () => post(chunked, '20\r\n{')],
    ['a search', () => post(length(question.length), question)],
    ['a search for events', () => post(`Accept: text/event-stream\r\n${length(question.length)}`, question)],
  ])('survives a client that disconnects, half-closes or stalls after it sent %s', async (_, request) => {
    const silent = await connectRaw(app.url);
    silent.send(await request());
    for (const leave of [
      (client: RawClient) => client.leave(),
      (client: RawClient) => client.socket.resetAndDestroy(),
    ]) {
      const client = await connectRaw(app.url);
      client.send(await request());
      await new Promise((resolve) => setTimeout(resolve, 2));
      leave(client);
      await client.ended;
    }
    const polite = await connectRaw(app.url);
    polite.socket.end(await request());
    await polite.ended;
    silent.leave();
  });

  it('closes a stream of events whose client leaves after any part of it', async () => {
    const request = await post(`Accept: text/event-stream\r\n${length(question.length)}`, question);
    for (const seen of [1, 200, 500, 1_000, 2_000, 4_000]) {
      const client = await connectRaw(app.url);
      client.send(request);
      await client.until((text) => text.length >= seen);
      client.socket.resetAndDestroy();
      await client.ended;
    }
    const metrics = async () => (await app.get('/metrics')).text();
    await expect.poll(metrics).toMatch(/^citewire_streams_open 0$/m);
  });

  it('answers two pipelined requests when the first is answered synchronously', async () => {
    expect(statusesIn(await sendAll(`GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n${last}`))).toEqual([200, 200]);
  });

  itNative(
    'closes the native connection without an answer when a request follows a search that is not answered yet',
    async () => {
      expect(await sendAll(await post(length(question.length), `${question}${last}`))).toBe('');
    },
  );

  it('closes the connection when the client asks for that', async () => {
    const text = await sendAll(await post(`${length(question.length)}Connection: close\r\n`, question));
    expect(statusesIn(text)).toEqual([200]);
  });

  it('forgets 500 clients that left in the middle of a request', async () => {
    await using server = await startTestApp();
    const clients = await Promise.all(Array.from({ length: 500 }, () => connectRaw(server.url)));
    for (const client of clients) client.send('POST /v1/search HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{');
    for (const client of clients) client.socket.resetAndDestroy();
    await Promise.all(clients.map(({ ended }) => ended));
    // Closing waits for requests in progress for as long as it is allowed to.
    const begun = performance.now();
    await server.close(60_000);
    expect(performance.now() - begun).toBeLessThan(20_000);
  });
});
