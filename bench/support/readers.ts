/** The clients of a relay in a process of their own: they ask, take what comes, and count it. */
import { once } from 'node:events';
import { type ClientRequest, request as httpRequest } from 'node:http';
import { io } from 'socket.io-client';
import { WebSocket } from 'ws';
import { serve } from './processes.ts';
import { question, type Relay } from './relay.ts';

export type ReadersApi = {
  /** Resolves when so many more readers have asked. */
  open(relay: Omit<Relay, 'close'>, count: number): Promise<void>;
  /** Bytes that came so far. */
  received(): number;
  close(): void;
};

let received = 0;
let leave: (() => void)[] = [];

const ask: Record<Relay['protocol'], (url: string, key: string | undefined, at: number) => Promise<void>> = {
  async ws(url, key, at) {
    const socket = new WebSocket(url, { headers: key === undefined ? {} : { 'x-api-key': key } });
    leave.push(() => socket.terminate());
    socket.on('message', (data: Buffer) => {
      received += data.length;
    });
    await once(socket, 'open');
    const { prompt } = question;
    socket.send(
      JSON.stringify({ type: 'search.start', ref: String(at), on_disconnect: 'cancel', request: { prompt } }),
    );
  },

  async sse(url) {
    const request: ClientRequest = httpRequest(url, { method: 'POST', agent: false });
    leave.push(() => request.destroy());
    request.on('error', () => {});
    request.end();
    const [response] = await once(request, 'response');
    response.on('data', (data: Buffer) => {
      received += data.length;
    });
    response.on('error', () => {});
  },

  async 'socket.io'(url) {
    const socket = io(url, { transports: ['websocket'], forceNew: true, reconnection: false });
    leave.push(() => socket.close());
    socket.on('answer.delta', ({ text }: { text: string }) => {
      received += text.length;
    });
    await new Promise<void>((resolve) => socket.on('connect', resolve));
    socket.emit('search');
  },
};

serve<ReadersApi>({
  async open({ url, protocol, keys }, count) {
    for (let at = 0; at < count; at += 1) await ask[protocol](url, keys?.[at % keys.length], at);
  },
  received: () => received,
  close() {
    for (const each of leave) each();
    leave = [];
  },
});
