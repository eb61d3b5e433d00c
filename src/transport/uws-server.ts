/**
 * The Server of port.ts over uWebSockets.js; the only file that writes to its sockets. Its rules, kept here: a request
 * object is gone after the first await, so everything is copied at once; `onAborted` and `onData` are attached before
 * any await; every write is inside a cork and none comes after an abort; messages are copied, for their memory is taken
 * back.
 *
 * No request is run that was hidden in another. One whose framing headers can be read in two ways is cut off, unanswered,
 * since an answer would let what follows it run. The native parser takes the first two bytes behind the last chunk for
 * the line's end, whatever they are, and what comes then for a request: so a chunked request is the last of its
 * connection, and is answered in a later turn than it came in, for the native server breaks a connection off when a
 * second request comes before the first was answered.
 *
 * What it answers by itself and this file cannot mend: HTTP/1.0 and absolute URLs get 505, chunk extensions and trailers
 * are not understood, a malformed request gets a bare 400 or 431, and two requests sent without waiting lose both answers.
 */
import type { HttpRequest, HttpResponse, TemplatedApp, us_listen_socket, WebSocket } from 'uWebSockets.js';
import { randomUUID } from 'node:crypto';
import { AppError } from '../errors.ts';
import { type CorkHolder, openCorkHolder } from './cork-holder.ts';
import { readFraming } from './framing.ts';
import type { LoadedUws, Uws } from './load-uws.ts';
import {
  type Exchange,
  type Handlers,
  type Headers,
  nativeFrameBytes,
  type Server,
  type Socket,
  type Stream,
} from './port.ts';
import { type BodyBudget, createRequestBody } from './request-body.ts';
import { closeReason, socketBounds } from './socket-bounds.ts';
import { statusLine } from './status-line.ts';

export interface UwsOptions {
  readonly loaded: LoadedUws;
  readonly handlers: Handlers;
  readonly socketPath: string;
  /** Told of faults that have nobody else to go to. */
  readonly onFault: (error: unknown) => void;
}

interface SocketData {
  readonly accept: (socket: Socket) => void;
  listeners: Listeners;
}

interface Listeners {
  message?: (text: string | undefined) => void;
  room?: () => void;
  gone?: () => void;
}

/** Seconds without a byte after which a dead connection is noticed; pings are sent in between. */
const idleTimeoutS = 60;

/** The native server gives a response up that found no room for 8 to 12 s; the pump, after 20. */
const patienceMs = 7_000;

export function createUwsServer({ loaded: { uws }, handlers, socketPath, onFault }: UwsOptions): Server {
  const app = uws.App();
  const budget: BodyBudget = { held: 0 };
  let listening: us_listen_socket | undefined;
  let holder: CorkHolder | undefined;

  app.any('/*', (response, request) => {
    const exchange = open(response, request, budget);
    if (exchange !== undefined) handlers.request(exchange).catch(onFault);
  });

  app.ws<SocketData>(socketPath, {
    maxPayloadLength: nativeFrameBytes,
    // Frames are lost silently above this; the room above keeps far below it.
    maxBackpressure: 64 * 1024 * 1024,
    closeOnBackpressureLimit: false,
    idleTimeout: idleTimeoutS,
    sendPingsAutomatically: true,
    upgrade(response, request, context) {
      const key = request.getHeader('sec-websocket-key');
      const extensions = request.getHeader('sec-websocket-extensions');
      if (!canUpgrade(request)) return void response.close();
      const exchange = open(response, request, budget);
      if (exchange === undefined) return;
      const upgraded = handlers.upgrade(exchange).then((accepted) => {
        if (accepted === undefined || exchange.gone.aborted) return;
        const { protocol = '', accept } = accepted;
        const act = () => response.upgrade({ accept, listeners: {} }, key, protocol, extensions, context);
        if (holder === undefined) act();
        else holder.cork(act);
      });
      upgraded.catch(onFault);
    },
    open(ws) {
      const { accept, listeners } = ws.getUserData();
      accept(createSocket(ws, listeners));
    },
    message(ws, message, isBinary) {
      if (cutFlood(ws)) return;
      const text = isBinary ? undefined : Buffer.from(message).toString('utf8');
      ws.getUserData().listeners.message?.(text);
    },
    ping(ws) {
      cutFlood(ws);
    },
    drain(ws) {
      if (ws.getBufferedAmount() < socketBounds.resumeBelowBytes) ws.getUserData().listeners.room?.();
    },
    close(ws) {
      ws.getUserData().listeners.gone?.();
    },
  });

  return {
    async listen(host, port) {
      listening = await listenExclusively(uws, app, host, port);
      holder = await openCorkHolder(uws);
      return { port: uws.us_socket_local_port(listening) };
    },
    stopListening() {
      if (listening !== undefined) uws.us_listen_socket_close(listening);
      listening = undefined;
    },
    close() {
      this.stopListening();
      app.close();
      holder?.close();
    },
  };
}

/** Without the option two processes share a port silently; its form with four arguments is missing from the types. */
function listenExclusively(uws: Uws, app: TemplatedApp, host: string, port: number): Promise<us_listen_socket> {
  type OnListen = (socket: us_listen_socket | false) => void;
  type Listen = (host: string, port: number, options: number, onListen: OnListen) => void;
  const { LIBUS_LISTEN_EXCLUSIVE_PORT: exclusive } = uws as unknown as { LIBUS_LISTEN_EXCLUSIVE_PORT: number };
  return new Promise((resolve, reject) => {
    const onListen: OnListen = (socket) => (socket ? resolve(socket) : reject(new Error(notOurs(host, port))));
    (app.listen as unknown as Listen).call(app, host, port, exclusive, onListen);
  });
}

/**
 * What followed a body would be read as frames. And where the first Connection header has five letters the native server
 * takes them for "close": it would close, in the middle of the upgrade, what is being made a socket.
 */
function canUpgrade(request: HttpRequest): boolean {
  const hasBody = request.getHeader('transfer-encoding') !== '' || Number(request.getHeader('content-length')) !== 0;
  return !hasBody && request.getHeader('connection').length !== 'close'.length;
}

function cutFlood(ws: WebSocket<SocketData>): boolean {
  const isFlood = ws.getBufferedAmount() > socketBounds.floodBytes;
  if (isFlood) ws.close();
  return isFlood;
}

function notOurs(host: string, port: number): string {
  return `${host}:${port} cannot be listened on: another process has it, or it is not an address of this machine.`;
}

/** Copies what the request says and attaches to it, in the turn it came in. Undefined when it was cut off. */
function open(response: HttpResponse, request: HttpRequest, budget: BodyBudget): Exchange | undefined {
  const headers = new Map<string, string>();
  const lengths: string[] = [];
  const codings: string[] = [];
  request.forEach((name, value) => {
    if (name === 'content-length') lengths.push(value);
    if (name === 'transfer-encoding') codings.push(value);
    const known = headers.get(name);
    headers.set(name, known === undefined ? value : `${known}, ${value}`);
  });
  const framing = readFraming(lengths, codings);
  if (framing === undefined) {
    response.close();
    return undefined;
  }
  const method = request.getCaseSensitiveMethod();
  const left = new AbortController();
  let answered = false;
  response.onAborted(() => left.abort(new AppError('internal', 'The client left before the answer.')));
  const body = createRequestBody(framing, budget, left.signal);
  response.onData(body.add);

  const begin = (status: number, fields: Headers) => {
    response.writeStatus(statusLine(status));
    for (const [name, value] of Object.entries(fields)) response.writeHeader(name, value);
  };
  const send = (status: number, fields: Headers, content: string | Uint8Array) => {
    if (left.signal.aborted) return;
    // Behind a body that was not read to its end only a new connection is sure to begin with a request.
    const isLast = framing.chunked || !body.isComplete();
    const hasBody = method !== 'HEAD' && status !== 204 && status !== 304;
    response.cork(() => {
      begin(status, fields);
      if (hasBody || isLast) return response.end(hasBody ? content : '', isLast);
      // Told the length, the native server would wait for as many bytes, and break off at the next request.
      if (method === 'HEAD') response.writeHeader('content-length', `${Buffer.byteLength(content)}`);
      response.endWithoutBody();
    });
  };

  return {
    id: randomUUID(),
    method,
    path: request.getUrl(),
    query: request.getQuery() ?? '',
    headers,
    address: Buffer.from(response.getRemoteAddressAsText()).toString(),
    gone: left.signal,
    body: body.whole,
    respond(status, fields, content) {
      if (left.signal.aborted || answered) return;
      answered = true;
      body.drop();
      if (framing.chunked) body.over.then(() => setImmediate(send, status, fields, content));
      else if (body.isComplete()) send(status, fields, content);
      else body.over.then(() => send(status, fields, content));
    },
    stream(fields) {
      answered = true;
      return createStream(response, left.signal, () => begin(200, fields), framing.chunked);
    },
  };
}

/** A response that goes on. `write` says when the client is slow; `onWritable`, attached once, says when it is not. */
function createStream(response: HttpResponse, gone: AbortSignal, begin: () => void, isLast: boolean): Stream {
  let room = true;
  let ended = gone.aborted;
  let onRoom: (() => void) | undefined;
  let patience: NodeJS.Timeout | undefined;
  const cork = (writes: () => void) => {
    if (!gone.aborted && !ended) response.cork(writes);
  };
  if (!ended) {
    response.onWritable(() => {
      room = true;
      beAtEase();
      // A comment keeps the native server waiting for room even when the pump has nothing to say.
      cork(() => response.write(':\n\n'));
      onRoom?.();
      return true;
    });
  }
  const waitOn = (times: number) => {
    if (gone.aborted || ended) return;
    if (times > 1) patience = setTimeout(waitOn, patienceMs, times - 1);
    // Reading on is what makes the native server wait for another 10 s.
    response.pause();
    response.resume();
  };
  const beAtEase = () => {
    clearTimeout(patience);
    patience = undefined;
  };
  gone.addEventListener('abort', beAtEase, { once: true });
  cork(begin);
  return {
    hasRoom: () => room,
    write(text) {
      if (gone.aborted || ended) return;
      room = response.write(text) && room;
      if (!room) patience ??= setTimeout(waitOn, patienceMs, 2);
    },
    cork,
    onRoom: (listener) => {
      onRoom = listener;
    },
    onGone: (listener) => {
      if (gone.aborted) listener();
      else gone.addEventListener('abort', listener, { once: true });
    },
    end() {
      beAtEase();
      cork(() => {
        ended = true;
        response.end(undefined, isLast);
      });
    },
    cut() {
      if (!gone.aborted && !ended) response.close();
    },
  };
}

function createSocket(ws: WebSocket<SocketData>, listeners: Listeners): Socket {
  let open = true;
  let onGone: (() => void) | undefined;
  listeners.gone = () => {
    open = false;
    onGone?.();
  };
  return {
    hasRoom: (bytes) => {
      const held = open ? ws.getBufferedAmount() : 0;
      return held === 0 || held + bytes <= socketBounds.roomBytes;
    },
    write(text) {
      if (open) ws.send(text);
    },
    cork(writes) {
      if (open) ws.cork(writes);
    },
    onMessage: (listener) => {
      listeners.message = listener;
    },
    onRoom: (listener) => {
      listeners.room = listener;
    },
    onGone: (listener) => {
      onGone = listener;
    },
    close(code, reason) {
      if (open) ws.end(code, closeReason(reason));
    },
    end() {
      this.close(1000, '');
    },
    cut() {
      if (open) ws.close();
    },
    buffered: () => (open ? ws.getBufferedAmount() : 0),
  };
}
