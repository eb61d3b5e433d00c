/**
 * The Server of exchange.ts over uWebSockets.js: listening, and which callback of the native server goes where. Only the three
 * files of this folder that touch what is native, and their rules are: a request object is gone after the first await, so everything
 * is copied at once; `onAborted` and `onData` are attached before any await; every write is inside a cork and none comes
 * after an abort; messages are copied, for their memory is taken back.
 */
import type { HttpRequest, TemplatedApp, us_listen_socket } from 'uWebSockets.js';
import { type Handlers, maxFrameBytes, type Server } from '../exchange.ts';
import type { BodyBudget } from '../request-body.ts';
import { socketLimits } from '../socket-limits.ts';
import { type CorkHolder, openCorkHolder } from './cork-holder.ts';
import { openExchange } from './exchange.ts';
import type { LoadedUws, Uws } from './load-uws.ts';
import { createSocket, cutFlood, type SocketData } from './socket.ts';

export interface UwsOptions {
  readonly loaded: LoadedUws;
  readonly handlers: Handlers;
  readonly socketPath: string;
  /** Told of faults that have nobody else to go to. */
  readonly onFault: (error: unknown) => void;
}

/** Seconds without a byte after which a dead connection is noticed; pings are sent in between. */
const idleTimeoutS = 60;

export function createUwsServer({ loaded: { uws }, handlers, socketPath, onFault }: UwsOptions): Server {
  const app = uws.App();
  const budget: BodyBudget = { held: 0 };
  let listening: us_listen_socket | undefined;
  let holder: CorkHolder | undefined;

  app.any('/*', (response, request) => {
    const exchange = openExchange(response, request, budget);
    if (exchange !== undefined) handlers.request(exchange).catch(onFault);
  });

  app.ws<SocketData>(socketPath, {
    maxPayloadLength: maxFrameBytes,
    // Frames are lost silently above this; the room above keeps far below it.
    maxBackpressure: 64 * 1024 * 1024,
    closeOnBackpressureLimit: false,
    idleTimeout: idleTimeoutS,
    sendPingsAutomatically: true,
    upgrade(response, request, context) {
      const key = request.getHeader('sec-websocket-key');
      const extensions = request.getHeader('sec-websocket-extensions');
      if (!canUpgrade(request)) return void response.close();
      const exchange = openExchange(response, request, budget);
      if (exchange === undefined) return;
      const upgraded = handlers.upgrade(exchange).then((accepted) => {
        if (accepted === undefined || exchange.signal.aborted) return;
        const { protocol = '', accept } = accepted;
        const act = () => response.upgrade({ accept, listeners: {} }, key, protocol, extensions, context);
        if (holder === undefined) act();
        else holder.cork(act);
      });
      upgraded.catch(onFault);
    },
    open(ws) {
      const data = ws.getUserData();
      const { accept, listeners } = data;
      // It holds what the upgrade said: a socket that waits for an hour has no use for that.
      data.accept = undefined;
      accept?.(createSocket(ws, listeners));
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
      if (ws.getBufferedAmount() < socketLimits.lowWaterMark) ws.getUserData().listeners.drain?.();
    },
    close(ws) {
      ws.getUserData().listeners.close?.();
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

function notOurs(host: string, port: number): string {
  return `${host}:${port} cannot be listened on: another process has it, or it is not an address of this machine.`;
}
