/**
 * What the frames of a client do, once they have been parsed: start a search, resume, cancel or detach one, ping. A handler
 * holds nothing of a search but the subscription that it opens; what the connection itself does is in session.ts.
 */
import type { z } from 'zod';
import { type ClientFrameType, clientFrames, SearchStartEnvelope, type ServerFrame } from '../../../protocol/index.ts';
import { rateLimitState } from '../../access/limiter/limiter.ts';
import { AppError, parse } from '../../base/errors.ts';
import type { Started } from '../../runs/idempotency.ts';
import type { Run } from '../../runs/run.ts';
import type { Call } from '../../service/calls.ts';
import type { Connection } from '../../service/connection.ts';
import { noSearch } from '../../service/searches/own-searches.ts';
import type { Service } from '../../service/service.ts';
import type { Closing } from './closings.ts';
import type { ClientFrame } from './parse-frame.ts';
import type { Pongs } from './pongs.ts';
import type { Subscriptions } from './subscriptions.ts';

export interface FrameHandlersOptions {
  readonly service: Service;
  readonly connection: Connection;
  /** The connection's own call, whose signal fires when the client has left. */
  readonly call: Call;
  readonly subscriptions: Subscriptions;
  readonly pongs: Pongs;
  readonly send: (frame: ServerFrame) => void;
  /** Why the connection is closing; undefined while it is not. */
  readonly closing: () => Closing | undefined;
  /** Called after a search was started, or could not be. */
  readonly onStarted: () => void;
}

export interface FrameHandlers {
  /** Throws, or rejects with, the error that answers the frame. */
  handle(frame: ClientFrame): Promise<void> | undefined;
  /** Searches that are being started. */
  starting(): number;
}

/** The handlers of one connection. */
export function createFrameHandlers(options: FrameHandlersOptions): FrameHandlers {
  const { service, connection, call, subscriptions, pongs, send, closing, onStarted } = options;
  let starting = 0;

  async function start(frame: ClientFrame): Promise<void> {
    const { ref, ...envelope } = parse(SearchStartEnvelope, frame);
    const reason = closing()?.reason;
    if (reason !== undefined) throw new AppError('server_shutdown', reason, { retry_after_ms: 1_000 });
    starting += 1;
    try {
      const { run, deduplicated } = await search(envelope);
      attach(run, ref, 0, deduplicated);
    } finally {
      starting -= 1;
      onStarted();
    }
  }

  async function search({ request, on_disconnect, idempotency_key, traceparent }: StartFrame): Promise<Started> {
    let isCharged = false;
    const started = await service.search({
      ...call,
      ...(traceparent === undefined ? {} : { traceparent }),
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
    if (!isCharged) send({ type: 'rate_limit', ...(await service.rateLimit(connection.caller)) });
    return started;
  }

  async function resume({ ref, search_id, after_seq }: ResumeFrame): Promise<void> {
    const fail = (reason: ResumeFailure) => send({ type: 'resume.failed', ref, search_id, reason });
    const found = await service.resume(call, search_id).catch(undefinedIfUnknown);
    if (found === undefined) return fail('not_found');
    const { run } = found;
    if (run === undefined) return fail('expired');
    const reach = await run.reaches(after_seq);
    if (reach !== 'held' && isLost(run)) return fail('lost');
    // A process that recorded the whole search died before the others had all of its log.
    if (reach !== 'held') return fail(reach === 'gone' ? 'expired' : 'seq_ahead');
    attach(run, ref, after_seq, false);
  }

  function attach(run: Run, ref: string, after_seq: number, deduplicated: boolean): void {
    // The client has left in the meantime. Attaching and detaching lets the run end as if it had left later.
    if (call.signal.aborted) return service.attach(run)();
    const { search_id } = run;
    const head_seq = run.log.head();
    send({ type: 'search.attached', ref, search_id, state: run.state(), after_seq, head_seq, deduplicated });
    subscriptions.attach(run, after_seq);
  }

  return {
    handle(frame) {
      switch (frame.type as ClientFrameType) {
        case 'search.start':
          return start(frame);
        case 'search.resume':
          return resume(parse(clientFrames['search.resume'], frame));
        case 'search.cancel': {
          const { search_id } = parse(clientFrames['search.cancel'], frame);
          return service.cancel(call, search_id).then(() => {});
        }
        case 'search.detach': {
          const { search_id } = parse(clientFrames['search.detach'], frame);
          if (!subscriptions.detach(search_id)) throw noSearch(search_id);
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
    },
    starting: () => starting,
  };
}

type StartFrame = Omit<z.infer<typeof SearchStartEnvelope>, 'type' | 'ref'>;
type ResumeFailure = Extract<ServerFrame, { type: 'resume.failed' }>['reason'];
type ResumeFrame = z.infer<(typeof clientFrames)['search.resume']>;

/** Whether the run's process died: events after the end of this log may have been read, and are lost. */
function isLost({ log }: Run): boolean {
  const terminal = log.terminal();
  return terminal?.type === 'search.failed' && terminal.error.code === 'lost';
}

/** Turns `not_found` into undefined; rethrows anything else. */
function undefinedIfUnknown(error: unknown): undefined {
  if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
}
