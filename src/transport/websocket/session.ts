/**
 * GET /v1/ws/search: several simultaneous searches over one socket. A session holds nothing of a search but a subscription
 * to its log. Frames of the client are checked against the contract, and errors are answered by `error` frames; the third
 * frame that cannot even be parsed closes the connection, and so do many that do not fit the contract, or more frames than
 * its inbox takes.
 */
import type { z } from 'zod';
import {
  type ClientFrameType,
  clientFrames,
  type RateLimitState,
  SearchStartEnvelope,
  type ServerFrame,
  sessionLimits,
} from '../../../protocol/index.ts';
import { rateLimitState } from '../../access/limiter/limiter.ts';
import { plans } from '../../access/plans.ts';
import { AppError, asAppError, errorObject, type OnFault, parse } from '../../base/errors.ts';
import type { Started } from '../../runs/idempotency.ts';
import { timestamp } from '../../runs/log.ts';
import type { Run } from '../../runs/run.ts';
import type { Call } from '../../service/calls.ts';
import type { Connection } from '../../service/connection.ts';
import type { Service } from '../../service/service.ts';
import type { Socket } from '../exchange.ts';
import { type Closing, closings } from './closings.ts';
import type { Inboxes } from './inbox.ts';
import { type ClientFrame, checkFrameSize, checkFrameStart, parseFrame } from './parse-frame.ts';
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
  const { service, connection, inboxes, rate_limit, onFault, onClosed } = options;
  const { id: connection_id, caller } = connection;
  const left = new AbortController();
  const call: Call = { request_id: connection_id, from: caller, signal: left.signal, onCharged: () => {} };
  const strike = createStrikes();
  let starting = 0;
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
    isRefused: refuseByStart,
    onFlood: ({ by, isHeavy }) => cutOff(by === 'client' ? closings.tooManyFrames : closings.tooManyBytes, isHeavy),
  });

  const pongs = createPongs({ socket, send, onFlood: () => cutOff(closings.tooManyFrames) });

  socket.onDrain(() => {
    pongs.wake();
    subscriptions.wake();
  });
  // What the client sent before it left is still handled: a search may be meant to go on without it, or to be cancelled.
  socket.onClose(() => {
    left.abort(new AppError('internal', 'The client left.'));
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
    if (shown.code === 'internal' && !left.signal.aborted) onFault(error, connection_id);
    const object = errorObject(shown, connection_id);
    send({ type: 'error', ...(ref === undefined ? {} : { ref }), error: object });
  }

  /** Answers an invalid frame, of which only so many are allowed. */
  function refuse(error: unknown, ref?: string, isHeavy = false): void {
    fail(error, ref);
    const reason = error instanceof AppError ? strike(error) : undefined;
    if (reason !== undefined) cutOff(reason, isHeavy);
  }

  function refuseByStart(content: Uint8Array, isText: boolean): boolean {
    try {
      checkFrameStart(content, isText);
      return false;
    } catch (error) {
      refuse(error, undefined, true);
      return true;
    }
  }

  /** Refuses an invalid frame immediately, so that the next one of the same tick meets a closed inbox. */
  function receive(text: string | undefined, bytes: number): void {
    let ref: string | undefined;
    try {
      const frame = parseFrame(text, bytes);
      if (typeof frame.ref === 'string') ref = frame.ref.slice(0, 128);
      checkFrameSize(frame, bytes);
      handle(frame)?.catch((error) => refuse(error, ref));
    } catch (error) {
      refuse(error, ref);
    }
  }

  function handle(frame: ClientFrame): Promise<void> | undefined {
    switch (frame.type as ClientFrameType) {
      case 'search.start':
        return start(frame);
      case 'search.resume':
        return resume(parse(clientFrames['search.resume'], frame));
      case 'search.cancel':
        return cancel(parse(clientFrames['search.cancel'], frame).search_id);
      case 'search.detach': {
        const { search_id } = parse(clientFrames['search.detach'], frame);
        if (!subscriptions.detach(search_id)) throw unknownSearch(search_id);
        return undefined;
      }
      case 'ping':
        pongs.add(parse(clientFrames.ping, frame).ref);
        return undefined;
      default: {
        const known = Object.keys(clientFrames).join(', ');
        const got = JSON.stringify(frame.type.slice(0, 80));
        throw new AppError('unknown_type', `Expected a type among ${known}; got ${got}.`);
      }
    }
  }

  async function cancel(search_id: string): Promise<void> {
    await service.cancel(call, search_id);
  }

  async function start(frame: ClientFrame): Promise<void> {
    const { ref, ...envelope } = parse(SearchStartEnvelope, frame);
    if (closing !== undefined) throw new AppError('server_shutdown', closing.reason, { retry_after_ms: 1_000 });
    starting += 1;
    try {
      const { run, deduplicated } = await search(envelope);
      attach(run, ref, 0, deduplicated);
    } finally {
      starting -= 1;
      closeIfDrained();
    }
  }

  async function search({ request, on_disconnect, idempotency_key }: StartFrame): Promise<Started> {
    let isCharged = false;
    const started = await service.search({
      ...call,
      connection,
      body: async () => request,
      streamed: true,
      on_disconnect,
      idempotency_key,
      onCharged(rate) {
        isCharged = true;
        send({ type: 'rate_limit', ...rateLimitState(rate) });
      },
    });
    if (!isCharged) send({ type: 'rate_limit', ...(await service.rateLimit(caller)) });
    return started;
  }

  async function resume({ ref, search_id, after_seq }: ResumeFrame): Promise<void> {
    const fail = (reason: ResumeFailure) => send({ type: 'resume.failed', ref, search_id, reason });
    const found = await service.resume(call, search_id).catch(undefinedIfUnknown);
    if (found === undefined) return fail('not_found');
    const { run } = found;
    if (run === undefined) return fail('expired');
    if (!(await run.reaches(after_seq))) return fail(isLost(run) ? 'lost' : 'seq_ahead');
    attach(run, ref, after_seq, false);
  }

  function attach(run: Run, ref: string, after_seq: number, deduplicated: boolean): void {
    // The client has left meanwhile. Attaching and detaching lets the run end as if it had left later.
    if (left.signal.aborted) return service.attach(run)();
    const { search_id } = run;
    const head_seq = run.log.head();
    send({ type: 'search.attached', ref, search_id, state: run.state(), after_seq, head_seq, deduplicated });
    subscriptions.attach(run, after_seq);
  }

  function drain(reason: Closing): void {
    announce(reason);
    closeIfDrained();
  }

  function closeIfDrained(): void {
    if (closing !== undefined && starting === 0 && subscriptions.count() === 0) close(closing);
  }

  function close(reason: Closing): void {
    announce(reason);
    inbox.close();
    socket.close(reason.code, reason.reason);
  }

  /**
   * Closes on a client that does not behave; without a close frame if it does not read, as that would wait for it to. Of
   * a heavy flood nothing more is read.
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

type StartFrame = Omit<z.infer<typeof SearchStartEnvelope>, 'type' | 'ref'>;
type ResumeFailure = Extract<ServerFrame, { type: 'resume.failed' }>['reason'];
type ResumeFrame = z.infer<(typeof clientFrames)['search.resume']>;

/** Room for `session.closing` and the close frame. */
const closingBytes = 1024;

function textOf({ type, ...fields }: ServerFrame): string {
  return JSON.stringify({ type, at: timestamp(Date.now()), ...fields });
}

function unknownSearch(search_id: string): AppError {
  return new AppError('not_found', `There is no search ${JSON.stringify(search_id)} for this account.`);
}

/** Whether the run's process died: events after the end of this log may have been read, and are lost. */
function isLost({ log }: Run): boolean {
  const terminal = log.terminal();
  return terminal?.type === 'search.failed' && terminal.error.code === 'lost';
}

/** Turns `not_found` into undefined; rethrows anything else. */
function undefinedIfUnknown(error: unknown): undefined {
  if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
}
