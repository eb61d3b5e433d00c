/**
 * The HTTP calls and the WebSocket, over whichever Server carries them. Each row of the routes table has one handler
 * here; what a handler throws is answered as the error table says.
 */
import { errorTable, type RouteName, subprotocol } from '../../protocol/index.ts';
import type { RateDecision } from '../access/limiter.ts';
import { rateLimitHeaders } from '../access/limiter.ts';
import { AppError, asAppError, errorObject } from '../errors.ts';
import { timestamp } from '../runs/log.ts';
import type { Call, Service } from '../service.ts';
import { answerAsJson } from './json.ts';
import { readJson } from './json-body.ts';
import type { Exchange, Handlers, Headers, Socket } from './port.ts';
import { replyError, replyJson, replyText } from './reply.ts';
import { matchRoute } from './router.ts';
import { answerAsEvents, wantsEvents } from './sse.ts';
import { type Session, startSession } from './websocket.ts';

export interface TransportOptions {
  readonly service: Service;
  /** Whether a page of this origin may use the server. */
  readonly originAllowed: (origin: string, host: string | undefined) => boolean;
  /** The generated documents, as JSON text. */
  readonly documents: { readonly openapi: string; readonly asyncapi: string };
  readonly onFault: (error: unknown) => void;
}

export interface Transport {
  readonly handlers: Handlers;
  /** Refuses new work from here on and asks every session to come back later. */
  drain(): void;
  sessions(): number;
}

type Handle = (exchange: Exchange, params: Readonly<Record<string, string>>) => Promise<void>;

export function createTransport({ service, originAllowed, documents, onFault }: TransportOptions): Transport {
  const sessions = new Set<Session>();
  let draining = false;

  /** What every counted answer carries is known only once the call is counted; `headers` fills up as it goes. */
  function callOf(exchange: Exchange): { call: Call; headers: Record<string, string> } {
    const headers: Record<string, string> = {};
    const call: Call = {
      request_id: exchange.id,
      from: { api_key: exchange.headers.get('x-api-key'), address: exchange.address },
      onCounted: (rate: RateDecision) => void Object.assign(headers, rateLimitHeaders(rate)),
    };
    return { call, headers };
  }

  const handles: Record<RouteName, Handle> = {
    async search(exchange) {
      const { call, headers } = callOf(exchange);
      const streamed = wantsEvents(exchange);
      try {
        const body = () => readJson(exchange);
        const run = await service.search({ ...call, body, streamed, on_disconnect: 'grace', gone: exchange.gone });
        const leave = service.read(run);
        exchange.gone.addEventListener('abort', leave, { once: true });
        await (streamed ? answerAsEvents(exchange, run, 0, headers) : answerAsJson(exchange, run, headers));
        leave();
      } catch (error) {
        throw withHeaders(error, headers);
      }
    },
    async search_socket() {
      const message = 'Expected a WebSocket upgrade; POST /v1/search with Accept: text/event-stream streams over HTTP.';
      throw new AppError('upgrade_required', message, { headers: { upgrade: 'websocket', connection: 'upgrade' } });
    },
    async contents(exchange) {
      const { call, headers } = callOf(exchange);
      try {
        const body = () => readJson(exchange);
        replyJson(exchange, 200, await service.contents({ ...call, body, gone: exchange.gone }), headers);
      } catch (error) {
        throw withHeaders(error, headers);
      }
    },
    async read_snapshot(exchange, { snapshot = '' }) {
      const contents = await service.snapshot(callOf(exchange).call, snapshot);
      // A snapshot never changes, so whoever may read it may keep it.
      replyJson(exchange, 200, contents, { 'cache-control': 'private, max-age=31536000, immutable' });
    },
    async health(exchange) {
      replyJson(exchange, 200, { status: 'ok' });
    },
    async ready(exchange) {
      if (draining) throw shutdown();
      replyJson(exchange, 200, { status: 'ready' });
    },
    async openapi(exchange) {
      replyText(exchange, 200, documents.openapi);
    },
    async asyncapi(exchange) {
      replyText(exchange, 200, documents.asyncapi);
    },
  };

  async function upgrade(exchange: Exchange): ReturnType<Handlers['upgrade']> {
    const offered = (exchange.headers.get('sec-websocket-protocol') ?? '').split(',').map((name) => name.trim());
    const protocol = offered.includes(subprotocol) ? { protocol: subprotocol } : {};
    const { call, headers } = callOf(exchange);
    try {
      if (draining) throw shutdown();
      checkOrigin(exchange);
      if (offered[0] !== '' && !('protocol' in protocol)) {
        throw new AppError(
          'subprotocol',
          `Expected the subprotocol ${subprotocol}; got ${offered.join(', ').slice(0, 100)}.`,
        );
      }
      const caller = await service.open(call);
      const accept = (socket: Socket) => {
        const session = startSession(socket, { service, caller, onFault, onClosed: () => sessions.delete(session) });
        sessions.add(session);
      };
      return { ...protocol, accept };
    } catch (error) {
      // A page cannot read the status of a refused upgrade: it is let in, told why, and closed.
      if (!exchange.headers.has('origin') || exchange.headers.has('x-api-key')) throw withHeaders(error, headers);
      return { ...protocol, accept: (socket) => turnAway(socket, exchange.id, asAppError(error)) };
    }
  }

  function checkOrigin(exchange: Exchange): void {
    const origin = exchange.headers.get('origin');
    if (origin === undefined || originAllowed(origin, exchange.headers.get('host'))) return;
    throw new AppError('forbidden', `The origin ${JSON.stringify(origin.slice(0, 200))} is not on ALLOWED_ORIGINS.`);
  }

  return {
    handlers: {
      async request(exchange) {
        const { route, params } = matchRoute(exchange.method, exchange.path);
        await handles[route](exchange, params);
      },
      upgrade,
      refuse: replyError,
    },
    drain() {
      draining = true;
      const reason = 'The server is going down; connect again.';
      const { close } = errorTable.server_shutdown;
      for (const session of sessions) session.close(close, reason, { resume: true, reconnect_after_ms: 1_000 });
    },
    sessions: () => sessions.size,
  };
}

function turnAway(socket: Socket, requestId: string, error: AppError): void {
  const frame = { type: 'error', at: timestamp(Date.now()), error: errorObject(error, requestId) };
  socket.onGone(() => {});
  socket.cork(() => socket.write(JSON.stringify(frame)));
  socket.close(error.close ?? errorTable.internal.close, error.message.slice(0, 120));
}

function shutdown(): AppError {
  return new AppError('server_shutdown', 'The server is going down; try again in a moment.', { retry_after_ms: 1_000 });
}

/** The error with headers that the answer would have had. */
function withHeaders(error: unknown, headers: Headers): unknown {
  if (Object.keys(headers).length === 0) return error;
  const shown = asAppError(error);
  if (shown.code === 'internal') return error;
  return new AppError(shown.code, shown.message, {
    ...shown.details,
    headers: { ...headers, ...shown.details.headers },
  });
}
