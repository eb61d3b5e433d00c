/**
 * Readers that stop reading, are cut off, or are many: the server buffers little for them, none of them misses anything, and
 * their replays take turns. `TEST_LONG=1` has 1,000 of them read at once beside a prober, and prints its figures.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchEvent, SearchFrame } from '../../protocol/index.ts';
import { plans } from '../../src/access/plans.ts';
import { createLog } from '../../src/base/log.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { createRunLog } from '../../src/runs/log.ts';
import type { Run } from '../../src/runs/run.ts';
import { createConnection } from '../../src/service/connection.ts';
import type { Service } from '../../src/service/service.ts';
import { chooseServer } from '../../src/transport/choose-server.ts';
import type { Handlers, Server, Stream } from '../../src/transport/exchange.ts';
import { createContext } from '../../src/transport/http/context.ts';
import { answerWithEvents } from '../../src/transport/http/sse.ts';
import { startPump } from '../../src/transport/pump.ts';
import { createSocketSessions } from '../../src/transport/websocket/upgrade.ts';
import { expectDense } from '../contracts/search-laws.ts';
import {
  connectRaw,
  connectRawSocket,
  decodeFrames,
  encodeFrame,
  opcodes,
  type RawClient,
} from '../support/clients/raw-client.ts';
import { readEvents } from '../support/clients/sse-client.ts';
import { connect, Refused, type WsClient } from '../support/clients/ws-client.ts';
import { describeProbes, startProber } from '../support/prober.ts';
import { startSoakProcess } from '../support/processes/soak-process.ts';
import { type HeldSearch, startHeldSearch } from '../support/servers/held-search.ts';
import { startTestApp, type TestApp } from '../support/start-app.ts';

const transport = (process.env.TEST_TRANSPORT ?? 'auto') as 'auto' | 'node';

/** Events that nothing merges, more in all than two kernels hold for one connection. */
function createLargeLog(entries: number, entryBytes: number) {
  const log = createRunLog('s_large');
  const append = (event: object) => log.append(event as SearchEvent);
  for (let n = 1; n < entries; n++) append({ type: 'step.progress', step_id: 'a', message: 'x'.repeat(entryBytes) });
  append({ type: 'search.failed', error: {}, usage: {} });
  return log;
}

/** Resolves when these bytes were received. Looks only at what is new, as megabytes may come before. */
function untilReceived({ socket }: RawClient, wanted: string): Promise<void> {
  return new Promise((resolve) => {
    let tail = '';
    socket.on('data', (bytes: Buffer) => {
      tail = tail.slice(-wanted.length) + bytes.toString('latin1');
      if (tail.includes(wanted)) resolve();
    });
  });
}

describe('a reader of a long log', () => {
  const entries = 1_000;
  const entryBytes = 20_000;
  const log = createLargeLog(entries, entryBytes);
  const run = { search_id: log.search_id, log, state: () => 'failed', reaches: async () => 'held' } as unknown as Run;
  const every = Array.from({ length: entries }, (_, n) => n + 1);
  let server: Server;
  let url: string;
  let sessions: ReturnType<typeof createSocketSessions>;
  /** Characters handed to the server for each kind of reader. */
  let written: number;

  beforeAll(async () => {
    const counted = <To extends Stream>(to: To): To => ({
      ...to,
      write(text: string) {
        written += text.length;
        to.write(text);
      },
    });
    const onFault = (error: unknown) => {
      throw error;
    };
    const caller = { key_id: 'k', account_id: 'a', plan: 'pro', scopes: [] } as never;
    const service = {
      connect: async ({ request_id }: { request_id: string }) => ({
        connection: createConnection(request_id, { caller }, true),
        rate_limit: { policy: 'pro', limit: 100, remaining: 100, reset_s: 0, window_s: 60 },
        leave: () => {},
      }),
      resume: async () => ({ run }),
      attach: () => () => {},
      watchCaller: () => () => {},
      recheck: async () => {},
    } as unknown as Service;
    const watching = { metrics: createMetrics(), onFault, isDraining: () => false, onClosed: () => {} };
    sessions = createSocketSessions({ service, originAllowed: () => true, ...watching });
    const handlers: Handlers = {
      request: (exchange) => {
        const stream = (headers: Record<string, string>) => counted(exchange.stream(headers));
        const after = Number(new URLSearchParams(exchange.query).get('after') ?? 0);
        return answerWithEvents(createContext({ ...exchange, stream }), run, { after });
      },
      async upgrade(exchange) {
        const accepted = await sessions.upgrade(exchange);
        return accepted && { ...accepted, accept: (socket) => accepted.accept(counted(socket)) };
      },
    };
    const createServer = await chooseServer({
      transport,
      socketPath: '/v1/ws/search',
      log: createLog('error'),
      onFault,
    });
    server = createServer(handlers);
    url = `http://127.0.0.1:${(await server.listen('127.0.0.1', 0)).port}`;
  });
  afterAll(() => {
    sessions.end();
    server.close();
  });

  const resume = (after_seq = 0) =>
    encodeFrame(JSON.stringify({ type: 'search.resume', ref: 'r', search_id: 's_large', after_seq }));

  const ping = (ref: string) => encodeFrame(JSON.stringify({ type: 'ping', ref }));

  /** For each kind of reader: one that has paused, and the seqs that it received when all has come. */
  const readers = {
    async WebSocket() {
      const socket = await connectRawSocket(url, {});
      socket.client.socket.pause();
      socket.send(resume());
      const terminal = untilReceived(socket.client, '"search.failed"');
      const seqs = async () => {
        await terminal;
        return socket.received().flatMap(({ seq }) => (typeof seq === 'number' ? [seq] : []));
      };
      return { client: socket.client, seqs };
    },
    async SSE() {
      const client = await connectRaw(url);
      client.socket.pause();
      client.send('GET /events HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      const seqs = async () =>
        [...(await client.ended).matchAll(/^id: s_large:(\d+)$/gm)].map(([, seq]) => Number(seq));
      return { client, seqs };
    },
  };

  /** Resolves when nothing more is written. */
  async function untilStill(): Promise<void> {
    for (let before = -1; written === 0 || written > before; await sleep(100)) before = written;
  }

  it.each(['WebSocket', 'SSE'] as const)(
    'sends a paused reader over %s no more than its buffer holds, and everything once it resumes',
    async (kind) => {
      written = 0;
      const { client, seqs } = await readers[kind]();
      await untilStill();
      expect(written).toBeLessThan((entries * entryBytes) / 2);
      client.socket.resume();
      expect(await seqs()).toEqual(every);
      client.leave();
    },
  );

  it.each(['WebSocket', 'SSE'] as const)('writes nothing more to a reader over %s that has left', async (kind) => {
    written = 0;
    const { client } = await readers[kind]();
    while (written < 100_000) await sleep(10);
    client.socket.resetAndDestroy();
    await client.ended;
    await untilStill();
    expect(written).toBeLessThan((entries * entryBytes) / 2);
  });

  it('sends a reader that is cut anywhere, again and again, each event once', async () => {
    const seqs: number[] = [];
    for (let cuts = 0; seqs.at(-1) !== entries; cuts++) {
      const client = await connectRaw(url);
      client.send(`GET /events?after=${seqs.at(-1) ?? 0} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      const isLast = cuts === 10;
      // A megabyte and some, which ends within an event.
      const text = isLast ? await client.ended : await client.until((all) => all.length > 1_000_000 + 777 * cuts);
      client.leave();
      const whole = text.slice(0, text.lastIndexOf('\n\n'));
      seqs.push(...[...whole.matchAll(/^id: s_large:(\d+)\nevent: \S+\ndata: .*$/gm)].map(([, seq]) => Number(seq)));
    }
    expect(seqs).toEqual(every);
  });

  it('sends the pongs of a reader that pauses as far as there is room, and the others once it resumes', async () => {
    written = 0;
    const { client } = await readers.WebSocket();
    const all = [untilReceived(client, 'held 89'), untilReceived(client, '"search.failed"')];
    await untilStill();
    const before = written;
    for (let n = 0; n < 90; n++) client.send(ping(`held ${n}`));
    await untilStill();
    expect(written - before).toBeLessThan(entryBytes);
    client.socket.resume();
    await Promise.all(all);
    const frames = decodeFrames(client.text()).filter(({ opcode }) => opcode === opcodes.text);
    const refs = frames.map(({ payload }) => JSON.parse(payload.toString())).filter(({ type }) => type === 'pong');
    expect(refs.map(({ ref }) => ref)).toEqual(Array.from({ length: 90 }, (_, n) => `held ${n}`));
    client.leave();
  });

  it('cuts off a reader that pings again and again and reads nothing', async () => {
    written = 0;
    const { client } = await readers.WebSocket();
    await untilStill();
    // Their pongs are the longest there are. The kernel has room for some of them.
    while (!client.socket.destroyed) {
      for (let n = 0; n < 50; n++) client.send(ping('\0'.repeat(128)));
      await sleep(50);
    }
    await untilStill();
    expect(written).toBeLessThan((entries * entryBytes) / 2);
  });
});

describe('many readers of one log', () => {
  it('take turns: each writes a slice of a long log in a tick, and others run between the slices', async () => {
    const count = 1_000;
    const log = createLargeLog(100, 20_000);
    let ended = 0;
    const perFlush: number[] = [];
    for (let n = 0; n < count; n++) {
      let inFlush = 0;
      const to = {
        canWrite: () => true,
        write: (text: string) => {
          inFlush += text.length;
        },
        cork(writes: () => void) {
          inFlush = 0;
          writes();
          perFlush.push(inFlush);
        },
      } as unknown as Stream;
      const onEnd = () => {
        ended += 1;
      };
      startPump({ log, after: 0, to, format: (entry) => log.text(entry), onEnd, onStall: () => {} });
    }
    let flushesBefore = 0;
    let longest = 0;
    while (ended < count) {
      await new Promise((resolve) => setImmediate(resolve));
      longest = Math.max(longest, perFlush.length - flushesBefore);
      flushesBefore = perFlush.length;
    }
    expect(Math.max(...perFlush)).toBeLessThan(4 * 64 * 1024);
    expect(perFlush.length).toBeGreaterThan(20 * count);
    expect(longest).toBeLessThan(perFlush.length / 4);
  });
});

describe('the event streams of a key', () => {
  const question = { prompt: 'Who designed the Heron Point Lighthouse?' };
  const limit = plans.pro.connections_per_key;
  let held: HeldSearch;
  let app: TestApp;
  beforeAll(async () => {
    held = await startHeldSearch();
    app = await startTestApp({ SEARXNG_URL: held.url });
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await held.close();
  });

  it('are limited together with its connections, whether they start a search or read one', async () => {
    const key = (await app.accounts.createKey({ name: 'reader', plan: 'pro' })).plaintext;
    const headers = { 'x-api-key': key };
    const events = { accept: 'text/event-stream' };
    const socket = await connect(app.url, headers);
    const search_id = await socket.start(question, { on_disconnect: 'continue' });
    const read = (more: Record<string, string> = headers) => app.get(`/v1/search/${search_id}/events`, more);

    const streams = [await app.post('/v1/search', question, { ...headers, ...events })];
    while (streams.length + 1 < limit) streams.push(await read());
    expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));

    const refused = await Promise.all(Array.from({ length: 200 }, () => read()));
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]));
    const [first] = refused as [Response];
    expect(Number(first.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await first.json()).toMatchObject({
      detail: expect.stringContaining(`At most ${limit}`),
      error: { code: 'too_many_searches', retryable: true },
    });
    await expect(connect(app.url, headers)).rejects.toEqual(new Refused(429));
    expect((await app.post('/v1/search', question, { ...headers, ...events })).status).toBe(429);
    // Another key of its own is not affected, and only streams are counted.
    const other = (await app.accounts.createKey({ name: 'other', plan: 'pro' })).plaintext;
    expect((await read({ 'x-api-key': other })).status).toBe(404);
    expect((await app.get(`/v1/search/${search_id}`, headers)).status).toBe(202);

    await streams.pop()!.body!.cancel();
    await expect.poll(async () => (await read()).status).toBe(200);
    held.release();
    const [mine, ...rest] = await Promise.all(streams.map((stream) => readEvents(stream)));
    expectDense(mine!, 0);
    for (const frames of rest) expectDense(frames, 0);
    socket.close();
  });
});

describe.runIf(process.env.TEST_LONG === '1')('1,000 readers at once', { timeout: 600_000 }, () => {
  it('read the same long log to its end while the server answers others', async () => {
    const server = await startSoakProcess();
    const starter = await connect(server.url, { 'x-api-key': 'k' });
    const search_id = await starter.start({ prompt: 'large' });
    await starter.next(({ type }) => type === 'answer.delta');
    const idle = await startProber({ url: server.url, pid: server.pid });
    await sleep(3_000);
    console.log(`readers, before: ${describeProbes(await idle.stop())}`);

    // The last 60 entries of 20 KB: more than a megabyte for each of them.
    const after = 540;
    const prober = await startProber({ url: server.url, pid: server.pid });
    const streams = Array.from({ length: 1_000 }, async () => {
      const response = await fetch(`${server.url}/events?search_id=${search_id}&after=${after}`);
      let bytes = 0;
      let tail = '';
      for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
        bytes += chunk.length;
        tail = (tail + chunk).slice(-4_000);
        if (tail.includes('"type":"answer.delta"')) break;
      }
      return bytes;
    });
    const sockets: WsClient[] = [];
    for (let n = 0; n < 100; n++) {
      const socket = await connect(server.url, { 'x-api-key': 'k' });
      socket.send({ type: 'search.resume', ref: 'r', search_id, after_seq: after });
      if (n % 10 === 0) socket.raw.pause();
      sockets.push(socket);
    }
    const bytes = (await Promise.all(streams)).reduce((sum, each) => sum + each, 0);
    const reading = sockets.filter((_, n) => n % 10 > 0);
    await Promise.all(reading.map((socket) => socket.next(({ type }) => type === 'answer.delta')));
    for (const socket of reading) {
      expectDense(socket.received.filter(({ seq }) => typeof seq === 'number') as unknown as SearchFrame[], after);
    }
    console.log(`readers: 1,000 SSE and 100 WebSocket readers, 10 of them stalled, ${Math.round(bytes / 1e6)} MB read`);
    console.log(`readers: ${describeProbes(await prober.report())}`);
    expect((await prober.stop()).failures).toBe(0);
    for (const { raw } of [starter, ...sockets]) raw.terminate();
    await server.close();
  });
});
