/**
 * GET /v1/ws/search: several searches at once over one socket. A session holds nothing of a search but a pump's cursor;
 * frames in are checked against the contract, frames out are the log's. What a client does wrong is answered by an
 * `error` frame; the third frame that is no message at all ends the connection.
 */
import type { z } from 'zod';
import {
  type ClientFrameType,
  clientFrames,
  closeCodes,
  errorTable,
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
import { type ClientFrame, parseFrame } from './parse-frame.ts';
import { createSubscriptions } from './subscriptions.ts';

export interface SocketSessionOptions {
  readonly service: Service;
  readonly connection: Connection;
  /** What is left of the key's minute. */
  readonly rate_limit: RateLimitState;
  /** Told of what is a fault of ours. */
  readonly onFault: OnFault;
  readonly onClosed: () => void;
}

export interface SocketSession {
  /** Says why, takes no new search, and closes when those being read have ended. */
  drain(why: Closing): void;
  /** Says why, if it has not yet, and closes. */
  close(why: Closing): void;
}

/** Why a connection is closed, and what the client does then. */
export type Closing = Omit<Extract<ServerFrame, { type: 'session.closing' }>, 'type'>;

export function startSocketSession(socket: Socket, options: SocketSessionOptions): SocketSession {
  const { service, connection, rate_limit, onFault, onClosed } = options;
  const { id: connection_id, caller } = connection;
  const left = new AbortController();
  const call: Call = { request_id: connection_id, from: caller, signal: left.signal, onCharged: () => {} };
  let badMessages = 0;
  let starting = 0;
  let closing: Closing | undefined;

  const send = (frame: ServerFrame) => {
    const { type, ...fields } = frame;
    socket.cork(() => socket.write(JSON.stringify({ type, at: timestamp(Date.now()), ...fields })));
    heartbeat.refresh();
  };
  const heartbeat = setInterval(() => {
    if (socket.canWrite(256)) send({ type: 'heartbeat', searches: subscriptions.list() });
  }, 1000 * sessionLimits.heartbeat_s);
  const lifetime = setTimeout(() => close({ ...lifetimeOver, resume: true }), 1000 * sessionLimits.lifetime_s);

  const subscriptions = createSubscriptions({
    socket,
    attach: service.attach,
    onFrame: () => heartbeat.refresh(),
    onStall: () => close({ ...tooSlow, resume: true }),
    onDetached: closeIfDrained,
  });

  socket.onDrain(subscriptions.wake);
  socket.onClose(() => {
    left.abort(new AppError('internal', 'The client left.'));
    clearInterval(heartbeat);
    clearTimeout(lifetime);
    subscriptions.detachAll();
    onClosed();
  });
  socket.onMessage((text) => {
    receive(text).catch((error) => fail(error));
  });
  send({
    type: 'session.ready',
    connection_id,
    limits: { ...sessionLimits, searches_per_connection: plans[caller.plan].searches_per_connection },
    heartbeat_s: sessionLimits.heartbeat_s,
    offset_unit: 'utf-16',
    rate_limit,
  });

  /** An `error` frame; it closes nothing. */
  function fail(error: unknown, ref?: string): void {
    const shown = asAppError(error);
    if (shown.code === 'internal' && !left.signal.aborted) onFault(error, connection_id);
    const object = errorObject(shown, connection_id);
    send({ type: 'error', ...(ref === undefined ? {} : { ref }), error: object });
  }

  async function receive(text: string | undefined): Promise<void> {
    let ref: string | undefined;
    try {
      const frame = parseFrame(text);
      if (typeof frame.ref === 'string') ref = frame.ref.slice(0, 128);
      await handle(frame);
    } catch (error) {
      fail(error, ref);
      if (error instanceof AppError && error.code === 'bad_message') badMessages += 1;
      if (badMessages >= sessionLimits.bad_messages) close({ ...badFrames, resume: false });
    }
  }

  async function handle(frame: ClientFrame): Promise<void> {
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
        return;
      }
      case 'ping':
        return send({ type: 'pong', ref: parse(clientFrames.ping, frame).ref });
      default: {
        const known = Object.keys(clientFrames).join(', ');
        const got = JSON.stringify(frame.type.slice(0, 80));
        throw new AppError('unknown_type', `Expected a type among ${known}; got ${got}.`);
      }
    }
  }

  async function start(frame: ClientFrame): Promise<void> {
    const { ref, ...asked } = parse(SearchStartEnvelope, frame);
    if (closing !== undefined) throw new AppError('server_shutdown', closing.reason, { retry_after_ms: 1_000 });
    starting += 1;
    try {
      const { run, deduplicated } = await search(asked);
      attach(run, ref, 0, deduplicated);
    } finally {
      starting -= 1;
      closeIfDrained();
    }
  }

  async function search({ request, on_disconnect, idempotency_key }: Asked): Promise<Started> {
    let counted = false;
    const started = await service.search({
      ...call,
      connection,
      body: async () => request,
      streamed: true,
      on_disconnect,
      idempotency_key,
      onCharged(rate) {
        counted = true;
        send({ type: 'rate_limit', ...rateLimitState(rate) });
      },
    });
    if (!counted) send({ type: 'rate_limit', ...(await service.rateLimit(caller)) });
    return started;
  }

  async function resume({ ref, search_id, after_seq }: ResumeFrame): Promise<void> {
    const fail = (reason: ResumeFailure) => send({ type: 'resume.failed', ref, search_id, reason });
    const found = await service.resume(call, search_id).catch(ifUnknown);
    if (found === undefined) return fail('not_found');
    const { run } = found;
    if (run === undefined) return fail('expired');
    if (!(await run.reaches(after_seq))) return fail(isLost(run) ? 'lost' : 'seq_ahead');
    attach(run, ref, after_seq, false);
  }

  function attach(run: Run, ref: string, after_seq: number, deduplicated: boolean): void {
    // Whoever wanted it is gone: it has had its reader.
    if (left.signal.aborted) return service.attach(run)();
    const { search_id } = run;
    const head_seq = run.log.head();
    send({ type: 'search.attached', ref, search_id, state: run.state(), after_seq, head_seq, deduplicated });
    subscriptions.attach(run, after_seq);
  }

  async function cancel(search_id: string): Promise<void> {
    await service.cancel(call, search_id);
  }

  function drain(why: Closing): void {
    tell(why);
    closeIfDrained();
  }

  function closeIfDrained(): void {
    if (closing !== undefined && starting === 0 && subscriptions.count() === 0) close(closing);
  }

  function close(why: Closing): void {
    tell(why);
    socket.close(why.code, why.reason);
  }

  function tell(why: Closing): void {
    if (closing === undefined) send({ type: 'session.closing', ...why });
    closing ??= why;
  }

  return { drain, close };
}

type Asked = Omit<z.infer<typeof SearchStartEnvelope>, 'type' | 'ref'>;
type ResumeFailure = Extract<ServerFrame, { type: 'resume.failed' }>['reason'];
type ResumeFrame = z.infer<(typeof clientFrames)['search.resume']>;

const badFrames = { code: errorTable.bad_message.close, reason: 'Three frames were no messages.' };
const tooSlow = { code: closeCodes.slow_consumer, reason: 'Nothing could be sent for 20 s; connect again and resume.' };
const lifetimeOver = {
  code: closeCodes.lifetime,
  reason: 'This connection has lived its hour; connect again and resume.',
};

function unknownSearch(search_id: string): AppError {
  return new AppError('not_found', `There is no search ${JSON.stringify(search_id)} for this account.`);
}

/** Whether its process went away, and what was read of it beyond this log with it. */
function isLost({ log }: Run): boolean {
  const terminal = log.terminal();
  return terminal?.type === 'search.failed' && terminal.error.code === 'lost';
}

function ifUnknown(error: unknown): undefined {
  if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
}
