/**
 * The Server of exchange.ts over node:http and ws, for platforms without a build of the native server: slower, and the same
 * to every client. Node's parser refuses ambiguous framing itself; framing.ts checks it nonetheless.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { createBodyBudget } from '../body-budget.ts';
import type { ConnectionLimit } from '../connection-limit.ts';
import { type Handlers, maxFrameBytes, type Server } from '../exchange.ts';
import { asksToClose } from '../framing.ts';
import { socketLimits } from '../socket-limits.ts';
import { statusLine } from '../status-line.ts';
import type { Certificate } from '../tls/certificate.ts';
import { checkRequest } from './check-request.ts';
import { closeSoon, openExchange, openUpgrade } from './exchange.ts';
import { createWsSocket } from './socket.ts';

export interface NodeServerOptions {
  readonly handlers: Handlers;
  readonly socketPath: string;
  /** For TLS; plain HTTP without it. */
  readonly certificate?: Certificate | undefined;
  readonly connections: ConnectionLimit;
  /** Called with errors that no answer can carry. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Pongs are limited by their bytes, like everything else that is sent; by default ws would end a connection after 60 pending
 * ones.
 */
const unlimitedPongs = { maxPendingAutoPongs: 0 };
/** In bytes and ms; set by hand, like those of the native server. Slow bodies are cut off by slow-body.ts. */
const limits = {
  maxHeaderSize: 16 * 1024,
  requestTimeout: 0,
  headersTimeout: 10_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 2_000,
};

/** `handlers` answer the requests and the upgrades at `socketPath`. */
export function createNodeServer(options: NodeServerOptions): Server {
  const { handlers, socketPath, certificate, connections, onFault } = options;
  let isDraining = false;
  const shared = { budget: createBodyBudget(), closesAfterAnswer: () => isDraining || connections.isScarce() };
  // Since Node 24.9 the parser asks, and handles any other request for an upgrade as it does all requests.
  const parsing = { ...limits, shouldUpgradeCallback: (request: IncomingMessage) => isHandshake(request, socketPath) };
  const secure = certificate === undefined ? undefined : createSecureServer({ ...parsing, ...tlsOf(certificate) });
  const server = secure ?? createServer(parsing);
  // Otherwise those above 2,000 would be dropped unseen, and with them what they say about the body.
  server.maxHeadersCount = 0;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
    ...unlimitedPongs,
  });
  /** The sockets that have sent something since the last round of pings; weak, as closed ones are not removed. */
  const alive = new WeakSet<WebSocket>();

  /** Connections that are parsed again. */
  const counted = new WeakSet<Duplex>();
  server.on('connection', (socket: Duplex) => {
    if (counted.has(socket)) return;
    counted.add(socket);
    socket.once('close', connections.close);
    if (!connections.open()) socket.destroy();
  });

  /** Connections whose last request has come: Node's parser continues with what follows it. */
  const over = new WeakSet<Duplex>();

  function answer(request: IncomingMessage, response: ServerResponse, awaitsContinue: boolean): void {
    const { socket, headers } = request;
    if (over.has(socket) || socket.destroyed) return;
    if (asksToClose(headers.connection)) over.add(socket);
    const status = checkRequest(request);
    if (status !== undefined) {
      over.add(socket);
      response.shouldKeepAlive = false;
      return void response.writeHead(status, { 'content-length': 0 }).end();
    }
    const exchange = openExchange(request, response, shared, awaitsContinue);
    if (exchange !== undefined) handlers.request(exchange).catch(onFault);
  }

  server.on('request', (request, response) => answer(request, response, false));
  server.on('checkContinue', (request, response) => answer(request, response, true));
  // Like the native server, it ignores what it does not know (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => answer(request, response, false));
  server.on('connect', (_, socket) => sendStatus(socket, 400));

  server.on('upgrade', (request, duplex, head) => {
    const status = checkRequest(request);
    if (status !== undefined) return sendStatus(duplex, status);
    if (!isHandshake(request, socketPath)) return handleAsRequest(request, duplex, head);
    const exchange = openUpgrade(request, duplex);
    // An error or the end of the connection before it is a WebSocket means that the client has left. Connections of
    // node:http would stay half open.
    const leave = () => {
      if (!duplex.writableEnded) duplex.destroy();
    };
    duplex.on('error', () => duplex.destroy());
    duplex.on('end', leave);
    if (hasBody(request)) return void duplex.destroy();
    const upgraded = handlers.upgrade(exchange).then((accepted) => {
      if (accepted === undefined) return;
      const { protocol, accept, abandon } = accepted;
      if (exchange.signal.aborted) return abandon();
      // ws chooses the subprotocol from the request's header.
      if (protocol === undefined) delete request.headers['sec-websocket-protocol'];
      else request.headers['sec-websocket-protocol'] = protocol;
      duplex.off('end', leave);
      let isOpen = false;
      sockets.handleUpgrade(request, duplex, head, (ws) => {
        isOpen = true;
        accept(watch(ws));
      });
      // ws calls back before it returns, or never: it refuses the key, or the connection is being destroyed.
      if (!isOpen) abandon();
    });
    upgraded.catch(onFault);
  });

  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable || error.code === 'ECONNRESET' || error.code?.startsWith('ERR_SSL_'))
      return void socket.destroy();
    // It follows the last request, whose answer closes the connection.
    if (over.has(socket)) return;
    const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
    sendStatus(socket, status);
  });

  /**
   * Any other upgrade is ignored (RFC 9110, 7.8). A Node whose parser does not ask parses the request again, without the headers
   * that ask for the upgrade.
   */
  function handleAsRequest(
    { method, url, httpVersion, rawHeaders, headers }: IncomingMessage,
    duplex: Duplex,
    head: Buffer,
  ): void {
    const fields = Array.from({ length: rawHeaders.length / 2 }, (_, at) => rawHeaders.slice(2 * at, 2 * at + 2));
    const kept = fields.filter(([name = '']) => !/^(?:connection|upgrade|http2-settings)$/i.test(name));
    if (/\bclose\b/i.test(headers.connection ?? '')) kept.push(['connection', 'close']);
    const lines = [`${method} ${url} HTTP/${httpVersion}`, ...kept.map((field) => field.join(': ')), '', ''];
    duplex.unshift(Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), head]));
    server.emit(secure === undefined ? 'connection' : 'secureConnection', duplex);
  }

  /** A connection that has sent nothing since the last round of pings is dead. */
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
    return createWsSocket(ws);
  }

  return {
    listen(host, port) {
      return new Promise((resolve, reject) => {
        server.once('error', (error) =>
          reject(new Error(`Cannot listen on ${host}:${port}: ${error.message}. Set PORT or HOST to another.`)),
        );
        server.listen(port, host, () => resolve({ port: (server.address() as AddressInfo).port }));
      });
    },
    renew(renewed) {
      secure?.setSecureContext(tlsOf(renewed));
    },
    drain() {
      isDraining = true;
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

/** A handshake takes no longer than the headers that follow it. */
function tlsOf({ cert, key }: Certificate) {
  return { cert, key, handshakeTimeout: limits.headersTimeout };
}

/** Answers a request that has no response object, and closes. */
function sendStatus(socket: Duplex, status: number): void {
  socket.end(`HTTP/1.1 ${statusLine(status)}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  closeSoon(socket);
}

/** Like the native server, and like ws. `path` is that of the WebSocket. */
function isHandshake({ method, url = '', headers }: IncomingMessage, path: string): boolean {
  return method === 'GET' && url.split('?')[0] === path && (headers['sec-websocket-key'] ?? '').length >= 24;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
}
