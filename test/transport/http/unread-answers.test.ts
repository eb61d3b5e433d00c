/** What a server keeps of a client that reads nothing of its answer, or does not close its side: nothing, after a while. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import type { ConnectionLimit } from '../../../src/transport/connection-limit.ts';
import type { Handlers, Server } from '../../../src/transport/exchange.ts';
import { createNodeServer } from '../../../src/transport/node/server.ts';
import { loadUws } from '../../../src/transport/uws/load-uws.ts';
import { createUwsServer } from '../../../src/transport/uws/server.ts';
import { connectRaw, handshake } from '../../support/clients/raw-client.ts';
import { isNative } from '../../support/transport.ts';

const large = 'x'.repeat(8 * 1024 * 1024);
const handlers: Handlers = {
  async request(exchange) {
    if (exchange.path === '/stream') {
      const stream = exchange.stream({});
      stream.write(large);
      stream.end();
    } else if (exchange.path === '/later') {
      await sleep(16_000);
      exchange.respond(200, {}, 'after a while');
    } else exchange.respond(200, {}, large);
  },
  async upgrade(exchange) {
    exchange.respond(401, {}, '{}');
    return undefined;
  },
};

let server: Server;
afterEach(() => server.close());

/** Resolves to the address of a server, and how many connections it has closed. */
async function serve(): Promise<{ url: string; closed: () => number }> {
  let closed = 0;
  const close = () => {
    closed += 1;
  };
  const connections: ConnectionLimit = { open: () => true, close, isScarce: () => false };
  const onFault = (error: unknown) => {
    throw error;
  };
  const options = { handlers, socketPath: '/v1/ws/search', connections, onFault };
  server = isNative ? createUwsServer({ ...options, loaded: await loadUws() }) : createNodeServer(options);
  const { port } = await server.listen('127.0.0.1', 0);
  return { url: `http://127.0.0.1:${port}`, closed: () => closed };
}

it.each([
  ['an answer of which its client reads nothing', 'GET /large HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['a stream that ended, of which its client reads nothing', 'GET /stream HTTP/1.1\r\nHost: a\r\n\r\n'],
])('closes the connection of %s', async (_, request) => {
  const { url, closed } = await serve();
  const client = await connectRaw(url);
  client.socket.pause();
  client.send(request);
  await expect.poll(closed, { timeout: 50_000 }).toBe(1);
  client.leave();
});

it.each([
  ['a refused upgrade', handshake()],
  ['a tunnel that was asked for', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'],
])('closes the connection of %s whose client keeps its side open', async (_, request) => {
  const { url, closed } = await serve();
  const client = await connectRaw(url);
  client.socket.allowHalfOpen = true;
  client.send(request);
  await expect.poll(closed, { timeout: 50_000 }).toBe(1);
  client.leave();
});

// The native server cuts off a pipelined request that is not answered for 12 s.
it.skipIf(isNative)('leaves the connection open for an answer that follows one that was read', async () => {
  const { url } = await serve();
  const client = await connectRaw(url);
  client.send('GET /large HTTP/1.1\r\nHost: a\r\n\r\nGET /later HTTP/1.1\r\nHost: a\r\n\r\n');
  await client.until((text) => text.endsWith('after a while'));
  client.leave();
});
