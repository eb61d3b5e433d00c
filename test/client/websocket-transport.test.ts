/** How a client reacts to a WebSocket server: heartbeats, close codes, invalid frames. */
import { afterEach, describe, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import type { SearchInput } from '../../src/client/transport.ts';
import { openWebSocketTransport, type SocketLike } from '../../src/client/websocket-transport.ts';
import { quickClient } from '../support/clients/client-search.ts';

const question = { prompt: 'Who designed the Heron Point Lighthouse?' };
let closeServer = () => {};
afterEach(() => closeServer());

/** A server that sends these frames on each connection, and then closes it or stays silent. */
async function serveFrames(frames: readonly unknown[], close?: [number, string]) {
  let connections = 0;
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', (socket) => {
    connections += 1;
    for (const frame of frames) socket.send(JSON.stringify(frame));
    if (close !== undefined) socket.close(...close);
  });
  await new Promise((resolve) => server.on('listening', resolve));
  closeServer = () => {
    for (const socket of server.clients) socket.terminate();
  };
  const { port } = server.address() as { port: number };
  const client = quickClient({
    baseUrl: `http://127.0.0.1:${port}`,
    apiKey: 'k',
    maxRetries: 2,
    connectTimeoutMs: 500,
  });
  return { search: client.search(question, { transport: 'websocket' }), connections: () => connections };
}

/** A client of a server that handles each connection in this way. */
async function clientOf(handle: (socket: WebSocket) => void) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', handle);
  await new Promise((resolve) => server.on('listening', resolve));
  closeServer = () => server.close();
  const { port } = server.address() as { port: number };
  return quickClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'k', maxRetries: 2 });
}

describe('a client of a WebSocket server', () => {
  const ready = { type: 'session.ready', heartbeat_s: 0.02 };

  it('does not wait for events of an ended search that has none after those it knows', async () => {
    const client = await clientOf((socket) => {
      socket.send(JSON.stringify({ ...ready, heartbeat_s: 15 }));
      socket.on('message', (text) => {
        const { type, ref, search_id, after_seq } = JSON.parse(String(text));
        if (type !== 'search.resume') return;
        const rest = { search_id, after_seq, head_seq: after_seq, deduplicated: false };
        socket.send(JSON.stringify({ type: 'search.attached', ref, state: 'failed', ...rest }));
      });
    });
    const search = client.follow('s_AAAAAAAAAAAAAAAAAAAAAA', { after: 7, transport: 'websocket' });
    await expect(search.result).rejects.toMatchObject({ code: 'not_found' });
    client.close();
  });

  it('fails a search whose request the server refused before it read which one it was', async () => {
    const client = await clientOf((socket) => {
      socket.send(JSON.stringify({ ...ready, heartbeat_s: 15 }));
      const issues = [{ loc: ['body', 'request', 'prompt'], msg: 'expected at most 40000 characters; got 44000' }];
      const error = { code: 'validation_error', message: 'body.request.prompt: too long', retryable: false, issues };
      socket.on('message', () => socket.send(JSON.stringify({ type: 'error', error })));
    });
    const search = client.search(question, { transport: 'websocket' });
    await expect(search.result).rejects.toMatchObject({
      code: 'validation_error',
      issues: [{ loc: ['body', 'request', 'prompt'] }],
    });
    client.close();
  });

  it('refuses a request that is larger than the server allows, without sending it', async () => {
    const received: string[] = [];
    const client = await clientOf((socket) => {
      const limits = { frame_bytes: 1_000, frame_with_image_bytes: 2_000 };
      socket.send(JSON.stringify({ ...ready, heartbeat_s: 15, limits }));
      socket.on('message', (text) => {
        const { type, ref } = JSON.parse(String(text));
        received.push(type);
        const error = { code: 'unauthorized', message: 'No.', retryable: false };
        socket.send(JSON.stringify({ type: 'error', ref, error }));
      });
    });
    const codeOf = (request: SearchInput) =>
      client.search(request, { transport: 'websocket' }).result.catch(({ code }) => code);
    expect(await codeOf({ prompt: '東'.repeat(400) })).toBe('payload_too_large');
    expect(await codeOf({ prompt: '東'.repeat(400), image: 'A'.repeat(100) })).toBe('unauthorized');
    expect(await codeOf({ prompt: '?', image: 'A'.repeat(2_000) })).toBe('payload_too_large');
    expect(received).toEqual(['search.start']);
    client.close();
  });

  it('keeps the search of a reader that follows it while another leaves it', async () => {
    const received: string[] = [];
    const replies: (() => void)[] = [];
    let finish = () => {};
    const client = await clientOf((socket) => {
      const send = (frame: object) => socket.send(JSON.stringify(frame));
      const event = (seq: number, rest: object) => send({ search_id: 's_1', seq, at: '', ...rest });
      send({ ...ready, heartbeat_s: 15 });
      finish = () => event(2, { type: 'search.cancelled', by: 'user' });
      socket.on('message', (text) => {
        const { type, ref, after_seq } = JSON.parse(String(text));
        received.push(type);
        if (type !== 'search.resume') return;
        const attached = { type: 'search.attached', ref, search_id: 's_1', state: 'running', after_seq, head_seq: 1 };
        replies.push(() => {
          send(attached);
          event(1, { type: 'search.accepted', mode: 'text' });
        });
      });
    });
    const leaving = new AbortController();
    const first = client.follow('s_1', { transport: 'websocket', signal: leaving.signal });
    await expect.poll(() => replies.length).toBe(1);
    replies[0]!();
    await first[Symbol.asyncIterator]().next();
    const second = client.follow('s_1', { transport: 'websocket' });
    await expect.poll(() => replies.length).toBe(2);
    leaving.abort();
    await expect(first.result).rejects.toMatchObject({ code: 'cancelled' });
    replies[1]!();
    await second[Symbol.asyncIterator]().next();
    finish();
    await expect(second.result).rejects.toMatchObject({ code: 'cancelled' });
    expect(received).not.toContain('search.detach');
    client.close();
  });

  it('cancels a search that gets its id after its caller has stopped waiting for that', async () => {
    const received: { type: string; search_id?: string }[] = [];
    let attach = () => {};
    const client = await clientOf((socket) => {
      socket.send(JSON.stringify({ ...ready, heartbeat_s: 15 }));
      socket.on('message', (text) => {
        const { type, ref, search_id } = JSON.parse(String(text));
        received.push({ type, search_id });
        const rest = { search_id: 's_1', after_seq: 0, head_seq: 1, deduplicated: false };
        if (type === 'search.start')
          attach = () => socket.send(JSON.stringify({ type: 'search.attached', ref, state: 'running', ...rest }));
      });
    });
    const search = client.search(question, { transport: 'websocket', onDisconnect: 'continue' });
    await expect.poll(() => received.length).toBe(1);
    await search.cancel();
    await expect(search.result).rejects.toMatchObject({ code: 'cancelled' });
    attach();
    await expect.poll(() => received).toContainEqual({ type: 'search.cancel', search_id: 's_1' });
    client.close();
  });

  it('reconnects when two announced heartbeats are missing', async () => {
    const { search, connections } = await serveFrames([ready]);
    await expect(search.result).rejects.toMatchObject({ code: 'connection_failed', message: /silent/ });
    expect(connections()).toBe(3);
  });

  it.each([
    [4400, 'bad_message'],
    [4401, 'unauthorized'],
    [4403, 'forbidden'],
    [4406, 'subprotocol'],
  ])('does not reconnect after close code %i', async (closeCode, code) => {
    const { search, connections } = await serveFrames([], [closeCode, 'because']);
    await expect(search.result).rejects.toMatchObject({ code, message: 'because', retryable: false });
    expect(connections()).toBe(1);
  });

  it('reconnects after an incomplete frame', async () => {
    const { search, connections } = await serveFrames([ready, { type: 'error' }]);
    await expect(search.result).rejects.toMatchObject({ code: 'connection_failed' });
    expect(connections()).toBe(3);
  });

  it('reports the error that the server sent before closing', async () => {
    const error = { code: 'forbidden', message: 'The account is suspended.', retryable: false, request_id: 'r' };
    const { search } = await serveFrames([{ type: 'error', error }], [4403, 'other words']);
    await expect(search.result).rejects.toMatchObject({ ...error, status: 403 });
  });

  it('reconnects to an overloaded server no sooner than it asks', async () => {
    const error = { code: 'overloaded', message: 'Full.', retryable: true, retry_after_ms: 30, request_id: 'r' };
    const { search, connections } = await serveFrames([{ type: 'error', error }], [4503, '']);
    await expect(search.result).rejects.toMatchObject({ code: 'overloaded', retry_after_ms: 30 });
    expect(connections()).toBe(3);
  });

  it.each([4500, 4503, 4508, 4510, 1011])(
    'reconnects after close code %i a limited number of times',
    async (closeCode) => {
      const { search, connections } = await serveFrames([ready], [closeCode, '']);
      await expect(search.result).rejects.toMatchObject({ code: 'connection_failed' });
      expect(connections()).toBe(3);
    },
  );

  it('detects a server that does not speak the protocol', async () => {
    const { search } = await serveFrames([{ type: 'hello' }, ['no'], null, 7]);
    await expect(search.result).rejects.toMatchObject({ code: 'connection_failed' });
  });
});

describe('openWebSocketTransport with a WebSocket of Node 22', () => {
  it('closes the socket once, although close() emits an error synchronously', async () => {
    let closes = 0;
    class FailingSocket extends EventTarget {
      readonly readyState = 0;
      send() {}
      close() {
        closes += 1;
        this.dispatchEvent(new Event('error'));
      }
    }
    const failing = new FailingSocket();
    const session = openWebSocketTransport(failing as SocketLike, {
      connectTimeoutMs: 10_000,
      silenceTimeoutMs: undefined,
      idleMs: 10_000,
      onEvent() {},
      onLost() {},
    });
    failing.dispatchEvent(Object.assign(new Event('error'), { message: 'Received network error.' }));
    const message = 'The WebSocket failed: Received network error.';
    await expect(session).rejects.toMatchObject({ code: 'connection_failed', message });
    expect(closes).toBe(1);
  });
});

describe('a search whose resume is refused for a while', () => {
  it('waits as long as the server asked and resumes on the same connection', async () => {
    const place = { search_id: 's_test', at: '2026-01-01T00:00:00.000Z' };
    const accepted = { type: 'search.accepted', ...place, seq: 1 };
    const last = { type: 'search.completed', ...place, seq: 2, status: 'answered', result: { answer: 'Here.' } };
    const error = { code: 'rate_limited', message: 'Later.', retryable: true, request_id: 'r' };
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    const resumed: (readonly [connection: number, after: number])[] = [];
    let connections = 0;
    let freeAt: number | undefined;
    server.on('connection', (socket) => {
      const connection = (connections += 1);
      const send = (...frames: object[]) => {
        for (const frame of frames) socket.send(JSON.stringify(frame));
      };
      send({ type: 'session.ready', heartbeat_s: 15 });
      socket.on('message', (data) => {
        const { type, ref, after_seq } = JSON.parse(String(data)) as { type: string; ref: string; after_seq: number };
        const attached = { type: 'search.attached', ref, search_id: 's_test' };
        if (type === 'search.start') {
          send(attached, accepted);
          return socket.close(4503, 'going');
        }
        resumed.push([connection, after_seq]);
        freeAt ??= performance.now() + 150;
        const retry_after_ms = freeAt - performance.now();
        // Who comes before that has no try left.
        if (retry_after_ms > 0) send({ type: 'error', ref, error: { ...error, retry_after_ms: retry_after_ms + 5 } });
        else send(attached, last);
      });
    });
    await new Promise((resolve) => server.on('listening', resolve));
    closeServer = () => {
      for (const socket of server.clients) socket.terminate();
    };
    const { port } = server.address() as { port: number };
    const client = quickClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'k', maxRetries: 2 });
    expect(await client.search(question, { transport: 'websocket' }).result).toEqual({ answer: 'Here.' });
    client.close();
    expect(resumed).toEqual([
      [2, 1],
      [2, 1],
    ]);
  });
});
