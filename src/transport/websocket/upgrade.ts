/**
 * Upgrades, and the WebSocket sessions they open. Servers authenticate by key and are refused over HTTP. A page authenticates
 * by a ticket among the subprotocols; as it cannot read the status of a refused upgrade, the upgrade is accepted, and the
 * socket is closed after an `error` frame. The callers of open sessions are checked again every few seconds.
 */
import { errorTable, ticketProtocolPrefix } from '../../../protocol/index.ts';
import { AppError, asAppError, errorObject, type OnFault } from '../../base/errors.ts';
import type { Metrics } from '../../base/metrics.ts';
import { traceIdOf } from '../../base/traceparent.ts';
import { timestamp } from '../../runs/log.ts';
import type { ConnectCall, Connected } from '../../service/calls.ts';
import type { Service } from '../../service/service.ts';
import type { Exchange, Handlers, Socket } from '../exchange.ts';
import { type Context, createContext, sendError } from '../http/context.ts';
import type { OnRefused } from '../http/http.ts';
import { shutdownClosing, shutdownError } from '../shutdown.ts';
import { socketLimits } from '../socket-limits.ts';
import { checkHandshake, chooseProtocol } from './handshake.ts';
import { createInboxes } from './inbox.ts';
import { type SocketSession, startSocketSession } from './session.ts';

export interface SocketSessionsOptions {
  readonly service: Service;
  readonly originAllowed: (origin: string, host: string | undefined) => boolean;
  readonly metrics: Metrics;
  readonly onFault: OnFault;
  readonly isDraining: () => boolean;
  /** Called with each upgrade and frame of a key that is refused. */
  readonly refused?: OnRefused | undefined;
  /** Called after each session. */
  readonly onClosed: () => void;
}

export interface SocketSessions {
  readonly upgrade: Handlers['upgrade'];
  /** Closes every session once the runs that it reads have ended. */
  drain(): void;
  /** Closes every session now. */
  end(): void;
  /** The number of open sessions. */
  open(): number;
}

/** Measures its sessions by a timer until `end` is called. */
export function createSocketSessions(options: SocketSessionsOptions): SocketSessions {
  const { service, originAllowed, metrics, onFault, isDraining, onClosed, refused } = options;
  const sessions = new Set<SocketSession>();
  const sockets = new Set<Socket>();
  const inboxes = createInboxes();
  let buffered = 0;
  metrics.watch('sockets_open', () => sessions.size);
  metrics.watch('buffered_bytes', () => buffered);
  // Summed up once a second, as the cost of an upgrade must not grow with the number of sockets.
  const measuring = setInterval(() => {
    buffered = [...sockets].reduce((sum, socket) => sum + socket.buffered(), 0);
  }, 1_000);
  measuring.unref();

  async function upgrade(exchange: Exchange): ReturnType<Handlers['upgrade']> {
    const { method, path, id: request_id } = exchange;
    const ctx = createContext(exchange, {
      onError: (error) => refused?.(ctx.call.from, { method, path, request_id }, error),
    });
    const isPage = exchange.headers.has('origin') && ctx.call.from.api_key === undefined;
    let accepted: ReturnType<typeof chooseProtocol> = {};
    try {
      checkHandshake(exchange);
    } catch (error) {
      return sendError(ctx, error, onFault);
    }
    try {
      accepted = chooseProtocol(exchange);
      if (isDraining()) throw shutdownError();
      if (buffered > socketLimits.maxTotalBufferedBytes) throw tooMuchBuffered();
      checkOrigin(exchange);
      const call = { ...ctx.call, request_id: `c_${exchange.id}`, from: chooseCredentials(ctx) };
      const connected = await service.connect(call);
      metrics.request('search_socket', 101, 0);
      return { ...accepted, accept: (socket) => openSession(socket, connected), abandon: connected.leave };
    } catch (error) {
      metrics.request('search_socket', asAppError(error).status, 0);
      if (!isPage) return sendError(ctx, error, onFault);
      return { ...accepted, accept: (socket) => closeWithError(socket, error, ctx), abandon: () => {} };
    }
  }

  function openSession(socket: Socket, { connection, rate_limit, leave }: Connected): void {
    const onSessionClosed = () => {
      leave();
      unwatch();
      sockets.delete(socket);
      sessions.delete(session);
      onClosed();
    };
    const common = { service, inboxes, onFault, refused, onClosed: onSessionClosed };
    const session = startSocketSession(socket, { ...common, connection, rate_limit });
    sessions.add(session);
    const unwatch = service.watchCaller(connection.caller, ({ close = errorTable.unauthorized.close, message }) =>
      session.close({ code: close, reason: message, resume: false }),
    );
    sockets.add(socket);
    if (isDraining()) session.drain(shutdownClosing);
  }

  function closeWithError(socket: Socket, error: unknown, { request, call }: Context): void {
    const shown = asAppError(error);
    if (shown.code === 'internal') onFault(error, request.id, traceIdOf(call.traceparent));
    const frame = { type: 'error', at: timestamp(Date.now()), error: errorObject(shown, request.id) };
    socket.cork(() => socket.write(JSON.stringify(frame)));
    socket.close(shown.close ?? errorTable.internal.close, shown.message);
  }

  function checkOrigin(exchange: Exchange): void {
    const origin = exchange.headers.get('origin');
    if (origin === undefined || originAllowed(origin, exchange.headers.get('host'))) return;
    throw new AppError('forbidden', `The origin ${JSON.stringify(origin.slice(0, 200))} is not on ALLOWED_ORIGINS.`);
  }

  return {
    upgrade,
    drain() {
      for (const session of [...sessions]) session.drain(shutdownClosing);
    },
    end() {
      clearInterval(measuring);
      for (const session of [...sessions]) session.close(shutdownClosing);
    },
    open: () => sessions.size,
  };
}

function tooMuchBuffered(): AppError {
  const message = 'Too much is buffered for slow readers; try again in a moment.';
  return new AppError('overloaded', message, { retry_after_ms: 5_000 });
}

/** A key takes precedence over a ticket, a ticket over a cookie. */
function chooseCredentials({ request: { headers }, call }: Context): ConnectCall['from'] {
  const offered = (headers.get('sec-websocket-protocol') ?? '').split(',').map((name) => name.trim());
  const ticket = offered.find((name) => name.startsWith(ticketProtocolPrefix))?.slice(ticketProtocolPrefix.length);
  if (call.from.api_key !== undefined || ticket === undefined) return call.from;
  return { ticket, origin: headers.get('origin') };
}
