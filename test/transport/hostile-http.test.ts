/**
 * Malicious requests. Whatever comes, the process survives, logs no error, and never runs a request that is smuggled inside
 * another: the smuggled one asks for /asyncapi.json, so that an answer to it cannot be overlooked.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { KeyUsage } from '../../protocol/index.ts';
import { connectRaw, type RawClient, statusesIn } from '../support/clients/raw-client.ts';
import { largeImage } from '../support/image.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';
import { describeNative, itNative } from '../support/transport.ts';

let app: TestApp;
let key: string;
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
const hidden = 'GET /asyncapi.json HTTP/1.1\r\nHost: a\r\n\r\n';
const last = 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

/** That the last key has started no search, nor spent anything on one. */
async function expectNoSearch(): Promise<void> {
  const usage = (await (await app.get('/v1/usage', { 'x-api-key': key })).json()) as KeyUsage;
  expect(usage.days.reduce((sum, { searches }) => sum + searches, 0)).toBe(0);
}

function expectNotRun(text: string): void {
  expect(text).not.toContain('asyncapi');
}

/** POST /v1/search with a key of its own, so that no limit is met; `lines` end in CRLF each. */
async function post(lines: string, body: string): Promise<string> {
  key = (await app.accounts.createKey({ name: 'hostile', plan: 'pro' })).plaintext;
  return `POST /v1/search HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\n${lines}\r\n${body}`;
}

async function sendAll(...parts: (string | Uint8Array)[]): Promise<string> {
  const client = await connectRaw(app.url);
  client.send(...parts);
  return client.ended;
}

const length = (bytes: number) => `Content-Length: ${bytes}\r\n`;
const chunked = 'Transfer-Encoding: chunked\r\n';
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

describe('a body with an ambiguous end', () => {
  const hiddenAfterChunks = `0\r\n\r\n${hidden}`;
  it.each<readonly [string, string, string]>([
    ['two lengths, the same', length(5) + length(5), `12345${hidden}`],
    ['two lengths, the first shorter', length(0) + length(hidden.length), hidden],
    ['two lengths, the second shorter', length(hidden.length) + length(0), hidden],
    ['a list of lengths', 'Content-Length: 5, 5\r\n', `12345${hidden}`],
    ['a length and chunks', length(hiddenAfterChunks.length) + chunked, hiddenAfterChunks],
    ['chunks and a length', chunked + length(hiddenAfterChunks.length), hiddenAfterChunks],
    ['chunks twice', chunked + chunked, hiddenAfterChunks],
    ['chunks, then not', `${chunked}Transfer-Encoding: identity\r\n`, hiddenAfterChunks],
    ...['identity', 'gzip', 'gzip, chunked', 'chunked, identity', 'xchunked', 'chunked;a=b', '"chunked"', ',', ''].map(
      (coding) =>
        [`the coding ${JSON.stringify(coding)}`, `Transfer-Encoding: ${coding}\r\n`, hiddenAfterChunks] as const,
    ),
    ['an empty coding and a length', `Transfer-Encoding:\r\n${length(hiddenAfterChunks.length)}`, hiddenAfterChunks],
    ['a vertical tab before the coding', 'Transfer-Encoding: \x0bchunked\r\n', hiddenAfterChunks],
    ...['+5', '-5', '0x5', '5abc', '1e1', '5.0', '', '\u0665', '9'.repeat(20), '18446744073709551621', '5\0'].map(
      (value) => [`the length ${JSON.stringify(value)}`, `Content-Length: ${value}\r\n`, `12345${hidden}`] as const,
    ),
    ...['Content-Length ', 'Content-Length\t', '\0Content-Length', 'Content-Length\x0b', 'Content-\0Length'].map(
      (name) => [`the header ${JSON.stringify(name)}`, `${name}: ${hidden.length}\r\n`, hidden] as const,
    ),
    ...['Transfer-Encoding ', ' Transfer-Encoding', 'Transfer-Encoding\t', 'Transfer\0-Encoding'].map(
      (name) =>
        [
          `the header ${JSON.stringify(name)}`,
          `${length(hiddenAfterChunks.length)}${name}: chunked\r\n`,
          hiddenAfterChunks,
        ] as const,
    ),
    ['a folded coding', `Transfer-Encoding:\r\n chunked\r\n`, hiddenAfterChunks],
    ['a folded length', `X-A: a\r\n Content-Length: 5\r\n`, `12345${hidden}`],
    ['a length after a bare line feed', `X-A: a\nContent-Length: 5\r\n`, `12345${hidden}`],
  ])('runs no request hidden after a body with %s', async (_, lines, body) => {
    const text = await sendAll(await post(lines, body));
    expectNotRun(text);
    expect([[], [400]]).toContainEqual(statusesIn(text));
  });

  itNative(
    'waits for the end of the headers after a bare carriage return, which the native server does not take for one',
    async () => {
      const client = await connectRaw(app.url);
      client.send(await post('X-A: a\rContent-Length: 5\r\n', `12345${hidden}`));
      expect((await fetch(`${app.url}/healthz`)).status).toBe(200);
      expect(client.text()).toBe('');
      client.leave();
    },
  );
});

describe('an upgrade to what this server does not speak', () => {
  const toHttp2 = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n';
  const lines = `${toHttp2}${length(question.length)}`;

  it('ignores an unsupported upgrade: answers the request, and the next one on the connection', async () => {
    const request = await post(lines, question);
    const client = await connectRaw(app.url);
    client.send(request.slice(0, -9));
    await new Promise((resolve) => setTimeout(resolve, 50));
    client.send(request.slice(-9));
    await client.until((text) => text.includes('Heron'));
    client.send(last);
    expect(statusesIn(await client.ended)).toEqual([200, 200]);
  });

  it('ignores an unsupported upgrade of a request for events', async () => {
    const text = await sendAll(await post(`Accept: text/event-stream\r\nConnection: close\r\n${lines}`, question));
    expect(text).toContain('event: search.completed');
  });

  it('runs no request hidden after an unsupported upgrade', async () => {
    expectNotRun(await sendAll(await post(`${toHttp2}${length(0)}${length(hidden.length)}`, hidden)));
  });
});

describeNative('requests after chunks', () => {
  it('answers a chunked request, and closes', async () => {
    const text = await sendAll(
      await post(chunked, `${chunk(question.slice(0, 9))}${chunk(question.slice(9))}0\r\n\r\n`),
    );
    expect(statusesIn(text)).toEqual([200]);
    expect(text.toLowerCase()).toContain('\r\nconnection: close\r\n');
  });

  it.each([
    ['a second request', `${chunk('{}')}0\r\n\r\n${hidden}`],
    ['a request after a trailer that has the form of one', `${chunk('{}')}0\r\nX:${hidden}`],
    ['a request in place of a trailer', `${chunk('{}')}0\r\n${hidden}`],
    ['a request after a chunk that ends wrongly', `2\r\n{}XX0\r\nYY${hidden}`],
    ['a request after bare line feeds', `2\n{}\n0\n\n${hidden}`],
  ])('runs no request hidden in or after chunks: %s', async (_, body) => {
    for (const path of ['/v1/search', '/nothing', '/healthz']) {
      const request = (await post(chunked, body)).replace('/v1/search', path);
      expectNotRun(await sendAll(request));
      const client = await connectRaw(app.url);
      const at = request.length - hidden.length;
      client.send(request.slice(0, at));
      await new Promise((resolve) => setImmediate(resolve));
      client.send(request.slice(at));
      expectNotRun(await client.ended);
    }
  });

  it.each([
    ['a negative size', '-2\r\n{}\r\n0\r\n\r\n'],
    ['a size with a sign', '+2\r\n{}\r\n0\r\n\r\n'],
    ['a size in words', 'zz\r\n{}\r\n0\r\n\r\n'],
    ['a size with 0x', '0x2\r\n{}\r\n0\r\n\r\n'],
    ['a size of 68 bits', 'fffffffffffffffff\r\n{}'],
    ['no size', '\r\n{}\r\n0\r\n\r\n'],
    ['an extension of 1,000 characters', `2;${'a'.repeat(1_000)}\r\n{}\r\n0\r\n\r\n`],
    ['a trailer, which the native server does not know', `${chunk(question)}0\r\nX-A: b\r\n\r\n`],
  ])('runs no search for chunks with %s', async (_, body) => {
    const [status] = statusesIn(await sendAll(await post(chunked, body)));
    expect([400, 422, 505]).toContain(status);
    await expectNoSearch();
  });

  it.each([
    ['a size of 2 GB', '7fffffff\r\n{}'],
    ['an extension, which the native server does not know', `2;a=b\r\n{}\r\n0\r\n\r\n`],
  ])('runs no search and waits for the rest of chunks with %s', async (_, body) => {
    const client = await connectRaw(app.url);
    client.send(await post(chunked, body));
    expect((await fetch(`${app.url}/healthz`)).status).toBe(200);
    await expectNoSearch();
    expect(client.text()).toBe('');
    client.leave();
  });
});

describe('headers', () => {
  const flood = (count: number, name: string, value: string) =>
    Array.from({ length: count }, (_, n) => `${name}${n}: ${value}\r\n`).join('');

  it('accepts 90 headers of 12 KiB together', async () => {
    const many = `GET /healthz HTTP/1.1\r\nHost: a\r\n${flood(90, 'X-', 'a'.repeat(100))}Connection: close\r\n\r\n`;
    expect(statusesIn(await sendAll(many))).toEqual([200]);
  });

  itNative.each([
    ['200 headers', flood(200, 'X-', 'a')],
    ['20,000 headers', flood(20_000, 'X-', 'a')],
    ['one of 17 KiB', `X: ${'a'.repeat(17 * 1024)}\r\n`],
    ['one of 4 MiB', `X: ${'a'.repeat(4 * 1024 * 1024)}\r\n`],
    ['2,000 cookies', flood(2_000, 'Cookie', 'a=b')],
    ['a name of 20 KiB', `${'X'.repeat(20 * 1024)}: a\r\n`],
  ])('answers 431 to %s', async (_, lines) => {
    const text = await sendAll(`GET /healthz HTTP/1.1\r\nHost: a\r\n${lines}\r\n`);
    // More of them than the server reads: its answer may be lost to the reset that follows.
    expect([[431], [400], []]).toContainEqual(statusesIn(text));
    if (lines.length < 100_000) expect(statusesIn(text)).not.toEqual([]);
  });

  itNative.each([
    ['NUL in a value', 'GET /healthz HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n', 400],
    ['NUL in a name', 'GET /healthz HTTP/1.1\r\nHost: a\r\nX\0Y: b\r\n\r\n', 400],
    ['a folded line', 'GET /healthz HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n', 400],
    ['no host', 'GET /healthz HTTP/1.1\r\nX: a\r\n\r\n', 400],
    ['two hosts', 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400],
    ['a bare line feed', 'GET /healthz HTTP/1.1\r\nHost: a\nX: b\r\n\r\n', 400],
    ['NUL in the path', 'GET /heal\0thz HTTP/1.1\r\nHost: a\r\n\r\n', 505],
    ['two spaces', 'GET  /healthz HTTP/1.1\r\nHost: a\r\n\r\n', 505],
    ['a tab', 'GET\t/healthz HTTP/1.1\r\nHost: a\r\n\r\n', 505],
    ['HTTP/0.9', 'GET /healthz\r\n\r\n', 505],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 505],
    ['HTTP/1.0, which the native server does not speak', 'GET /healthz HTTP/1.0\r\nHost: a\r\n\r\n', 505],
    ['an absolute URL, which the native server does not read', 'GET http://a/healthz HTTP/1.1\r\nHost: a\r\n\r\n', 505],
    ['CONNECT', 'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n', 505],
    ['OPTIONS *', 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n', 505],
    ['random bytes', Buffer.from(Array.from({ length: 5_000 }, (_, n) => (n * 7919) % 256)).toString('latin1'), 505],
    ['a TLS greeting', '\x16\x03\x01\x00\xc8\x01\x00\x00\xc4\x03\x03\r\n\r\n', 505],
  ])('answers %s with one status and closes', async (_, request, status) => {
    expect(statusesIn(await sendAll(Buffer.from(request, 'latin1')))).toEqual([status]);
  });

  itNative.each(['get', 'G@T', 'TRACE', 'PROPFIND', '', 'A'.repeat(5_000)])(
    'answers 405 to the method %j',
    async (method) => {
      const text = await sendAll(`${method} /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      expect(statusesIn(text)).toEqual([405]);
    },
  );

  it('never lets bytes of a header value into its own headers', async () => {
    const lines = 'Accept: text/event-stream\r\nOrigin: http://a\xff\xfeb\r\nX-Request-Id: 1\r\nCookie: \xf0\x9f\r\n';
    const text = await sendAll(
      Buffer.from(`GET /nothing HTTP/1.1\r\nHost: a\r\n${lines}Connection: close\r\n\r\n`, 'latin1'),
    );
    expect(statusesIn(text)).toEqual([404]);
    expect(text).not.toContain('access-control');
  });
});

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

  it('answers 413 to 20 MB in chunks, and closes', async () => {
    const client = await connectRaw(app.url);
    client.send(await post(chunked, ''));
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
