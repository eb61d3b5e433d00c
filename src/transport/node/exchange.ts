/** A request of node:http as an Exchange, and the answers to it. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { onAbort } from '../../base/abort.ts';
import { AppError } from '../../base/errors.ts';
import { clientLeft } from '../client-left.ts';
import type { Exchange, ExchangeShared, Headers, RequestHead, Stream } from '../exchange.ts';
import { readFraming } from '../framing.ts';
import { createRequestBody } from '../request-body.ts';
import { statusLine } from '../status-line.ts';
import { cutOffWhenSlow } from './slow-body.ts';

/**
 * With `awaitsContinue` the client sends the body when it is asked to, which is when somebody needs it. Returns undefined for
 * a request with ambiguous framing headers, whose connection it has cut off.
 */
export function openExchange(
  request: IncomingMessage,
  response: ServerResponse,
  { budget, closesAfterAnswer }: ExchangeShared,
  awaitsContinue: boolean,
): Exchange | undefined {
  const { head, all } = readHead(request);
  const framing = readFraming(all('content-length'), all('transfer-encoding'));
  if (framing === undefined) {
    request.socket.destroy();
    return undefined;
  }
  const left = new AbortController();
  const body = createRequestBody(framing, budget, left.signal, request);
  let answered = false;
  /** Whether the client waits to be asked for the body. */
  let holdsBack = awaitsContinue && !body.isComplete();
  response.on('close', () => {
    if (!response.writableFinished) left.abort(clientLeft());
  });
  request.on('data', (chunk: Buffer) => body.add(chunk, false));
  request.on('end', () => body.add(new Uint8Array(), true));
  request.on('error', () => {});
  if (!body.isComplete()) cutOffWhenSlow(request);

  const send = (status: number, fields: Headers, content: string | Uint8Array) => {
    if (left.signal.aborted) return;
    const hasBody = status !== 204 && status !== 304;
    const length = hasBody ? { 'content-length': Buffer.byteLength(content) } : {};
    if (!body.isComplete() || closesAfterAnswer()) response.shouldKeepAlive = false;
    response.writeHead(status, { ...fields, ...length });
    response.end(request.method === 'HEAD' || !hasBody ? undefined : content);
    cutOffUnread(response);
  };

  return {
    ...head,
    signal: left.signal,
    body(maxBytes) {
      const whole = body.whole(maxBytes);
      if (holdsBack && body.isWanted()) {
        holdsBack = false;
        response.writeContinue();
      }
      return whole;
    },
    respond(status, fields, content) {
      if (left.signal.aborted || answered) return;
      answered = true;
      body.drop();
      // A client that was not asked for its body sends none.
      if (body.isComplete() || (holdsBack && !body.hasBegun())) send(status, fields, content);
      else body.over.then(() => send(status, fields, content));
    },
    stream(fields) {
      answered = true;
      return createStream(response, left.signal, fields);
    },
  };
}

/** How long a client may read nothing of an answer that waits for it, ms; about as long as with the native server. Set by hand. */
const unreadMs = 12_000;
/** How long a connection may stay half open after its last answer, ms; set by hand. */
const halfOpenMs = 2_000;

/**
 * Cuts the connection off if nothing of an ended answer can be sent for a while, because its rest would stay in memory. Uses the
 * timeout of the socket, since only the socket knows when part of a large piece has been sent.
 */
function cutOffUnread(response: ServerResponse): void {
  if (response.writableFinished) return;
  response.setTimeout(unreadMs, () => response.destroy());
  // Before Node's own listener, which hands the socket and its timeout to the next answer: that one may be silent for longer.
  response.prependOnceListener('finish', () => response.socket?.setTimeout(0));
}

/** Closes a connection whose last answer was written, also when the client does not close its side. */
export function closeSoon(duplex: Duplex): void {
  const timer = setTimeout(() => duplex.destroy(), halfOpenMs).unref();
  duplex.once('close', () => clearTimeout(timer));
}

/** A request for an upgrade has no response object: if it is refused, the answer is written to the connection itself. */
export function openUpgrade(request: IncomingMessage, duplex: Duplex): Exchange {
  const left = new AbortController();
  duplex.on('close', () => left.abort(clientLeft()));
  return {
    ...readHead(request).head,
    signal: left.signal,
    body: async () => new Uint8Array(),
    respond(status, fields, content) {
      if (left.signal.aborted) return;
      const lines = Object.entries({ ...fields, 'content-length': Buffer.byteLength(content), connection: 'close' });
      const fieldLines = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      duplex.write(`HTTP/1.1 ${statusLine(status)}\r\n${fieldLines}\r\n`);
      duplex.end(content);
      closeSoon(duplex);
    },
    stream() {
      throw new AppError('internal', 'An upgrade is not answered with a stream.');
    },
  };
}

/** The head of the request; `all` returns every value of a header that may be repeated. */
function readHead(request: IncomingMessage): { head: RequestHead; all: (name: string) => string[] } {
  const headers = new Map<string, string>();
  const values: [string, string][] = [];
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const name = request.rawHeaders[at]!.toLowerCase();
    const value = request.rawHeaders[at + 1]!;
    values.push([name, value]);
    const known = headers.get(name);
    headers.set(name, known === undefined ? value : `${known}, ${value}`);
  }
  const [path = '', ...query] = (request.url ?? '').split('?');
  return {
    all: (wanted: string) => values.filter(([name]) => name === wanted).map(([, value]) => value),
    head: {
      id: randomUUID(),
      method: request.method ?? '',
      path,
      query: query.join('?'),
      headers,
      address: request.socket.remoteAddress ?? '',
    },
  };
}

/**
 * A streamed answer. Whether it can be written to is asked of its connection: what `write` returns within a cork, and whether a
 * `drain` of the response follows, differ between releases of Node, and from Node 22 on there may be none.
 */
function createStream(response: ServerResponse, signal: AbortSignal, fields: Headers): Stream {
  let writable = true;
  let onDrained = () => {};
  const open = () => !signal.aborted && !response.writableEnded;
  const look = () => {
    const { socket, writableLength, writableHighWaterMark } = response;
    writable = socket === null ? writableLength < writableHighWaterMark : !socket.writableNeedDrain;
  };
  const wake = () => {
    look();
    if (writable) onDrained();
  };
  const follow = (socket: Duplex) => {
    socket.on('drain', wake);
    response.once('close', () => socket.off('drain', wake));
  };
  if (response.socket !== null) follow(response.socket);
  else {
    // It waits for the answer before it on the same connection, and is flushed right after this event.
    response.once('socket', (socket: Duplex) => {
      follow(socket);
      process.nextTick(wake);
    });
  }
  if (open()) {
    response.writeHead(200, fields);
    response.flushHeaders();
  }
  return {
    canWrite: () => writable,
    write(text) {
      if (!open()) return;
      response.write(text);
      look();
    },
    cork(writes) {
      if (!open()) return;
      response.cork();
      writes();
      response.uncork();
      look();
    },
    onDrain(listener) {
      onDrained = listener;
    },
    onClose: (listener) => onAbort(signal, listener),
    end() {
      if (!open()) return;
      response.end();
      cutOffUnread(response);
    },
    terminate: () => response.destroy(),
  };
}
