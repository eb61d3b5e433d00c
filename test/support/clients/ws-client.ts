/** A WebSocket client that queues the frames it receives, so that none is missed between two awaits. */
import { WebSocket } from 'ws';
import type { SearchFrame } from '../../../protocol/index.ts';

export type Frame = { type: string; ref?: string; search_id?: string; [field: string]: unknown };

/** A frame with this type, for `next`. */
export const ofType = (type: string) => (frame: Frame) => frame.type === type;

/** What a frame of the type `error` says. */
export const errorOf = (frame: Frame) =>
  frame.error as { code: string; message: string; issues?: { loc: unknown[] }[] };

/** The text of a ping, which is answered with a pong of this ref. */
export const ping = (ref: string) => JSON.stringify({ type: 'ping', ref });

export interface WsClient {
  send(frame: unknown): void;
  /** The next frame that matches, in order of arrival; frames that do not match stay in the queue. */
  next(fits: (frame: Frame) => boolean): Promise<Frame>;
  /** All frames of one search, from the first received to its terminal event. */
  search(search_id: string): Promise<SearchFrame[]>;
  /** Starts a search; resolves with its id. */
  start(request: unknown, fields?: Record<string, unknown>): Promise<string>;
  readonly received: readonly Frame[];
  readonly closed: Promise<{ code: number; reason: string }>;
  readonly raw: WebSocket;
  close(): void;
}

export async function connect(
  url: string,
  headers: Record<string, string>,
  protocols: string[] = [],
): Promise<WsClient> {
  const raw = new WebSocket(`${url.replace(/^http/, 'ws')}/v1/ws/search`, protocols, { headers });
  const received: Frame[] = [];
  const taken = new Set<Frame>();
  const waiting = new Set<() => void>();
  let fault = '';
  raw.on('error', (error) => {
    fault = error.message;
  });
  raw.on('message', (data) => {
    received.push(JSON.parse(String(data)));
    for (const wake of [...waiting]) wake();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    raw.on('close', (code, reason) => {
      resolve({ code, reason: reason.toString() });
      for (const wake of [...waiting]) wake();
    });
  });
  await new Promise<void>((resolve, reject) => {
    raw.on('open', resolve);
    raw.on('error', reject);
    raw.on('unexpected-response', (_, response) => reject(new Refused(response.statusCode ?? 0)));
  });

  async function next(fits: (frame: Frame) => boolean): Promise<Frame> {
    for (;;) {
      const found = received.find((frame) => !taken.has(frame) && fits(frame));
      if (found !== undefined) {
        taken.add(found);
        return found;
      }
      if (raw.readyState === WebSocket.CLOSED) {
        const { code, reason } = await closed;
        throw new Error(`the connection closed before the frame came: ${code} ${reason} ${fault}`);
      }
      await new Promise<void>((resolve) => {
        const wake = () => {
          waiting.delete(wake);
          resolve();
        };
        waiting.add(wake);
      });
    }
  }

  let refs = 0;
  return {
    raw,
    received,
    closed,
    next,
    send: (frame) => raw.send(typeof frame === 'string' ? frame : JSON.stringify(frame)),
    async search(search_id) {
      const ofSearch = (frame: Frame) => frame.search_id === search_id && typeof frame.seq === 'number';
      await next((frame) => ofSearch(frame) && /^search\.(completed|failed|cancelled)$/.test(frame.type));
      return received.filter(ofSearch) as unknown as SearchFrame[];
    },
    async start(request, fields = {}) {
      const ref = `start-${(refs += 1)}`;
      raw.send(JSON.stringify({ type: 'search.start', ref, request, ...fields }));
      const frame = await next((each) => each.ref === ref);
      if (frame.type !== 'search.attached') throw new Error(`refused: ${JSON.stringify(frame)}`);
      return frame.search_id!;
    },
    close: () => raw.close(),
  };
}

/** The server answered the upgrade with this status. */
export class Refused extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`the upgrade was answered with ${status}`);
    this.status = status;
  }
}
