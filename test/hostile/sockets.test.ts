/**
 * Slow, idle and impatient clients, and large bodies. None keeps others from being served, none keeps memory or a file
 * descriptor for long. `TEST_LONG=1` opens 9,200 slow connections and stalls 60 bodies of 13 MB.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chunk, chunked, last, length, question, useRawApp } from '../support/clients/raw-app.ts';
import { connectRaw, type RawClient, statusesIn } from '../support/clients/raw-client.ts';
import { largeImage } from '../support/image.ts';
import { describeProbes, startProber } from '../support/prober.ts';
import { type AppProcess, startAppProcess } from '../support/processes/app-process.ts';
import { startTestApp } from '../support/start-app.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { isNative, itNative } from '../support/transport.ts';

const isLong = process.env.TEST_LONG === '1';

const raw = useRawApp();
const { post, sendAll } = raw;

const get = (path: string, lines = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${lines}\r\n`;

describe('large bodies', () => {
  const bodyOf = (megabytes: number, field: string) =>
    `{"prompt": "Who designed the Heron Point Lighthouse?", "${field}": "${largeImage(megabytes * 1_000_000)}"}`;

  it.each([
    [10, 'prompt', 413],
    [20, 'image', 413],
    [13, 'image', 200],
    [48, 'image', 413],
  ])('answers %i MB of %s with %i, and then the next request on the connection', async (megabytes, field, status) => {
    const client = await connectRaw(raw.app.url);
    const body = bodyOf(megabytes, field);
    client.send(await post(length(body.length), body));
    await client.until((text) => text.includes('\r\n\r\n'));
    client.send(last);
    expect(statusesIn(await client.ended)).toEqual([status, 200]);
  });

  it('answers 413 to 20 MB in chunks', async () => {
    const client = await connectRaw(raw.app.url);
    client.send(await post(`Connection: close\r\n${chunked}`, ''));
    for (let sent = 0; sent < 20; sent++) client.send(chunk('A'.repeat(1_000_000)));
    client.send('0\r\n\r\n');
    expect(statusesIn(await client.ended)).toEqual([413]);
  });

  it('answers 413 to 10 GB as soon as they are announced, and closes', async () => {
    expect(statusesIn(await sendAll(await post(length(10_000_000_000), 'A')))).toEqual([413]);
  });

  it('reads no more of endless chunks than it must to say 413', async () => {
    const client = await connectRaw(raw.app.url);
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
    const client = await connectRaw(raw.app.url);
    const body = 'A'.repeat(10_000_000);
    client.send(`POST /nothing HTTP/1.1\r\nHost: a\r\n${length(body.length)}\r\n${body}${last}`);
    expect(statusesIn(await client.ended)).toEqual([404, 200]);
  });
});

describe('a slow or impatient client', () => {
  it('answers a client that sends one byte at a time', async () => {
    const client = await connectRaw(raw.app.url);
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
      const client = await connectRaw(raw.app.url);
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
    const silent = await connectRaw(raw.app.url);
    silent.send(await request());
    for (const leave of [
      (client: RawClient) => client.leave(),
      (client: RawClient) => client.socket.resetAndDestroy(),
    ]) {
      const client = await connectRaw(raw.app.url);
      client.send(await request());
      await new Promise((resolve) => setTimeout(resolve, 2));
      leave(client);
      await client.ended;
    }
    const polite = await connectRaw(raw.app.url);
    polite.socket.end(await request());
    await polite.ended;
    silent.leave();
  });

  it('closes a stream of events whose client leaves after any part of it', async () => {
    const request = await post(`Accept: text/event-stream\r\n${length(question.length)}`, question);
    for (const seen of [1, 200, 500, 1_000, 2_000, 4_000]) {
      const client = await connectRaw(raw.app.url);
      client.send(request);
      await client.until((text) => text.length >= seen);
      client.socket.resetAndDestroy();
      await client.ended;
    }
    const metrics = async () => (await raw.app.get('/metrics')).text();
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

describe('a connection that stays idle', () => {
  /** What is sent, and what is sent again every second. */
  const kinds: readonly (readonly [string, () => string | Promise<string>, string?])[] = [
    ['nothing', () => ''],
    ['half its headers', () => 'POST /v1/search HTTP/1.1\r\nHost: a\r\nContent-'],
    ['a header every second', () => get('/healthz').slice(0, -2), 'X: a\r\n'],
    ['a request that is answered immediately', () => get('/healthz')],
    ['a request that is answered later', () => get('/v1/usage', `X-API-Key: ${raw.app.key}\r\n`)],
    ['HEAD', () => get('/healthz').replace('GET', 'HEAD')],
    ['a request that is refused', () => get('/v1/usage')],
    ['a search', () => post(length(question.length), question)],
    ['no body', () => post(length(question.length), '')],
    ['a byte of its body every second', () => post(length(question.length), question.slice(0, 9)), 'a'],
    ['half a chunk', () => post(chunked, '20\r\n{')],
    [
      'half a body that nobody needs',
      () => `POST /nothing HTTP/1.1\r\nHost: a\r\n${length(90_000)}\r\n${'a'.repeat(70_000)}`,
    ],
  ];
  const opened = new Map<string, RawClient>();
  const trickles: NodeJS.Timeout[] = [];
  beforeAll(async () => {
    for (const [kind, request, again] of kinds) {
      const client = await connectRaw(raw.app.url);
      client.send(await request());
      opened.set(kind, client);
      if (again !== undefined) trickles.push(setInterval(() => client.send(again), 1_000));
    }
  });
  afterAll(() => trickles.map(clearInterval));

  // Opened together, for each takes as long as the server waits.
  it.each(kinds.map(([kind]) => kind))('closes a connection that sent %s', async (kind) => {
    await opened.get(kind)!.ended;
  });
});

describe('a body that the client asks about first', () => {
  const expecting = (key: string) =>
    `POST /v1/search HTTP/1.1\r\nHost: a\r\n${key}Content-Type: application/json\r\nExpect: 100-continue\r\nConnection: close\r\n${length(question.length)}\r\n`;

  it('is asked for when the caller is known', async () => {
    const client = await connectRaw(raw.app.url);
    client.send(expecting(`X-API-Key: ${raw.app.key}\r\n`));
    await client.until((text) => text.includes('100 Continue\r\n\r\n'));
    client.send(question);
    expect(statusesIn(await client.ended)).toEqual([100, 200]);
  });

  it('is refused without having been sent, except that the native server asks for every body', async () => {
    const client = await connectRaw(raw.app.url);
    client.send(expecting(''));
    if (isNative) client.send(question);
    expect(statusesIn(await client.ended)).toEqual(isNative ? [100, 401] : [401]);
  });
});

describe('a server that may open 512 files', () => {
  let server: AppProcess;
  let search: string;
  beforeAll(async () => {
    const env = { DATA_DIR: temporaryFolder(), TRANSPORT: isNative ? 'auto' : 'node', LOG_LEVEL: 'warn' };
    server = await startAppProcess(env, 1, ['sh', '-c', 'ulimit -n 512 && exec "$@"', 'sh']);
    const lines = `X-API-Key: ${server.keys[0]}\r\nContent-Type: application/json\r\n${length(question.length)}`;
    search = `POST /v1/search HTTP/1.1\r\nHost: a\r\n${lines}\r\n${question}`;
  });
  afterAll(() => server.child.kill('SIGKILL'));

  const isAnswered = (text: string) => text.includes('{"status":"ok"}');

  async function open(count: number, request: string): Promise<RawClient[]> {
    const clients: RawClient[] = [];
    while (clients.length < count) clients.push(await connectRaw(server.url));
    for (const client of clients) client.send(request);
    return clients;
  }

  /** A connection that stays open after its first answer, as soon as those of the test before are gone. */
  async function connectToKeep(): Promise<RawClient> {
    let client = await connectRaw(server.url);
    client.send(get('/healthz'));
    while (/^Connection: close/im.test(await client.until(isAnswered).catch(() => 'Connection: close'))) {
      client.leave();
      client = await connectRaw(server.url);
      client.send(get('/healthz'));
    }
    return client;
  }

  it('serves others while 600 connections that it has answered stay open', async () => {
    const clients = await open(600, get('/healthz'));
    await Promise.all(clients.map((client) => Promise.race([client.until(isAnswered).catch(String), client.ended])));
    const other = await connectRaw(server.url);
    other.send(search);
    expect(statusesIn(await other.until((text) => text.includes('Heron')))).toEqual([200]);
    for (const { socket } of clients) socket.destroy();
    other.leave();
  });

  it('finishes what it does while 600 connections send nothing, refuses the rest, and recovers once they are gone', async () => {
    const early = await connectToKeep();
    const clients = await open(600, '');
    await Promise.any(clients.map(({ ended }) => ended));
    early.send(search);
    await early.until((text) => text.includes('Heron'));
    for (const { socket } of clients) socket.destroy();
    early.leave();
    const health = () => fetch(`${server.url}/healthz`).then(({ status }) => status, String);
    await expect.poll(health).toBe(200);
    expect(server.log().match(/connections are refused/g)).toHaveLength(1);
  });
});

describe.runIf(isLong)('a crowd of slow connections', () => {
  const megabytes13 = `{"prompt": "Who designed the Heron Point Lighthouse?", "image": "${largeImage(13_000_000)}"}`;

  it('is closed in time, and others are served meanwhile', { timeout: 300_000 }, async () => {
    const env = { DATA_DIR: temporaryFolder(), TRANSPORT: isNative ? 'auto' : 'node' };
    const server = await startAppProcess(env, 41);
    await using prober = await startProber({ url: server.url, pid: server.child.pid });
    const searchBy = (key: string, body: string, lines = '') =>
      `POST /v1/search HTTP/1.1\r\nHost: a\r\n${key}Content-Type: application/json\r\n${lines}${length(body.length)}\r\n`;
    const signIn = `POST /v1/session HTTP/1.1\r\nHost: ${new URL(server.url).host}\r\nOrigin: ${server.url}\r\nContent-Type: application/json\r\n${length(megabytes13.length)}\r\n`;
    const kinds: readonly (readonly [string, number, (n: number) => string, string?])[] = [
      ['silent', 2_000, () => ''],
      ['half headers', 2_000, () => 'POST /v1/search HTTP/1.1\r\nHost: a\r\nContent-'],
      ['a header every second', 2_000, () => get('/healthz').slice(0, -2), 'X: a\r\n'],
      ['idle after an answer', 1_600, () => get('/healthz')],
      ['half a body without a key', 1_540, () => searchBy('', question) + question.slice(0, 20)],
      ['13 MB without a key', 20, () => searchBy('', megabytes13) + megabytes13.slice(0, -1)],
      ['13 MB to sign in', 20, () => signIn + megabytes13.slice(0, -1)],
      [
        '13 MB with a key',
        20,
        (n) => searchBy(`X-API-Key: ${server.keys[n]}\r\n`, megabytes13) + megabytes13.slice(0, -1),
      ],
    ];
    const begun = performance.now();
    const closings: Promise<{ kind: string; ms: number }>[] = [];
    const trickles: NodeJS.Timeout[] = [];
    for (const [kind, count, request, again] of kinds) {
      for (let n = 0; n < count; n += 1) {
        const client = await connectRaw(server.url);
        const sentAt = performance.now();
        client.send(request(n));
        if (again !== undefined) trickles.push(setInterval(() => client.send(again), 1_000));
        closings.push(client.ended.then(() => ({ kind, ms: performance.now() - sentAt })));
      }
    }
    const openedMs = performance.now() - begun;
    const served: number[] = [];
    const statuses: number[] = [];
    const image = `{"prompt": "Who designed the Heron Point Lighthouse?", "image": "${largeImage(5_000_000)}"}`;
    for (let n = 0; n < 20; n += 1) {
      const asked = performance.now();
      const headers = { 'x-api-key': server.keys[20 + n]!, 'content-type': 'application/json' };
      const body = n % 2 === 0 ? image : question;
      statuses.push((await fetch(`${server.url}/v1/search`, { method: 'POST', headers, body })).status);
      served.push(performance.now() - asked);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    const closed = await Promise.all(closings);
    trickles.map(clearInterval);
    const report = await prober.stop();
    const longest = kinds.map(([kind, count]) => {
      const ms = closed.filter((each) => each.kind === kind).map((each) => each.ms);
      return `${count} × ${kind} closed within ${(Math.max(...ms) / 1_000).toFixed(1)} s`;
    });
    console.log(`${closings.length} connections opened in ${(openedMs / 1_000).toFixed(1)} s: ${longest.join('; ')}`);
    console.log(
      `20 searches meanwhile, half with an image of 5 MB, at most ${Math.max(...served).toFixed(0)} ms: ${statuses}`,
    );
    console.log(describeProbes(report));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(report.failures).toBe(0);
    expect(server.log()).toBe('');
    server.child.kill('SIGTERM');
    expect((await server.ended).code).toBe(0);
  });
});
