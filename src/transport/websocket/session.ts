/**
 * GET /v1/ws/search: several simultaneous searches over one socket, from `session.ready` to its close. The client's frames are
 * checked against the contract, and errors are reported in `error` frames. The third frame that cannot be parsed closes the
 * connection, and so do too many that break the contract, or more than the inbox takes. frame-handlers.ts has what each does.
 */
import { type RateLimitState, routes, type ServerFrame, sessionLimits } from '../../../protocol/index.ts';
import { plans } from '../../access/plans.ts';
import { AppError, asAppError, errorObject, type OnFault } from '../../base/errors.ts';
import { traceIdOf } from '../../base/traceparent.ts';
import { timestamp } from '../../runs/log.ts';
import type { Call } from '../../service/calls.ts';
import type { Connection } from '../../service/connection.ts';
import type { Service } from '../../service/service.ts';
import { clientLeft } from '../client-left.ts';
import type { Socket } from '../exchange.ts';
import type { OnRefused } from '../http/http.ts';
import { type Closing, closings } from './closings.ts';
import { createFrameHandlers } from './frame-handlers.ts';
import type { Inboxes } from './inbox.ts';
import { checkFrameSize, checkFrameStart, parseFrame, refAtStart } from './parse-frame.ts';
import { createPongs } from './pongs.ts';
import { createStrikes } from './strikes.ts';
import { createSubscriptions } from './subscriptions.ts';

export interface SocketSessionOptions {
  readonly service: Service;
  readonly connection: Connection;
  readonly inboxes: Inboxes;
  /** The caller's rate-limit state, for `session.ready`. */
  readonly rate_limit: RateLimitState;
  readonly onFault: OnFault;
  /** Called with each frame that is refused. */
  readonly refused?: OnRefused | undefined;
  readonly onClosed: () => void;
}

export interface SocketSession {
  /** Announces the closing, refuses new searches, and closes when the subscriptions have ended. */
  drain(reason: Closing): void;
  /** Announces the closing, unless it was announced before, and closes. */
  close(reason: Closing): void;
}

/** Sends `session.ready` and handles the socket's frames until it closes. */
export function startSocketSession(socket: Socket, options: SocketSessionOptions): SocketSession {
  const { service, connection, inboxes, rate_limit, onFault, refused, onClosed } = options;
  const { id: connection_id, caller, traceparent } = connection;
  const left = new AbortController();
  const call: Call = { request_id: connection_id, from: caller, signal: left.signal, onCharged: () => {}, traceparent };
  const strike = createStrikes();
  let closing: Closing | undefined;

  const send = (frame: ServerFrame) => {
    socket.cork(() => socket.write(textOf(frame)));
    heartbeat.refresh();
  };
  const heartbeat = setInterval(() => {
    if (socket.canWrite(256)) send({ type: 'heartbeat', searches: subscriptions.list() });
  }, 1000 * sessionLimits.heartbeat_s);
  const lifetime = setTimeout(() => close(closings.lifetimeOver), 1000 * sessionLimits.lifetime_s);

  const subscriptions = createSubscriptions({
    socket,
    attach: service.attach,
    onFrame: () => heartbeat.refresh(),
    onStall: () => close(closings.tooSlow),
    onDetached: closeIfDrained,
  });

  const inbox = inboxes.open({
    handle: receive,
    tryRefuse: refuseIfTooLarge,
    onFlood: ({ by, isHeavy }) => cutOff(by === 'client' ? closings.tooManyFrames : closings.tooManyBytes, isHeavy),
  });

  const pongs = createPongs({ socket, send, onFlood: () => cutOff(closings.tooManyFrames) });

  const handlers = createFrameHandlers({
    service,
    connection,
    call,
    subscriptions,
    pongs,
    send,
    closing: () => closing,
    onStarted: closeIfDrained,
  });

  socket.onDrain(() => {
    pongs.wake();
    subscriptions.wake();
  });
  // Frames that the client sent before it left are still handled: they may start a search that continues without it, or cancel
  // one.
  socket.onClose(() => {
    left.abort(clientLeft());
    clearInterval(heartbeat);
    clearTimeout(lifetime);
    subscriptions.detachAll();
    onClosed();
  });
  socket.onMessage(inbox.receive);
  socket.onPing(inbox.countPing);
  send({
    type: 'session.ready',
    connection_id,
    limits: { ...sessionLimits, searches_per_connection: plans[caller.plan].searches_per_connection },
    heartbeat_s: sessionLimits.heartbeat_s,
    offset_unit: 'utf-16',
    rate_limit,
  });

  /** Sends an `error` frame. The connection stays open. */
  function fail(error: unknown, ref?: string): void {
    const shown = asAppError(error);
    if (shown.code === 'internal' && !left.signal.aborted) onFault(error, connection_id, traceIdOf(traceparent));
    if (caller.session === undefined) refused?.(caller, { ...frameCall, request_id: connection_id }, shown);
    const object = errorObject(shown, connection_id);
    send({ type: 'error', ...(ref === undefined ? {} : { ref }), error: object });
  }

  /** Reports an invalid frame. Only a limited number are allowed. */
  function refuse(error: unknown, ref?: string, isHeavy = false): void {
    fail(error, ref);
    const reason = error instanceof AppError ? strike(error) : undefined;
    if (reason !== undefined) cutOff(reason, isHeavy);
  }

  /** Refuses a frame that is far larger than one of its type can be. Returns whether it did. */
  function refuseIfTooLarge(content: Uint8Array, isText: boolean): boolean {
    try {
      checkFrameStart(content, isText);
      return false;
    } catch (error) {
      refuse(error, undefined, true);
      return true;
    }
  }

  /** Refuses an invalid frame synchronously, so that the next one of the same tick meets a closed inbox. */
  function receive(text: string | undefined, bytes: number): void {
    let ref: string | undefined;
    try {
      const frame = parseFrame(text, bytes);
      if (typeof frame.ref === 'string') ref = frame.ref.slice(0, 128);
      checkFrameSize(frame, bytes);
      handlers.handle(frame)?.catch((error) => refuse(error, ref));
    } catch (error) {
      refuse(error, ref ?? refAtStart(text));
    }
  }

  function drain(reason: Closing): void {
    announce(reason);
    closeIfDrained();
  }

  function closeIfDrained(): void {
    if (closing !== undefined && handlers.starting() === 0 && subscriptions.count() === 0) close(closing);
  }

  function close(reason: Closing): void {
    announce(reason);
    inbox.close();
    socket.close(reason.code, reason.reason);
  }

  /**
   * Cuts off a client that misbehaves: without a close frame if it does not read, since that frame would wait for it. After a
   * heavy flood nothing more is read.
   */
  function cutOff(reason: Closing, isHeavy = false): void {
    if (!socket.canWrite(closingBytes)) return socket.terminate();
    inbox.close();
    if (isHeavy && closing === undefined) {
      closing = reason;
      return socket.breakOff(textOf({ type: 'session.closing', ...reason }), reason.code, reason.reason);
    }
    announce(reason);
    socket.cutOff(reason.code, reason.reason);
  }

  function announce(reason: Closing): void {
    if (closing === undefined) send({ type: 'session.closing', ...reason });
    closing ??= reason;
  }

  return { drain, close };
}

/** How a frame appears in the log of refused calls. */
const frameCall = { method: 'WS', path: routes.search_socket.path } as const;

/** Room for `session.closing` and the close frame. */
const closingBytes = 1024;

function textOf({ type, ...fields }: ServerFrame): string {
  return JSON.stringify({ type, at: timestamp(Date.now()), ...fields });
}
