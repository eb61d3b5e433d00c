/** Streamed answers whose caller was refused, over a real server. */
import { expect, it } from 'vitest';
import { createConnectionLimit } from '../../../src/transport/connection-limit.ts';
import type { Exchange } from '../../../src/transport/exchange.ts';
import { createContext } from '../../../src/transport/http/context.ts';
import { createNodeServer } from '../../../src/transport/node/server.ts';

it.each([
  ['when it was refused before the answer began', true],
  ['when it is refused later', false],
])('are broken off %s', async (_, isBefore) => {
  const server = createNodeServer({
    handlers: {
      async request(exchange: Exchange) {
        const ctx = createContext(exchange);
        if (isBefore) ctx.breakOff();
        const stream = ctx.stream({ 'content-type': 'text/event-stream' });
        stream.write(': hb\n\n');
        if (!isBefore) setImmediate(ctx.breakOff);
      },
      upgrade: async () => undefined,
    },
    socketPath: '/none',
    connections: createConnectionLimit({ onRefused: () => {} }),
    onFault(error) {
      throw error;
    },
  });
  try {
    const { port } = await server.listen('127.0.0.1', 0);
    const read = async () => (await fetch(`http://127.0.0.1:${port}/`)).text();
    await expect(read()).rejects.toThrow();
  } finally {
    server.close();
  }
});
