/**
 * GET /v1/ws/search: several searches at once over one socket. A session holds nothing of a search but a pump's cursor;
 * frames in are checked against the contract, frames out are the log's. What a client does wrong is answered by an
 * `error` frame; the third frame that is no message at all ends the connection.
 */
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import {
  type ClientFrameType,
  clientFrames,
  closeCodes,
  errorTable,
  SearchStartEnvelope,
  type ServerFrame,
  sessionLimits,
} from '../../protocol/index.ts';
import type { Caller } from '../access/identity.ts';
import { rateLimitState } from '../access/limiter.ts';
import { AppError, asAppError, errorObject } from '../errors.ts';
import { timestamp } from '../runs/log.ts';
import type { Run } from '../runs/run.ts';
import { parse, type Service } from '../service.ts';
import { checkSize, readFrame } from './client-frame.ts';
import type { Socket } from './port.ts';
import { type Pump, startPump } from './pump.ts';

export interface SessionOptions {
  readonly service: Service;
  readonly caller: Caller;
  /** Told of what is a fault of ours. */
  readonly onFault: (error: unknown) => void;
  readonly onClosed: () => void;
}

export interface Session {
  /** Says why, then closes. */
  close(code: number, reason: string, options?: { resume?: boolean; reconnect_after_ms?: number }): void;
}

interface Reading {
  readonly run: Run;
  readonly pump: Pump;
  readonly leave: () => void;
}

export function startSession(socket: Socket, { service, caller, onFault, onClosed }: SessionOptions): Session {
  const connection_id = `c_${randomUUID()}`;
  const readings = new Map<string, Reading>();
  const gone = new AbortController();
  let paid = true;
  let badMessages = 0;

  const send = (frame: ServerFrame) => {
    const { type, ...fields } = frame;
    socket.cork(() => socket.write(JSON.stringify({ type, at: timestamp(Date.now()), ...fields })));
    heartbeat.refresh();
  };
  const heartbeat = setInterval(() => {
    const searches = [...readings.values()].map(({ run, pump }) => ({
      search_id: run.search_id,
      seq: pump.cursor(),
      state: run.state(),
    }));
    if (socket.hasRoom(256)) send({ type: 'heartbeat', searches });
  }, 1000 * sessionLimits.heartbeat_s);
  const lifetime = setTimeout(
    () => close(closeCodes.lifetime, 'This connection has lived its hour; connect again and resume.', { resume: true }),
    1000 * sessionLimits.lifetime_s,
  );

  socket.onRoom(() => {
    for (const { pump } of readings.values()) pump.wake();
  });
  socket.onGone(() => {
    gone.abort(new AppError('internal', 'The client left.'));
    clearInterval(heartbeat);
    clearTimeout(lifetime);
    for (const reading of readings.values()) stopReading(reading);
    onClosed();
  });
  socket.onMessage((text) => {
    receive(text).catch((error) => fail(error));
  });
  service.rateLimit(caller).then(
    (rate_limit) =>
      send({
        type: 'session.ready',
        connection_id,
        limits: { ...sessionLimits },
        heartbeat_s: sessionLimits.heartbeat_s,
        offset_unit: 'utf-16',
        rate_limit,
      }),
    fail,
  );

  /** An `error` frame, and the end of the connection where the table says so. */
  function fail(error: unknown, ref?: string): void {
    const shown = asAppError(error);
    if (shown.code === 'internal' && !gone.signal.aborted) onFault(error);
    const object = errorObject(shown, connection_id);
    send({ type: 'error', ...(ref === undefined ? {} : { ref }), error: object });
  }

  async function receive(text: string | undefined): Promise<void> {
    const frame = text === undefined ? undefined : readFrame(text);
    if (text === undefined || frame === undefined) {
      badMessages += 1;
      fail(new AppError('bad_message', 'Expected one JSON object with a "type" in a text frame.'));
      if (badMessages >= sessionLimits.bad_messages)
        close(errorTable.bad_message.close, 'Three frames were no messages.');
      return;
    }
    const ref = typeof frame.ref === 'string' ? frame.ref.slice(0, 128) : undefined;
    try {
      checkSize(text, frame);
      await handle(frame, ref);
    } catch (error) {
      fail(error, ref);
    }
  }

  async function handle(frame: Record<string, unknown>, ref: string | undefined): Promise<void> {
    switch (frame.type as ClientFrameType) {
      case 'search.start':
        return start(frame);
      case 'search.resume': {
        return resume(parse(clientFrames['search.resume'], frame));
      }
      case 'search.cancel':
        return find(parse(clientFrames['search.cancel'], frame).search_id).cancel('client');
      case 'search.detach': {
        const { search_id } = parse(clientFrames['search.detach'], frame);
        const reading = readings.get(search_id);
        if (reading === undefined) throw unknownSearch(search_id);
        return stopReading(reading);
      }
      case 'ping':
        return send({ type: 'pong', ref: parse(clientFrames.ping, frame).ref });
      default: {
        const known = Object.keys(clientFrames).join(', ');
        const message = `Expected a type among ${known}; got ${JSON.stringify(frame.type)?.slice(0, 80)}.`;
        fail(new AppError('unknown_type', message), ref);
      }
    }
  }

  async function start(frame: Record<string, unknown>): Promise<void> {
    const { ref, request, on_disconnect } = parse(SearchStartEnvelope, frame);
    const free = paid;
    paid = false;
    const run = await service.search({
      request_id: connection_id,
      from: caller,
      paid: free,
      connection: connection_id,
      body: async () => request,
      streamed: true,
      on_disconnect,
      gone: gone.signal,
      onCounted: (rate) => send({ type: 'rate_limit', ...rateLimitState(rate) }),
    });
    if (free) send({ type: 'rate_limit', ...(await service.rateLimit(caller)) });
    attach(run, ref, 0, false);
  }

  function resume({ ref, search_id, after_seq }: ResumeFrame): void {
    const run = service.run(caller, search_id);
    if (run === undefined) return send({ type: 'resume.failed', ref, search_id, reason: 'not_found' });
    if (after_seq > run.log.head()) return send({ type: 'resume.failed', ref, search_id, reason: 'seq_ahead' });
    const before = readings.get(search_id);
    if (before !== undefined) stopReading(before);
    attach(run, ref, after_seq, false);
  }

  function attach(run: Run, ref: string, after: number, deduplicated: boolean): void {
    const { search_id } = run;
    const leave = service.read(run);
    if (gone.signal.aborted) {
      leave();
      return;
    }
    const head_seq = run.log.head();
    send({ type: 'search.attached', ref, search_id, state: run.state(), after_seq: after, head_seq, deduplicated });
    const pump = startPump({
      log: run.log,
      after,
      to: socket,
      format: ({ text }) => {
        heartbeat.refresh();
        return text;
      },
      onEnd: () => stopReading(reading),
      onStall: () =>
        close(closeCodes.slow_consumer, 'Nothing could be sent for 20 s; connect again and resume.', { resume: true }),
    });
    const reading: Reading = { run, pump, leave };
    readings.set(search_id, reading);
  }

  function stopReading({ run, pump, leave }: Reading): void {
    pump.stop();
    if (readings.get(run.search_id)?.pump === pump) readings.delete(run.search_id);
    leave();
  }

  function find(search_id: string): Run {
    const run = service.run(caller, search_id);
    if (run === undefined) throw unknownSearch(search_id);
    return run;
  }

  function close(code: number, reason: string, { resume = false, reconnect_after_ms }: CloseOptions = {}): void {
    const later = reconnect_after_ms === undefined ? {} : { reconnect_after_ms };
    send({ type: 'session.closing', code, reason, resume, ...later });
    socket.close(code, reason);
  }

  return { close };
}

type ResumeFrame = z.infer<(typeof clientFrames)['search.resume']>;
type CloseOptions = NonNullable<Parameters<Session['close']>[2]>;

function unknownSearch(search_id: string): AppError {
  return new AppError('not_found', `There is no search ${JSON.stringify(search_id)} for this account.`);
}
