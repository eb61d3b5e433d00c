/**
 * Only the path from a log to its sockets: `citewire` appends events to logs and lets pumps write them; `bare` sends the same
 * bytes, prepared in advance, through bare uWebSockets.js. `delivery-process.ts <citewire|bare> <logs> <events>`.
 */
import type { WebSocket } from 'uWebSockets.js';
import { createRunLog, type Entry, frameText, type RunLog } from '../../src/runs/log.ts';
import { createConnectionLimit } from '../../src/transport/connection-limit.ts';
import type { Socket } from '../../src/transport/exchange.ts';
import { startPump } from '../../src/transport/pump.ts';
import { loadUws } from '../../src/transport/uws/load-uws.ts';
import { createUwsServer } from '../../src/transport/uws/server.ts';
import { serve, sleep } from './processes.ts';
import type { Relay } from './relay.ts';

export type DeliveryApi = {
  address(): Omit<Relay, 'close'>;
  sockets(): number;
  /** Sends `events` events to every socket, one every 5 ms; returns CPU µs per event and socket. */
  send(): Promise<number>;
};

const [kind, logCount = '1', eventCount = '1'] = process.argv.slice(2);
const everyMs = 5;
/** About what a model streams in 40 ms, which is what the server puts into one frame. */
const text = ' as long as a frame';
const loaded = await loadUws();

async function spend(events: number, sockets: number, step: (n: number) => void): Promise<number> {
  const before = process.cpuUsage();
  for (let n = 0; n < events; n += 1) {
    step(n);
    await sleep(everyMs);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (events * sockets);
}

const event = (n: number) => ({ type: 'answer.delta' as const, block: 'b1', from: n * text.length, text });

async function startCitewire(): Promise<DeliveryApi> {
  const sockets: Socket[] = [];
  let logs: RunLog[] = [];
  const server = createUwsServer({
    loaded,
    socketPath: '/',
    connections: createConnectionLimit({ onRefused: console.error }),
    onFault: console.error,
    handlers: {
      request: async (exchange) => exchange.respond(404, {}, ''),
      upgrade: async () => ({ accept: (socket) => void sockets.push(socket), abandon: () => {} }),
    },
  });
  const { port } = await server.listen('127.0.0.1', 0);
  return {
    address: () => ({ url: `ws://127.0.0.1:${port}/`, protocol: 'ws' }),
    sockets: () => sockets.length,
    async send() {
      logs = Array.from({ length: Number(logCount) }, (_, at) => createRunLog(`s_${String(at).padStart(22, '0')}`));
      const pumps = sockets.map((to, at) => {
        const log = logs[at % logs.length]!;
        const format = (entry: Entry) => log.text(entry);
        return startPump({ log, after: 0, to, format, onEnd: () => {}, onStall: () => {} });
      });
      const cost = await spend(Number(eventCount), sockets.length, (n) => {
        for (const log of logs) log.append(event(n));
      });
      for (const pump of pumps) pump.stop();
      return cost;
    },
  };
}

async function startBare(): Promise<DeliveryApi> {
  const sockets: WebSocket<unknown>[] = [];
  const app = loaded.uws.App().ws('/*', { open: (ws) => void sockets.push(ws) });
  const port = await new Promise<number>((resolve) => {
    app.listen('127.0.0.1', 0, (socket) => resolve(loaded.uws.us_socket_local_port(socket as never)));
  });
  const at = new Date().toISOString();
  const frames = Array.from({ length: Number(eventCount) }, (_, n) =>
    frameText(`s_${'0'.repeat(22)}`, { first_seq: n + 1, seq: n + 1, at, event: event(n) }),
  );
  return {
    address: () => ({ url: `ws://127.0.0.1:${port}/`, protocol: 'ws' }),
    sockets: () => sockets.length,
    send: () =>
      spend(frames.length, sockets.length, (n) => {
        for (const ws of sockets) ws.cork(() => ws.send(frames[n]!));
      }),
  };
}

serve<DeliveryApi>(await (kind === 'bare' ? startBare() : startCitewire()));
