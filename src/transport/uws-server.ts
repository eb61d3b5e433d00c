/**
 * The Server of port.ts over uWebSockets.js; the only file that writes to its sockets. Its rules, kept here: a request
 * object is gone after the first await, so everything is copied at once; `onAborted` and `onData` are attached before
 * any await; every write is inside a cork and none comes after an abort; messages are copied, for their memory is taken
 * back; a request whose framing headers contradict each other is cut off, unanswered, since an answer would let a second
 * request smuggled behind it run.
 */

import type { HttpRequest, HttpResponse, TemplatedApp, us_listen_socket, WebSocket } from 'uWebSockets.js';
import { randomUUID } from 'node:crypto';
import { requestLimits } from '../../protocol/index.ts';
import { AppError, asAppError } from '../errors.ts';
import type { LoadedUws, Uws } from './load-uws.ts';
import { type Exchange, type Handlers, nativeFrameBytes, type Server, type Socket, type Stream } from './port.ts';
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

type OnListen = (socket: us_listen_socket | false) => void;

/** Seconds without a byte after which a dead connection is noticed; pings are sent in between. */
const idleTimeoutS = 60;
/** A socket takes more while it holds less than this; the rest waits in the log. */
const socketRoomBytes = 256 * 1024;
const resumeBelowBytes = 64 * 1024;

export function createUwsServer({ loaded: { uws }, handlers, socketPath, onFault }: UwsOptions): Server {
  const app = uws.App();
  let listening: us_listen_socket | undefined;

  app.any('/*', (response, request) => {
    const exchange = open(response, request);
    if (exchange !== undefined) answer(exchange, handlers.request(exchange));
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
      const exchange = open(response, request);
      if (exchange === undefined) return;
      const upgraded = handlers.upgrade(exchange).then(({ protocol = '', accept }) => {
        if (exchange.gone.aborted) return;
        response.cork(() => response.upgrade({ accept, listeners: {} }, key, protocol, extensions, context));
      });
      answer(exchange, upgraded);
    },
    open(ws) {
      const { accept, listeners } = ws.getUserData();
      accept(createSocket(ws, listeners));
    },
    message(ws, message, isBinary) {
      const text = isBinary ? undefined : Buffer.from(message).toString('utf8');
      ws.getUserData().listeners.message?.(text);
    },
    drain(ws) {
      if (ws.getBufferedAmount() < resumeBelowBytes) ws.getUserData().listeners.room?.();
    },
    close(ws) {
      ws.getUserData().listeners.gone?.();
    },
  });

  function answer(exchange: Exchange, work: Promise<void>): void {
    work.catch((error) => {
      if (exchange.gone.aborted) return;
      const shown = asAppError(error);
      if (shown.code === 'internal') onFault(error);
      handlers.refuse(exchange, shown);
    });
  }

  return {
    listen(host, port) {
      return new Promise((resolve, reject) => {
        const onListen = (socket: us_listen_socket | false) => {
          if (!socket) return reject(new Error(notOurs(host, port)));
          listening = socket;
          resolve({ port: uws.us_socket_local_port(socket) });
        };
        listenExclusively(uws, app, host, port, onListen);
      });
    },
    stopListening() {
      if (listening !== undefined) uws.us_listen_socket_close(listening);
      listening = undefined;
    },
    close() {
      this.stopListening();
      app.close();
    },
  };
}

/** Without the option two processes share a port silently; its form with four arguments is missing from the types. */
function listenExclusively(uws: Uws, app: TemplatedApp, host: string, port: number, onListen: OnListen): void {
  type Listen = (host: string, port: number, options: number, onListen: OnListen) => void;
  const { LIBUS_LISTEN_EXCLUSIVE_PORT: exclusive } = uws as unknown as { LIBUS_LISTEN_EXCLUSIVE_PORT: number };
  (app.listen as unknown as Listen).call(app, host, port, exclusive, onListen);
}

function notOurs(host: string, port: number): string {
  return `${host}:${port} cannot be listened on: another process has it, or it is not an address of this machine.`;
}

/** Copies what the request says and attaches to it, in the turn it came in. Undefined when it was cut off. */
function open(response: HttpResponse, request: HttpRequest): Exchange | undefined {
  const headers = new Map<string, string>();
  let lengths = 0;
  let codings = 0;
  request.forEach((name, value) => {
    if (name === 'content-length') lengths += 1;
    if (name === 'transfer-encoding') codings += 1;
    const known = headers.get(name);
    headers.set(name, known === undefined ? value : `${known}, ${value}`);
  });
  if (lengths + codings > 1) {
    response.close();
    return undefined;
  }
  const method = request.getCaseSensitiveMethod();
  const left = new AbortController();
  let answered = false;
  response.onAborted(() => left.abort(new AppError('internal', 'The client left before the answer.')));
  const body = collectBody(response, left.signal, Number(headers.get('content-length') ?? 0));

  const begin = (status: number, fields: Readonly<Record<string, string>>) => {
    response.writeStatus(statusLine(status));
    for (const [name, value] of Object.entries(fields)) response.writeHeader(name, value);
  };

  return {
    id: randomUUID(),
    method,
    path: request.getUrl(),
    query: request.getQuery() ?? '',
    headers,
    address: Buffer.from(response.getRemoteAddressAsText()).toString(),
    gone: left.signal,
    body: () => body,
    respond(status, fields, text) {
      if (left.signal.aborted || answered) return;
      answered = true;
      response.cork(() => {
        begin(status, fields);
        if (method === 'HEAD') response.endWithoutBody(Buffer.byteLength(text));
        // A body that was refused may still be arriving; only a new connection is sure to begin with a request.
        else response.end(text, status === 413);
      });
    },
    stream(fields) {
      answered = true;
      return createStream(response, left.signal, () => begin(200, fields));
    },
  };
}

/** Reads on past the limit up to the native one, so that the client can finish sending and read its 413. */
function collectBody(response: HttpResponse, gone: AbortSignal, announced: number): Promise<Uint8Array> {
  const limit = requestLimits.body_with_image_bytes;
  const body = new Promise<Uint8Array>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const tooLarge = () =>
      reject(new AppError('payload_too_large', `Expected a body of at most ${limit} bytes; got more.`));
    gone.addEventListener('abort', () => reject(gone.reason), { once: true });
    if (announced > limit) tooLarge();
    response.onData((chunk, last) => {
      size += chunk.byteLength;
      if (size > limit) {
        chunks.length = 0;
        tooLarge();
      } else chunks.push(Buffer.from(Buffer.from(chunk)));
      if (last) resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    });
  });
  body.catch(() => {});
  return body;
}

/** A response that goes on. `write` says when the client is slow; `onWritable`, attached once, says when it is not. */
function createStream(response: HttpResponse, gone: AbortSignal, begin: () => void): Stream {
  let room = true;
  let ended = false;
  let onRoom: (() => void) | undefined;
  const cork = (writes: () => void) => {
    if (!gone.aborted && !ended) response.cork(writes);
  };
  response.onWritable(() => {
    room = true;
    // A comment keeps the native server waiting for room even when the pump has nothing to say.
    cork(() => response.write(':\n\n'));
    onRoom?.();
    return true;
  });
  cork(begin);
  return {
    hasRoom: () => room,
    write(text) {
      if (!gone.aborted && !ended) room = response.write(text) && room;
    },
    cork,
    onRoom: (listener) => {
      onRoom = listener;
    },
    onGone: (listener) => gone.addEventListener('abort', listener, { once: true }),
    end() {
      cork(() => {
        ended = true;
        response.end();
      });
    },
  };
}

function createSocket(ws: WebSocket<SocketData>, listeners: Listeners): Socket {
  let open = true;
  return {
    hasRoom: (bytes) => {
      const held = open ? ws.getBufferedAmount() : 0;
      return held === 0 || held + bytes <= socketRoomBytes;
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
      listeners.gone = () => {
        open = false;
        listener();
      };
    },
    close(code, reason) {
      if (!open) return;
      open = false;
      ws.end(code, reason);
    },
    end() {
      this.close(1000, '');
    },
  };
}
