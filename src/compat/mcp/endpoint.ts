/**
 * The protocol over HTTP: one message a request, in either era, without sessions that this process would have to keep. An
 * answer is JSON, or a stream where the client takes one and the call reports its progress.
 *
 * A client of the newer era cancels a call by leaving. One of the older era sends a notification in another request, which
 * names the call by its id: so each such client gets an id of its own at the start, by which its calls are found again.
 */
import { randomUUID } from 'node:crypto';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { preview } from '../../../protocol/preview.ts';
import { type AppError, invalid, type OnFault } from '../../base/errors.ts';
import { traceIdOf } from '../../base/traceparent.ts';
import { isObject } from '../../base/values/is-object.ts';
import type { Call } from '../../service/calls.ts';
import type { Service } from '../../service/service.ts';
import type { Context } from '../../transport/http/context.ts';
import { acceptsEvents } from '../../transport/http/sse.ts';
import type { Backend } from './backend.ts';
import { createMcpServer } from './mcp-server.ts';
import { answerWithResponse } from './response.ts';
import { createServiceBackend } from './service-backend.ts';

type Caller = Awaited<ReturnType<Service['identify']>>;

export interface Endpoint {
  /** Answers a message of an identified caller. Rejects with 400 for what is not one message. */
  answer(ctx: Context, caller: Caller, message: unknown): Promise<void>;
  /** Ends the streams that wait for changes. */
  close(): void;
}

/** A message, as far as it is read here. */
interface Message {
  readonly method?: unknown;
  readonly id?: unknown;
  readonly params?: { readonly requestId?: unknown };
}

/** What a request hands to its server, through the library. */
interface Extra {
  readonly backend: Backend;
  readonly request_id: string;
  readonly trace_id: string | undefined;
}

const sessionHeader = 'mcp-session-id';

/** Serves nobody until the first answer. */
export function createEndpoint(service: Service, onFault: OnFault): Endpoint {
  const running = new Map<string, AbortController>();
  /** Streams that wait for changes: they end only when their client or this server does. */
  const listening = new Set<AbortController>();
  let problem: Error | undefined;
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const { backend, request_id, trace_id } = authInfo!.extra as Extra & Record<string, unknown>;
      return createMcpServer({ backend, request_id, onFault: (error) => onFault(error, request_id, trace_id) });
    },
    {
      legacy: 'stateless',
      onerror(error) {
        problem = error;
      },
    },
  );
  const unsubscribe = service.designs.onPublished(() => handler.notify.toolsChanged());

  return {
    async answer(ctx, caller, message) {
      if (!isObject(message)) {
        throw invalid(['body'], 'expected one JSON-RPC message, not a batch', 'dict_type');
      }
      const { headers } = ctx.request;
      const { method, id, params } = message as Message;
      if (id !== undefined && typeof id !== 'string' && !Number.isSafeInteger(id)) {
        throw invalid(['body', 'id'], `expected a string or an integer; got ${preview(id)}`, 'value_error');
      }
      const session = headers.get(sessionHeader);
      const nameOf = (call: unknown) => JSON.stringify([caller.key_id, caller.session, session, call]);
      if (method === 'initialize') ctx.header(sessionHeader, randomUUID());
      if (method === 'notifications/cancelled' && session !== undefined)
        running.get(nameOf(params?.requestId))?.abort();

      // Counted with the key's connections, because it stays open.
      const listens = method === 'subscriptions/listen';
      // Its answer has no end, so that nothing but a stream can hold it.
      if (listens && !acceptsEvents(ctx.request)) throw needsStream(headers.get('accept'));
      const leave = listens ? await service.openStream(ctx.call, ctx.breakOff) : () => {};
      const controller = new AbortController();
      if (listens) listening.add(controller);
      const stop = () => controller.abort(ctx.signal.reason);
      ctx.signal.addEventListener('abort', stop, { once: true });
      if (ctx.signal.aborted) stop();
      const name = nameOf(id);
      if (id !== undefined && session !== undefined) running.set(name, controller);
      try {
        const { request_id, onCharged, traceparent } = ctx.call;
        const call: Omit<Call, 'signal'> = { request_id, onCharged, traceparent, from: caller };
        const backend = createServiceBackend(service, call, caller.scopes);
        const trace_id = traceIdOf(traceparent);
        const extra = { backend, request_id, trace_id } satisfies Extra;
        const authInfo = { token: '', clientId: caller.key_id, scopes: [], extra };
        const response = await handler.fetch(requestOf(ctx, controller.signal), { authInfo, parsedBody: message });
        if (response.status === 500) onFault(problem ?? new Error('the protocol failed'), request_id, trace_id);
        if (!ctx.signal.aborted) await answerWithResponse(ctx, response);
      } finally {
        ctx.signal.removeEventListener('abort', stop);
        if (running.get(name) === controller) running.delete(name);
        listening.delete(controller);
        leave();
      }
    },

    close() {
      unsubscribe();
      for (const controller of listening) controller.abort();
    },
  };
}

/** Only the headers of the protocol: keys and cookies are none of a tool's business. */
function requestOf({ request }: Context, signal: AbortSignal): Request {
  const own = [...request.headers].filter(([name]) => name.startsWith('mcp-'));
  const headers = new Headers(own);
  headers.set('content-type', 'application/json');
  // Whether a stream may be sent is decided when there is one.
  headers.set('accept', 'application/json, text/event-stream');
  return new Request('http://localhost/mcp', { method: 'POST', headers, signal });
}

function needsStream(accept: string | undefined): AppError {
  const msg = `expected text/event-stream, because the answer has no end; got ${preview(accept)}`;
  return invalid(['header', 'accept'], msg, 'value_error');
}
