/**
 * The Server of exchange.ts over node:http and ws, for wherever no build of the native server fits: slower, and the same to
 * every caller. Node's parser refuses by itself what could be read in two ways; framing.ts is asked all the same.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { AppError } from '../../base/errors.ts';
import { type Exchange, type Handlers, type Headers, maxFrameBytes, type Server, type Stream } from '../exchange.ts';
import { readFraming } from '../framing.ts';
import { type BodyBudget, createRequestBody } from '../request-body.ts';
import { socketLimits } from '../socket-limits.ts';
import { createWsSocket } from './socket.ts';

export interface NodeServerOptions {
  readonly handlers: Handlers;
  readonly socketPath: string;
  /** Told of faults that have nobody else to go to. */
  readonly onFault: (error: unknown) => void;
}

/** Pongs are bounded by their bytes, as everything that is sent; the package would cut a connection past sixty at once. */
const noLimit = { maxPendingAutoPongs: 0 };
const limits = { maxHeaderSize: 16 * 1024, requestTimeout: 60_000, headersTimeout: 10_000, keepAliveTimeout: 10_000 };

export function createNodeServer({ handlers, socketPath, onFault }: NodeServerOptions): Server {
  const budget: BodyBudget = { held: 0 };
  const server = createServer(limits);
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
    ...noLimit,
  });
  const alive = new Set<WebSocket>();

  server.on('request', (request, response) => {
    const exchange = openRequest(request, response, budget);
    if (exchange !== undefined) handlers.request(exchange).catch(onFault);
  });

  server.on('upgrade', (request, duplex, head) => {
    const exchange = openUpgrade(request, duplex);
    if (!asksForSocket(request, exchange.path)) return passOver(request, duplex, head);
    // A fault of the socket before there is a WebSocket is the client's leaving.
    duplex.on('error', () => duplex.destroy());
    if (hasBody(request)) return void duplex.destroy();
    const upgraded = handlers.upgrade(exchange).then((accepted) => {
      if (accepted === undefined || exchange.signal.aborted) return;
      const { protocol, accept } = accepted;
      // ws chooses the subprotocol from what it finds in the request.
      if (protocol === undefined) delete request.headers['sec-websocket-protocol'];
      else request.headers['sec-websocket-protocol'] = protocol;
      sockets.handleUpgrade(request, duplex, head, (ws) => accept(watch(ws)));
    });
    upgraded.catch(onFault);
  });

  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
    const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  });

  /** What the native server takes for a handshake, and ws does: anything else is a request like others. */
  function asksForSocket({ method, headers }: IncomingMessage, path: string): boolean {
    return method === 'GET' && path === socketPath && (headers['sec-websocket-key'] ?? '').length >= 24;
  }

  /** To an upgrade that is none of ours the request is one like others: it is read again, without its wish. */
  function passOver(
    { method, url, httpVersion, rawHeaders, headers }: IncomingMessage,
    duplex: Duplex,
    head: Buffer,
  ): void {
    const fields = Array.from({ length: rawHeaders.length / 2 }, (_, at) => rawHeaders.slice(2 * at, 2 * at + 2));
    const kept = fields.filter(([name = '']) => !/^(?:connection|upgrade|http2-settings)$/i.test(name));
    if (/\bclose\b/i.test(headers.connection ?? '')) kept.push(['connection', 'close']);
    const lines = [`${method} ${url} HTTP/${httpVersion}`, ...kept.map((field) => field.join(': ')), '', ''];
    duplex.unshift(Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), head]));
    server.emit('connection', duplex);
  }

  /** A line that says nothing for a whole round of pings is dead. */
  const pings = setInterval(() => {
    for (const ws of sockets.clients) {
      if (!alive.delete(ws)) ws.terminate();
      else ws.ping();
    }
  }, socketLimits.pingIntervalMs);
  pings.unref();

  function watch(ws: WebSocket) {
    alive.add(ws);
    ws.on('pong', () => alive.add(ws));
    ws.on('message', () => alive.add(ws));
    return createWsSocket(ws, (data: RawData) => String(data));
  }

  return {
    listen(host, port) {
      return new Promise((resolve, reject) => {
        server.once('error', (error) => reject(new Error(`${host}:${port} cannot be listened on: ${error.message}.`)));
        server.listen(port, host, () => resolve({ port: (server.address() as AddressInfo).port }));
      });
    },
    stopListening() {
      server.close();
    },
    close() {
      clearInterval(pings);
      server.close();
      for (const ws of sockets.clients) ws.terminate();
      server.closeAllConnections();
    },
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
}

/** Undefined when its framing is not to be trusted, and it was cut off. */
function openRequest(request: IncomingMessage, response: ServerResponse, budget: BodyBudget): Exchange | undefined {
  const about = describe(request);
  const framing = readFraming(about.all('content-length'), about.all('transfer-encoding'));
  if (framing === undefined) {
    request.socket.destroy();
    return undefined;
  }
  const left = new AbortController();
  const body = createRequestBody(framing, budget, left.signal);
  let answered = false;
  response.on('close', () => {
    if (!response.writableFinished) left.abort(new AppError('internal', 'The client left before the answer.'));
  });
  request.on('data', (chunk: Buffer) => body.add(chunk, false));
  request.on('end', () => body.add(new Uint8Array(), true));
  request.on('error', () => {});

  const send = (status: number, fields: Headers, content: string | Uint8Array) => {
    if (left.signal.aborted) return;
    const hasBody = status !== 204 && status !== 304;
    const length = hasBody ? { 'content-length': Buffer.byteLength(content) } : {};
    if (!body.isComplete()) response.shouldKeepAlive = false;
    response.writeHead(status, { ...fields, ...length });
    response.end(request.method === 'HEAD' || !hasBody ? undefined : content);
  };

  return {
    ...about.exchange,
    signal: left.signal,
    body: body.whole,
    respond(status, fields, content) {
      if (left.signal.aborted || answered) return;
      answered = true;
      body.drop();
      if (body.isComplete()) send(status, fields, content);
      else body.over.then(() => send(status, fields, content));
    },
    stream(fields) {
      answered = true;
      return createStream(response, left.signal, fields);
    },
  };
}

/** A request for an upgrade has no response object: what is not upgraded is answered on the bare connection. */
function openUpgrade(request: IncomingMessage, duplex: Duplex): Exchange {
  const left = new AbortController();
  duplex.on('close', () => left.abort(new AppError('internal', 'The client left before the answer.')));
  return {
    ...describe(request).exchange,
    signal: left.signal,
    body: async () => new Uint8Array(),
    respond(status, fields, content) {
      if (left.signal.aborted) return;
      const lines = Object.entries({ ...fields, 'content-length': Buffer.byteLength(content), connection: 'close' });
      const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      duplex.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n`);
      duplex.end(content);
    },
    stream() {
      throw new AppError('internal', 'An upgrade is not answered with a stream.');
    },
  };
}

function describe(request: IncomingMessage) {
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
    exchange: {
      id: randomUUID(),
      method: request.method ?? '',
      path,
      query: query.join('?'),
      headers,
      address: request.socket.remoteAddress ?? '',
    },
  };
}

function createStream(response: ServerResponse, signal: AbortSignal, fields: Headers): Stream {
  let room = true;
  const open = () => !signal.aborted && !response.writableEnded;
  if (open()) {
    response.writeHead(200, fields);
    response.flushHeaders();
  }
  return {
    canWrite: () => room,
    write(text) {
      if (open()) room = response.write(text) && room;
    },
    cork(writes) {
      if (!open()) return;
      response.cork();
      writes();
      response.uncork();
    },
    onDrain(listener) {
      response.on('drain', () => {
        room = true;
        listener();
      });
    },
    onClose(listener) {
      if (signal.aborted) listener();
      else signal.addEventListener('abort', listener, { once: true });
    },
    end() {
      if (open()) response.end();
    },
    terminate: () => response.destroy(),
  };
}
