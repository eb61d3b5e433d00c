/**
 * The clients of a relay in a separate process: they send a question and count the bytes they receive. Over WebSockets they
 * also record how long the first frame took and, where tokens are timestamped, the age of each and whether one is missing.
 */
import { once } from 'node:events';
import { type ClientRequest, request as httpRequest } from 'node:http';
import { io } from 'socket.io-client';
import { WebSocket } from 'ws';
import { serve } from './processes.ts';
import { question, type Relay } from './relay.ts';
import { readTimestampedTokens } from './timestamped-tokens.ts';

export type ReadersApi = {
  /** Resolves when `count` more readers have sent their question. */
  open(relay: Omit<Relay, 'close'>, count: number): Promise<void>;
  /** Bytes received so far. */
  received(): number;
  /** Starts to record the age of every token. */
  watch(): void;
  /** What was recorded since then. `lost` counts tokens that are missing, duplicated or out of order. */
  seen(): { readonly ages: readonly number[]; readonly firstFrames: readonly number[]; readonly lost: number };
  close(): void;
};

/** Readers that connect at the same time. */
const atOnce = 20;

let received = 0;
let leave: (() => void)[] = [];
let watches = false;
let ages: number[] = [];
let firstFrames: number[] = [];
let lost = 0;

function recordTokens(text: string, expected: number): number {
  let next = expected;
  for (const { n, ageMs } of readTimestampedTokens(text)) {
    if (n !== next) lost += 1;
    next = n + 1;
    if (watches) ages.push(ageMs);
  }
  return next;
}

type Ask = (relay: Omit<Relay, 'close'>, key: string | undefined, at: number) => Promise<void>;

const ask: Record<Relay['protocol'], Ask> = {
  async ws({ url }, key, at) {
    const socket = new WebSocket(url, { headers: key === undefined ? {} : { 'x-api-key': key } });
    leave.push(() => socket.terminate());
    let asked = 0;
    let next = 0;
    socket.on('message', (data: Buffer) => {
      received += data.length;
      if (asked > 0) firstFrames.push(performance.now() - asked);
      asked = 0;
      const frame = data.toString('utf8');
      if (frame.includes('"answer.delta"')) next = recordTokens((JSON.parse(frame) as { text: string }).text, next);
    });
    await once(socket, 'open');
    const { prompt } = question;
    asked = performance.now();
    socket.send(
      JSON.stringify({ type: 'search.start', ref: String(at), on_disconnect: 'cancel', request: { prompt } }),
    );
  },

  async sse({ url, body }, key) {
    const ofBody = body === undefined ? {} : { 'content-type': 'application/json', accept: 'text/event-stream' };
    const headers = { ...ofBody, ...(key === undefined ? {} : { 'x-api-key': key }) };
    const request: ClientRequest = httpRequest(url, { method: 'POST', agent: false, headers });
    leave.push(() => request.destroy());
    request.on('error', () => {});
    request.on('response', (response) => {
      response.on('data', (data: Buffer) => {
        received += data.length;
      });
      response.on('error', () => {});
    });
    // Some servers send their headers with the first token, which is not written until all have asked.
    await new Promise<void>((resolve) => request.end(body, resolve));
  },

  async 'socket.io'({ url }) {
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
  async open(relay, count) {
    const { protocol, keys } = relay;
    for (let at = 0; at < count; at += atOnce) {
      const some = Array.from({ length: Math.min(atOnce, count - at) }, (_, i) => at + i);
      await Promise.all(some.map((each) => ask[protocol](relay, keys?.[each % keys.length], each)));
    }
  },
  received: () => received,
  watch() {
    [watches, ages, lost] = [true, [], 0];
  },
  seen: () => ({ ages, firstFrames, lost }),
  close() {
    for (const each of leave) each();
    leave = [];
    [watches, ages, firstFrames, lost] = [false, [], [], 0];
  },
});
