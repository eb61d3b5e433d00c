/**
 * The Server of exchange.ts over uWebSockets.js: listening, and the callbacks of the native server. Only this file,
 * exchange.ts and socket.ts beside it use native objects, by these rules: a request object is invalid after the first await,
 * so everything is copied before; `onAborted` and `onData` are attached before any await; every write is inside a cork, and
 * there is none after an abort; messages are copied because their memory is reused.
 */
import type { HttpRequest, HttpResponse, TemplatedApp, us_listen_socket } from 'uWebSockets.js';
import { createBodyBudget } from '../body-budget.ts';
import type { ConnectionLimit } from '../connection-limit.ts';
import { type Handlers, maxFrameBytes, type Server } from '../exchange.ts';
import { socketLimits } from '../socket-limits.ts';
import type { Certificate } from '../tls/certificate.ts';
import { type CorkHolder, openCorkHolder } from './cork-holder.ts';
import { openExchange } from './exchange.ts';
import type { LoadedUws, Uws } from './load-uws.ts';
import { createSocket, type SocketData, terminateFlood } from './socket.ts';

export interface UwsOptions {
  readonly loaded: LoadedUws;
  readonly handlers: Handlers;
  readonly socketPath: string;
  /** For TLS; plain HTTP without it. */
  readonly certificate?: Certificate | undefined;
  readonly connections: ConnectionLimit;
  /** Called with errors that no answer can carry. */
  readonly onFault: (error: unknown) => void;
}

/** A connection without a byte for this long is dead; pings are sent in between. Set by hand. */
const idleTimeoutS = 60;

/** `handlers` answer the requests and the upgrades at `socketPath`. */
export function createUwsServer(options: UwsOptions): Server {
  const { loaded, handlers, socketPath, connections, onFault } = options;
  const { uws } = loaded;
  let isDraining = false;
  const shared = { budget: createBodyBudget(), closesAfterAnswer: () => isDraining || connections.isScarce() };
  /** One for each certificate, the newest last: an app cannot change its own, and owns its connections. */
  const apps = [createApp(options.certificate)];
  let listening: us_listen_socket | undefined;
  let place: { readonly host: string; readonly port: number } | undefined;
  let holder: CorkHolder | undefined;

  /** Called with 1 for each new connection, and with -1 for each that is closed, except as a WebSocket. */
  function countConnection(connection: HttpResponse, change: unknown): void {
    if (change === -1) connections.close();
    else if (!connections.open()) connection.close();
  }

  function createApp(certificate: Certificate | undefined): TemplatedApp {
    const app = certificate === undefined ? uws.App() : createSecureApp(uws, certificate);
    app.filter(countConnection);

    app.any('/*', (response, request) => {
      const exchange = openExchange(response, request, shared);
      if (exchange !== undefined) handlers.request(exchange).catch(onFault);
    });

    app.ws<SocketData>(socketPath, {
      maxPayloadLength: maxFrameBytes,
      // Above this, frames are lost silently; `socketLimits` stay far below.
      maxBackpressure: 64 * 1024 * 1024,
      closeOnBackpressureLimit: false,
      idleTimeout: idleTimeoutS,
      sendPingsAutomatically: true,
      upgrade(response, request, context) {
        const key = request.getHeader('sec-websocket-key');
        const extensions = request.getHeader('sec-websocket-extensions');
        if (!canUpgrade(request)) return void response.close();
        const exchange = openExchange(response, request, shared);
        if (exchange === undefined) return;
        const upgraded = handlers.upgrade(exchange).then((accepted) => {
          if (accepted === undefined) return;
          const { protocol = '', accept, abandon } = accepted;
          if (exchange.signal.aborted) return abandon();
          const act = () => response.upgrade({ accept, listeners: {} }, key, protocol, extensions, context);
          if (holder === undefined) act();
          else holder.cork(act);
        });
        upgraded.catch(onFault);
      },
      open(ws) {
        const data = ws.getUserData();
        const { accept, listeners } = data;
        // The closure holds the upgrade's request, which an open socket does not need.
        data.accept = undefined;
        accept?.(createSocket(ws, listeners));
      },
      message(ws, message, isBinary) {
        if (terminateFlood(ws)) return;
        ws.getUserData().listeners.message?.(new Uint8Array(message), !isBinary);
      },
      ping(ws) {
        if (!terminateFlood(ws)) ws.getUserData().listeners.ping?.();
      },
      drain(ws) {
        if (ws.getBufferedAmount() < socketLimits.lowWaterMark) ws.getUserData().listeners.drain?.();
      },
      close(ws) {
        connections.close();
        ws.getUserData().listeners.close?.();
      },
    });
    return app;
  }

  return {
    async listen(host, port) {
      listening = listen(uws, apps[0]!, host, port, 'alone');
      const address = { host, port: uws.us_socket_local_port(listening) };
      if (options.certificate !== undefined) {
        // Nobody else has the port; from here on, the app of the next certificate may listen alongside this one.
        uws.us_listen_socket_close(listening);
        listening = listen(uws, apps[0]!, host, address.port, 'together');
      }
      place = address;
      holder = await openCorkHolder(uws);
      return { port: address.port };
    },
    renew(certificate) {
      if (listening === undefined || place === undefined) return;
      const app = createApp(certificate);
      const before = listening;
      listening = listen(uws, app, place.host, place.port, 'together');
      uws.us_listen_socket_close(before);
      apps.push(app);
    },
    drain() {
      isDraining = true;
    },
    stopListening() {
      if (listening !== undefined) uws.us_listen_socket_close(listening);
      listening = undefined;
    },
    close() {
      this.stopListening();
      for (const app of apps) app.close();
      holder?.close();
    },
  };
}

/** The native server reads the files itself, and does not say what is wrong with them. */
function createSecureApp(uws: Uws, { certFile, keyFile }: Certificate): TemplatedApp {
  try {
    return uws.SSLApp({ cert_file_name: certFile, key_file_name: keyFile });
  } catch {
    throw new Error(
      `TLS_CERT, TLS_KEY: expected a PEM certificate and key that the native server can load; got ${certFile} and ${keyFile}.`,
    );
  }
}

/**
 * Throws where it cannot. `alone`: without this option two processes silently share a port. The overload with four arguments is
 * missing from the types; it calls back before it returns.
 */
function listen(uws: Uws, app: TemplatedApp, host: string, port: number, how: 'alone' | 'together'): us_listen_socket {
  type OnListen = (socket: us_listen_socket | false) => void;
  type Listen = (host: string, port: number, options: number, onListen: OnListen) => void;
  const { LIBUS_LISTEN_EXCLUSIVE_PORT: exclusive } = uws as unknown as { LIBUS_LISTEN_EXCLUSIVE_PORT: number };
  let found: us_listen_socket | false = false;
  const onListen: OnListen = (socket) => {
    found = socket;
  };
  (app.listen as unknown as Listen).call(app, host, port, how === 'alone' ? exclusive : 0, onListen);
  if (found === false)
    throw new Error(
      `Cannot listen on ${host}:${port}: it is in use, or not an address of this machine. Set PORT or HOST to another.`,
    );
  return found;
}

/**
 * False for a request with a body, since what follows it would be read as frames, and for one whose first Connection header
 * has five letters: the native server takes any five for "close" and would close the connection in mid-upgrade.
 */
function canUpgrade(request: HttpRequest): boolean {
  const hasBody = request.getHeader('transfer-encoding') !== '' || Number(request.getHeader('content-length')) !== 0;
  return !hasBody && request.getHeader('connection').length !== 'close'.length;
}
