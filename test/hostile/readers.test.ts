/** Readers that stop reading, over real sockets and the native server: it buffers little for them, and they miss nothing. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchEvent } from '../../protocol/index.ts';
import { createRunLog } from '../../src/runs/log.ts';
import type { Run } from '../../src/runs/run.ts';
import { createConnectionLimit } from '../../src/transport/connection-limit.ts';
import type { Handlers, Server, Stream } from '../../src/transport/exchange.ts';
import { createContext } from '../../src/transport/http/context.ts';
import { answerWithEvents } from '../../src/transport/http/sse.ts';
import { startPump } from '../../src/transport/pump.ts';
import { loadUws } from '../../src/transport/uws/load-uws.ts';
import { createUwsServer } from '../../src/transport/uws/server.ts';
import { connectRaw, decodeFrames, handshake } from '../support/clients/raw-client.ts';

/** More than two kernels hold for one connection. */
const entries = 1_000;
const entryBytes = 20_000;

const log = createRunLog('s_large');
const append = (event: object) => log.append(event as SearchEvent);
for (let n = 1; n < entries; n++) append({ type: 'step.progress', step_id: 'a', message: 'x'.repeat(entryBytes) });
append({ type: 'search.failed', error: {}, usage: {} });
const run = { search_id: 's_large', log } as Run;

let server: Server;
let url: string;
/** Bytes handed to the server for each kind of reader. */
let written: number;
beforeAll(async () => {
  const counted = <To extends Stream>(to: To): To => ({
    ...to,
    write(text: string) {
      written += text.length;
      to.write(text);
    },
  });
  const handlers: Handlers = {
    request: (exchange) => {
      const stream = (headers: Record<string, string>) => counted(exchange.stream(headers));
      return answerWithEvents(createContext({ ...exchange, stream }), run, 0);
    },
    async upgrade() {
      return {
        accept(socket) {
          const onEnd = () => socket.close(1000, '');
          const format = ({ text }: { text: string }) => text;
          const onStall = () => socket.terminate();
          const pump = startPump({ log, after: 0, to: counted(socket), format, onEnd, onStall });
          socket.onDrain(() => pump.wake());
          socket.onClose(() => pump.stop());
        },
      };
    },
  };
  const onFault = (error: unknown) => {
    throw error;
  };
  server = createUwsServer({
    loaded: await loadUws(),
    handlers,
    socketPath: '/v1/ws/search',
    connections: createConnectionLimit({ onRefused: onFault }),
    onFault,
  });
  url = `http://127.0.0.1:${(await server.listen('127.0.0.1', 0)).port}`;
});
afterAll(() => server.close());

const seqsIn: Record<string, (text: string) => number[]> = {
  WebSocket: (text) =>
    decodeFrames(text)
      .filter(({ opcode }) => opcode === 1)
      .map(({ payload }) => JSON.parse(payload.toString()).seq),
  SSE: (text) => [...text.matchAll(/^id: s_large:(\d+)$/gm)].map(([, seq]) => Number(seq)),
};

describe.each([
  ['WebSocket', handshake()],
  ['SSE', 'GET /events HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
])('a reader over %s that pauses', (transport, request) => {
  it(`sends a paused reader over ${transport} no more than its buffer holds, and everything once it resumes`, async () => {
    written = 0;
    const client = await connectRaw(url);
    client.socket.pause();
    client.send(request);
    let before = -1;
    while (written === 0 || written > before) {
      before = written;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(written).toBeLessThan((entries * entryBytes) / 2);
    client.socket.resume();
    expect(seqsIn[transport]!(await client.ended)).toEqual(Array.from({ length: entries }, (_, n) => n + 1));
  });

  it(`writes nothing more to a reader over ${transport} that has left`, async () => {
    written = 0;
    const client = await connectRaw(url);
    client.socket.pause();
    client.send(request);
    while (written === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    client.socket.resetAndDestroy();
    await client.ended;
    let before = -1;
    while (written > before) {
      before = written;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(written).toBeLessThan((entries * entryBytes) / 2);
  });
});
