/**
 * The HTTP calls and the WebSocket, over whichever Server carries them. Each row of the routes table has one handler
 * here; what a handler throws is answered as the error table says.
 */
import { errorTable, type RateLimitState, type RouteName, routes } from '../../protocol/index.ts';
import type { Caller } from '../access/identity.ts';
import { type RateDecision, rateLimitHeaders, rateLimitState } from '../access/limiter.ts';
import { AppError, asAppError, errorObject, invalid } from '../errors.ts';
import { timestamp } from '../runs/log.ts';
import type { Call, Service } from '../service.ts';
import { createCors } from './cors.ts';
import { checkHandshake, chooseProtocol, upgradeRequired } from './handshake.ts';
import { answerAsJson } from './json.ts';
import { readJson } from './json-body.ts';
import type { Exchange, Handlers, Headers, Socket } from './port.ts';
import { replyError, replyJson, replyText } from './reply.ts';
import { type Match, matchRoute } from './router.ts';
import { cancelSearch, follow, listSearches, readEvents, readSearch } from './searches.ts';
import { wantsEvents } from './sse.ts';
import { type Closing, type Session, startSession } from './websocket.ts';

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
  /** Refuses new work from here on and asks every session to leave; resolves when all that was begun has ended. */
  drain(): Promise<void>;
  /** Closes the sessions that have not left. */
  end(): void;
}

/** `headers` go with the answer, whatever it will be: what is put in while the call goes on is sent too. */
type Handle = (exchange: Exchange, headers: Record<string, string>, params: Match['params']) => Promise<void>;

export function createTransport({ service, originAllowed, documents, onFault }: TransportOptions): Transport {
  const cors = createCors(originAllowed);
  const sessions = new Set<Session>();
  let requests = 0;
  let onIdle: (() => void) | undefined;

  function callOf(exchange: Exchange, headers: Record<string, string>): Call {
    return {
      request_id: exchange.id,
      from: { api_key: exchange.headers.get('x-api-key'), address: exchange.address },
      onCounted: (rate) => void Object.assign(headers, rateLimitHeaders(rate)),
    };
  }

  const handles: Record<RouteName, Handle> = {
    async search(exchange, headers) {
      const streamed = wantsEvents(exchange);
      const body = () => readJson(exchange);
      const { gone } = exchange;
      const idempotency_key = readIdempotencyKey(exchange);
      const call = {
        ...callOf(exchange, headers),
        body,
        streamed,
        on_disconnect: 'grace',
        gone,
        idempotency_key,
      } as const;
      const { run } = await service.search(call);
      if (streamed) return follow(service, run, 0, exchange, headers);
      const leave = service.read(run);
      gone.addEventListener('abort', leave, { once: true });
      await answerAsJson(exchange, run, headers);
      leave();
    },
    list_searches: (exchange, headers) => listSearches(service, callOf(exchange, headers), exchange, headers),
    read_search: (exchange, headers, { search_id = '' }) =>
      readSearch(service, callOf(exchange, headers), search_id, exchange, headers),
    read_events: (exchange, headers, { search_id = '' }) =>
      readEvents(service, callOf(exchange, headers), search_id, exchange, headers),
    cancel_search: (exchange, headers, { search_id = '' }) =>
      cancelSearch(service, callOf(exchange, headers), search_id, exchange, headers),
    async search_socket() {
      throw upgradeRequired();
    },
    async contents(exchange, headers) {
      const body = () => readJson(exchange);
      const call = { ...callOf(exchange, headers), body, gone: exchange.gone };
      replyJson(exchange, 200, await service.contents(call), headers);
    },
    async read_snapshot(exchange, headers, { snapshot = '' }) {
      const contents = await service.snapshot(callOf(exchange, headers), snapshot);
      // A snapshot never changes, so whoever may read it may keep it.
      replyJson(exchange, 200, contents, { ...headers, 'cache-control': 'private, max-age=31536000, immutable' });
    },
    async health(exchange, headers) {
      replyJson(exchange, 200, { status: 'ok' }, headers);
    },
    async ready(exchange, headers) {
      if (isDraining()) throw shutdown();
      replyJson(exchange, 200, { status: 'ready' }, headers);
    },
    async openapi(exchange, headers) {
      replyText(exchange, 200, documents.openapi, headers);
    },
    async asyncapi(exchange, headers) {
      replyText(exchange, 200, documents.asyncapi, headers);
    },
  };

  async function request(exchange: Exchange): Promise<void> {
    const headers = { ...cors.headers(exchange) };
    requests += 1;
    try {
      const preflight = cors.preflight(exchange);
      if (preflight !== undefined) return exchange.respond(204, { ...headers, ...preflight }, '');
      const { route, params } = matchRoute(exchange.method, exchange.path);
      if (isDraining() && routes[route].counted) throw shutdown();
      await handles[route](exchange, headers, params);
    } catch (error) {
      refuse(exchange, error, headers);
    } finally {
      requests -= 1;
      tellIdle();
    }
  }

  async function upgrade(exchange: Exchange): ReturnType<Handlers['upgrade']> {
    const headers: Record<string, string> = {};
    let accepted = {};
    try {
      checkHandshake(exchange);
    } catch (error) {
      return refuse(exchange, error, headers);
    }
    try {
      if (isDraining()) throw shutdown();
      checkOrigin(exchange);
      accepted = chooseProtocol(exchange);
      let rate: RateDecision | undefined;
      const call = callOf(exchange, headers);
      const onCounted = (counted: RateDecision) => {
        rate = counted;
        call.onCounted(counted);
      };
      const caller = await service.open({ ...call, onCounted });
      return { ...accepted, accept: (socket) => welcome(socket, caller, rateLimitState(rate!)) };
    } catch (error) {
      // A page cannot read the status of a refused upgrade: it is let in, told why, and closed.
      if (!exchange.headers.has('origin') || exchange.headers.has('x-api-key')) return refuse(exchange, error, headers);
      return { ...accepted, accept: (socket) => turnAway(socket, error, exchange.id) };
    }
  }

  function welcome(socket: Socket, caller: Caller, rate_limit: RateLimitState): void {
    const onClosed = () => {
      sessions.delete(session);
      tellIdle();
    };
    const session = startSession(socket, { service, caller, rate_limit, onFault, onClosed });
    sessions.add(session);
    if (isDraining()) session.drain(goingDown);
  }

  function turnAway(socket: Socket, error: unknown, requestId: string): void {
    const shown = known(error);
    const frame = { type: 'error', at: timestamp(Date.now()), error: errorObject(shown, requestId) };
    socket.cork(() => socket.write(JSON.stringify(frame)));
    socket.close(shown.close ?? errorTable.internal.close, shown.message);
  }

  function refuse(exchange: Exchange, error: unknown, headers: Headers): undefined {
    if (!exchange.gone.aborted) replyError(exchange, known(error), headers);
  }

  /** A fault of ours goes to the log as it is. */
  function known(error: unknown): AppError {
    const shown = asAppError(error);
    if (shown.code === 'internal') onFault(error);
    return shown;
  }

  function checkOrigin(exchange: Exchange): void {
    const origin = exchange.headers.get('origin');
    if (origin === undefined || originAllowed(origin, exchange.headers.get('host'))) return;
    throw new AppError('forbidden', `The origin ${JSON.stringify(origin.slice(0, 200))} is not on ALLOWED_ORIGINS.`);
  }

  function isDraining(): boolean {
    return onIdle !== undefined;
  }

  function tellIdle(): void {
    if (requests === 0 && sessions.size === 0) onIdle?.();
  }

  return {
    handlers: { request, upgrade },
    drain() {
      return new Promise((resolve) => {
        onIdle = resolve;
        for (const session of [...sessions]) session.drain(goingDown);
        tellIdle();
      });
    },
    end() {
      for (const session of [...sessions]) session.close(goingDown);
    },
  };
}

const goingDown: Closing = {
  code: errorTable.server_shutdown.close,
  reason: 'The server is going down; connect again.',
  resume: true,
  reconnect_after_ms: 1_000,
};

function shutdown(): AppError {
  return new AppError('server_shutdown', 'The server is going down; try again in a moment.', { retry_after_ms: 1_000 });
}

/** A caller's own name for a request: 1 to 255 visible characters. */
function readIdempotencyKey(exchange: Exchange): string | undefined {
  const key = exchange.headers.get('idempotency-key');
  if (key === undefined || /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw invalid(['header', 'idempotency-key'], 'expected 1 to 255 visible ASCII characters', 'value_error');
}
